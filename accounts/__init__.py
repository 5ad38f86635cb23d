"""User accounts, their preferences and notifications, and sign-in as director of a local site."""
