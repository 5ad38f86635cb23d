"""What has happened, for programs: pages by cursor."""
