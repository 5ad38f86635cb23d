"""What people fill in, translated for the operations."""
