"""The live feed: sends broadcasts as server-sent events to their watchers, each part at its
time.
"""
