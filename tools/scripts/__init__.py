"""Scripts that developers run by hand or every night."""
