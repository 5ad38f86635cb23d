"""Evenings at real tables: entry forms, referee of sheets, scoresheets and real boards."""
