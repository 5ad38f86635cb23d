"""Packages that every application may import. They contain no pages."""
