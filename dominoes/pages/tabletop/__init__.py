"""Pages for hands from real tables: entry form and printed scoresheets."""
