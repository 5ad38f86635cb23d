"""A real game whose board the site records: its players, and short ways to record entries."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from eltoro.engine import DueEntryKind, Rules
from eltoro.models import Keeping
from eltoro.queries import real_board_of
from eltoro.tabletop import operations
from leagues.matches.operations.matches import open_match
from leagues.models import Match, Player
from tests import factories

NOW = dt.datetime(2026, 3, 5, 20, 0, tzinfo=dt.UTC)


def account(name: str) -> Player:
    """Create a player with an account."""
    return factories.account(name, at=NOW)


def guest(name: str) -> Player:
    return factories.guest(name, at=NOW)


def evening(*players: Player, rules: Rules | None = None) -> Match:
    """Start a match between these players outside of leagues; the first may enter its result."""
    return open_match(
        by=players[0],
        at=NOW,
        players=list(players),
        game="eltoro",
        profile="own",
        rules=(rules or Rules()).options(),
    )


def begin_board(match: Match, by: Player, mode: str = "all") -> Keeping:
    return operations.begin_keeping(match=match, mode=mode, by=by, at=NOW)


def write(keeping: Keeping, by: Player, entries: Sequence[str]) -> Keeping:
    """Record these entries one after the other, each with the current version."""
    for text in entries:
        keeping = operations.record_entry(
            keeping=keeping, version=keeping.version, text=text, by=by, at=NOW
        )
    return keeping


def play_out(keeping: Keeping, by: Player) -> Keeping:
    """Play the rest of a game whose dice the site rolls, entry by entry."""
    said = {DueEntryKind.LAY: "lay", DueEntryKind.CARDS: "advance", DueEntryKind.EVENING: "evening"}
    while (kept := real_board_of(keeping)).due is not DueEntryKind.OVER:
        ones = " ".join(f"{name}>5" for name in kept.ones)
        text = f"start {ones}" if kept.due is DueEntryKind.START else said[kept.due]
        keeping = write(keeping, by, [text])
    return keeping
