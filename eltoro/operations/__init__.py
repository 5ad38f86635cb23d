"""What people may ask for beyond what leagues offer: the board of a real table kept for them."""
