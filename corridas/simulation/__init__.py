"""The bridge: rows in, engine, rows out. Nothing else above the models plays by the rules.

Clock and chance come in as arguments: `at`, an aware datetime, and `fresh`, which gives new seeds.
Every function that writes does so in one transaction.
"""

from corridas.simulation.book import book_until
from corridas.simulation.closing import post_due, post_now
from corridas.simulation.contracting import announce, fill_by_hand
from corridas.simulation.evenings import evenings_due
from corridas.simulation.founding import found, mark_invented, stock, unfound
from corridas.simulation.planning import calendar_of, plan, promise_winter
from corridas.simulation.playing import TRIES, note_failure, play_on_air
from corridas.simulation.posting import rebuild
from corridas.simulation.records import replay, setup_of, stake_of
from corridas.simulation.running import chunks, halt, note_breakdown, prepare, run_on
from corridas.simulation.substituting import replace_injured
from corridas.simulation.table_fixtures import overdue
from corridas.simulation.verifying import check, check_winter
from corridas.simulation.waiting import lost_corridas, lost_runs, next_for_the_sand
from corridas.simulation.wintering import NotOverError, winter_over

__all__ = [
    "TRIES",
    "NotOverError",
    "announce",
    "book_until",
    "calendar_of",
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
    "promise_winter",
    "rebuild",
    "replace_injured",
    "replay",
    "run_on",
    "setup_of",
    "stake_of",
    "stock",
    "unfound",
    "winter_over",
]
