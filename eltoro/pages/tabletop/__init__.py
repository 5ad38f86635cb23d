"""Pages for games with real cards: entry form, printed scoresheets and the tracked board."""
