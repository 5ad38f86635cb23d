"""Queue of the moves of bots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from core.jobs import enqueue

if TYPE_CHECKING:
    from leagues.tables.changes import BotTurn


def wake(turn: BotTurn | None) -> None:
    """Queue the task for a bot's move at its time, after the commit. Does nothing for None."""
    if turn is not None:
        transaction.on_commit(lambda: _send_bot(turn))


def _send_bot(turn: BotTurn) -> None:
    wait = max(0.0, (turn.due - timezone.now()).total_seconds())
    enqueue("leagues.tasks.play_bot", turn.table, turn.moves_made, after=wait)
