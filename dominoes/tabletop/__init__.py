"""Hands played at real tables: the entry form, the referee of sheets, printed scoresheets."""
