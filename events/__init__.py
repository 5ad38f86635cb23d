"""The log of events, which feeds, webhooks and the API follow."""
