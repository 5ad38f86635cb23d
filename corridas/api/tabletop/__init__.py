"""Corridas at real tables under `/api/v1/`."""
