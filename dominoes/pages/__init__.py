"""Pages of Matador dominoes."""
