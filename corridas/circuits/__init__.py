"""Circuits: founding, settings, handing on, rest and ending; who sees and directs them."""
