"""Broadcasts of corridas: what viewers may see at each moment, and queries of the live page."""
