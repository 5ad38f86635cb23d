"""Names that people type: cleaned, compared, sorted and searched in one way."""
