"""The feed of a corrida, moment by moment, and the queries behind it and its page."""
