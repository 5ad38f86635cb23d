"""Seasons, corridas and runs under `/api/v1/`."""
