"""Who goes, who comes back, and when a table is given up."""

from __future__ import annotations

from leagues.models import Table
from leagues.playing.change import Change, Event


def stand_in(change: Change, seat: int, event: Event) -> None:
    """A bot takes over for who left or let the clock run out."""
    change.seats[seat].stand_in = True
    change.seats[seat].save(update_fields=["stand_in"])
    change.tell(event, seat)


def come_back(change: Change, seat: int) -> None:
    """Whoever was away has the seat again at once; a bot that thinks for it thinks in vain."""
    change.seats[seat].stand_in = False
    change.seats[seat].save(update_fields=["stand_in"])
    change.tell(Event.BACK, seat)


def close(change: Change) -> None:
    """End a table that came to nothing."""
    change.table.state, change.table.turn = Table.State.CLOSED, None
    change.table.ended_at = change.at
    change.tell(Event.CLOSED)
