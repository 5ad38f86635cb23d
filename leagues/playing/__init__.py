"""The bridge of tables: rows in, a game's adapter, rows out. Knows no game by name."""

from leagues.playing.actas import acta_of_match, acta_of_round, acta_of_sheet, rounds_over
from leagues.playing.actas import offer as offer_actas
from leagues.playing.bots import note_failure, play_bot
from leagues.playing.change import (
    LANGUAGES,
    BotTurn,
    Change,
    Event,
    NoTable,
    changing,
)
from leagues.playing.clock import Awaited, is_bot
from leagues.playing.log import Chair, Moment, TableLog, find
from leagues.playing.moving import Answer, NotPlaying, NotTheirTurn, Overtaken, make_move
from leagues.playing.rounds import Fresh, deal_next, say_ready, seal_round
from leagues.playing.seating import close, come_back, stand_in
from leagues.playing.seen import Promise, Seen, Sitter, replayed, seen
from leagues.playing.sweeping import look_after, sweep
from leagues.playing.verifying import verify_round

__all__ = [
    "LANGUAGES",
    "Answer",
    "Awaited",
    "BotTurn",
    "Chair",
    "Change",
    "Event",
    "Fresh",
    "Moment",
    "NoTable",
    "NotPlaying",
    "NotTheirTurn",
    "Overtaken",
    "Promise",
    "Seen",
    "Sitter",
    "TableLog",
    "acta_of_match",
    "acta_of_round",
    "acta_of_sheet",
    "changing",
    "close",
    "come_back",
    "deal_next",
    "find",
    "is_bot",
    "look_after",
    "make_move",
    "note_failure",
    "offer_actas",
    "play_bot",
    "replayed",
    "rounds_over",
    "say_ready",
    "seal_round",
    "seen",
    "stand_in",
    "sweep",
    "verify_round",
]
