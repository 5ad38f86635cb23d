"""The stage: engine events folded into the ring, cards, story and scoresheet of the live page.

A scene is a pure function of a showing and one of its moments. It is the same for people who watch
live, join late, step back, or watch the replay a year later.
"""
