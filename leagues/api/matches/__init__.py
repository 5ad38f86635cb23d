"""API resources of matches and scoresheets."""
