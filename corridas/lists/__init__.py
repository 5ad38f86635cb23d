"""Lists of a circuit such as matadors or bulls, with filters, sorting and CSV files."""
