"""Pages of results brought in and handed out."""
