"""The feed: what goes on at this moment, sent to all who watch as it falls due."""
