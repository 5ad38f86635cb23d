"""Who plays whom and who leads: settled place, no league yet."""
