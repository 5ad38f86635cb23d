"""Matches: opening, scoresheets, confirmation, disputes and corrections."""
