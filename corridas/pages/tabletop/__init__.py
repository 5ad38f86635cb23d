"""Pages of corridas played at real tables, with printed cards."""
