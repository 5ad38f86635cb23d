"""Evenings at real tables: entry forms, the referee of sheets, scoresheets and real boards."""
