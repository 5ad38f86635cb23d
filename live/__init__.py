"""The live feed: broadcasts sent to all watchers as their moments fall due."""
