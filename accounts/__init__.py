"""User accounts, preferences and notifications, and the local director's account."""
