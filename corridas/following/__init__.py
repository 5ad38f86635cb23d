"""Matadors and herds that a user follows."""
