"""The live feed: sends each broadcast to all its watchers, each part at its time."""
