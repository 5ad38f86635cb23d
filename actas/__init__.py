"""The records anyone can check, of every game that registers."""
