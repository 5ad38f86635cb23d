"""Pages of circuits: the list of circuits, their creation, settings and transfer."""
