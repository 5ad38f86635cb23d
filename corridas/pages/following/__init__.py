"""Pages of matadors and herds that people follow."""
