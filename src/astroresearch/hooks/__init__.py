"""Hooks: what users hang on the 13 moments of a session's life (S8), and what they may answer."""
