"""What templates may ask of accounts."""
