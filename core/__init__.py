"""Packages without pages that all applications share."""
