"""Names typed by people: how they are cleaned, compared, sorted and searched."""
