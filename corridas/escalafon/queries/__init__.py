"""Reads rankings, records, awards and yearbooks."""
