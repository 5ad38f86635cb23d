"""Pages of corridas on air and of their replays."""
