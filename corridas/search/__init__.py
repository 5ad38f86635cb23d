"""What the search finds of circuits: names, corridas by date and place, seasons and records."""
