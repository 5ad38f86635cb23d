"""The play control: its choices, what it says while a season is played, and where it stands."""
