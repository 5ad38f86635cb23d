"""Untrusted documents: JSON parsing with limits, and document formats as pydantic models."""
