"""Pages of corridas that are on air (being broadcast), and of their replays."""
