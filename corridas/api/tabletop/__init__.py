"""Corridas played at real tables, under `/api/v1/`."""
