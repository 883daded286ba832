"""Astronomy: papers, identifiers, the library and the services."""
