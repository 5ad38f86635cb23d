"""Turns the engine's events of a corrida into the ring, cards, story and scoresheet of its page.

A `Scene` is a pure function of a `Showing` (a played corrida) and one of its moments. So the page
is the same during the broadcast, after stepping back, and in a replay a year later.
"""
