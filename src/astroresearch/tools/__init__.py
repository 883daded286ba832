"""Tools: what the model may call, how calls are checked and run."""
