"""Players that need no person: each sees a view, and answers with a move."""
