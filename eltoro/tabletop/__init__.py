"""Evenings at real tables: scoresheets, the referee, and boards kept on the site."""
