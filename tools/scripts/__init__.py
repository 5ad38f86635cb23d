"""What developers run by hand or every night."""
