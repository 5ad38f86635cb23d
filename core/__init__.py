"""What has no pages of its own and serves every application."""
