"""Matches: opening, sheets, confirmation, disputes and corrections."""
