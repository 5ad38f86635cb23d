"""Packages that every application may import. They have no pages."""
