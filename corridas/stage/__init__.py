"""What the live page shows: engine events folded into ring, cards, story and scoresheet.

A scene is a pure function of a showing and one of its moments: the same for whoever watches live,
comes late, steps back, or sees the replay a year later.
"""
