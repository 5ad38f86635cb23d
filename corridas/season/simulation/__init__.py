"""Connects database and engine: no other code above the models applies the rules.

Clock and chance are arguments: `at`, an aware datetime, and `fresh`, which returns new seeds. Every
function that writes does so in one transaction.
"""

from __future__ import annotations

from corridas.season.simulation.derived_book import book_until
from corridas.season.simulation.draw import (
    announce,
    announce_alternativas,
    ceremonies,
    fill_by_hand,
)
from corridas.season.simulation.new_circuit import found, mark_invented, unfound
from corridas.season.simulation.play import TRIES, note_failure, play_on_air
from corridas.season.simulation.post import post_due, post_now, rebuild
from corridas.season.simulation.rows import replay, setup_of, stake_of
from corridas.season.simulation.run import chunks, halt, note_breakdown, prepare, run_on
from corridas.season.simulation.schedule import (
    calendar_of,
    plan,
    promise_again,
    promise_winter_again,
)
from corridas.season.simulation.substitutes import replace_injured
from corridas.season.simulation.sweep import (
    evenings_due,
    lost_corridas,
    lost_runs,
    next_for_the_sand,
)
from corridas.season.simulation.tabletop import overdue
from corridas.season.simulation.verify import check, check_winter
from corridas.season.simulation.winter import NotOverError, winter_over

__all__ = [
    "TRIES",
    "NotOverError",
    "announce",
    "announce_alternativas",
    "book_until",
    "calendar_of",
    "ceremonies",
    "check",
    "check_winter",
    "chunks",
    "evenings_due",
    "fill_by_hand",
    "found",
    "halt",
    "lost_corridas",
    "lost_runs",
    "mark_invented",
    "next_for_the_sand",
    "note_breakdown",
    "note_failure",
    "overdue",
    "plan",
    "play_on_air",
    "post_due",
    "post_now",
    "prepare",
    "promise_again",
    "promise_winter_again",
    "rebuild",
    "replace_injured",
    "replay",
    "run_on",
    "setup_of",
    "stake_of",
    "unfound",
    "winter_over",
]
