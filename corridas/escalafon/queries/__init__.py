"""Queries for rankings, records, awards and yearbooks."""
