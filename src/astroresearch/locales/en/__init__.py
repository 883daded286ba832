"""Texts in one language, a module a room."""
