"""Log of events on the site, which the live feed, webhooks and the API publish."""
