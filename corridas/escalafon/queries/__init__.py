"""Queries on rankings, records, awards and yearbooks."""
