"""Pages of webhooks."""
