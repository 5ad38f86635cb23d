"""Pages of tables: the hall with all of them, a new one, one as it is played, its replay."""
