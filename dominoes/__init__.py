"""Matador dominoes: rules, bots, tables, sheets and pages."""
