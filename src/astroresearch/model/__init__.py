"""Language models behind one protocol, and what to do when they fail."""
