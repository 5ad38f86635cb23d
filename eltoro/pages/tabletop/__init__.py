"""Pages for evenings from real tables: entry form, scoresheets and the board."""
