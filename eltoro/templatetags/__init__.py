"""Drawings for templates."""
