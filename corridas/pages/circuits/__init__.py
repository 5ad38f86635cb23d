"""Pages of circuits and of their directors."""
