"""Pages of the matadors and herds that a user follows."""
