"""The signed-in person: account, preferences, and the local director's chair."""
