"""Hands from real tables: entry form, referee of sheets, printed scoresheets."""
