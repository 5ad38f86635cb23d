"""What has happened, in order, for whoever follows."""
