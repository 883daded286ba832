"""The schema and its history, applied by ``upgrade`` without any file of settings."""
