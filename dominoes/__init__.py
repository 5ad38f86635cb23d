"""The Matador dominoes game: rules engine, bots, online tables, scoresheets and pages."""
