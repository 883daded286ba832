"""Measure a context policy on recorded sessions, without asking a provider: the request before each recorded reply."""
