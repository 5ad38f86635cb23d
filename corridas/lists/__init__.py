"""Lists of a circuit: filters, columns, sorting and CSV."""
