"""Pages of accounts: preferences, notifications, data export, deletion."""
