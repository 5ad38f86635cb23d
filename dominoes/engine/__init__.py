"""Matador dominoes: the whole game, played or replayed. The only door to the engine.

Pure functions of rule set, chance and moves; the law is the rulebook as read by Rulings D-1 to
D-9. A tile is a number, some tiles are a bit set (`bits` lists it), a move has a notation:

    >>> from fairness import Seed
    >>> rules = PROFILES["rulebook"]                    # or Rules(highest=9, matadors=...)
    >>> chance = Seed(bytes(32)).chance("hand/1")       # Ruling F-1
    >>> hand = Hand.deal(rules, 3, chance, leader=0)    # leader=None: drawn; Match knows better
    >>> hand.turn, len(hand.legal()), hand.legal()[0].kind
    (0, 7, <Kind.LEAD: 'lead'>)
    >>> hand.play(hand.legal()[0])
    >>> view = hand.view(1)                             # all that seat 1 may see; None: a watcher
    >>> view.turn, view.counts, view.boneyard, len(view.tiles)
    (1, (6, 7, 7), 7, 7)
    >>> left, right = view.ends
    >>> hand.play(Move.read(">6|6"), seat=0)
    Traceback (most recent call last):
    dominoes.engine.errors.IllegalMove: It is not your turn. (Ruling D-2)
    >>> while hand.turn is not None:
    ...     hand.play(hand.legal()[0])
    >>> hand.outcome.ended in ("out", "blocked"), len(hand.outcome.points)
    (True, 3)
    >>> chance = Seed(bytes(32)).chance("hand/1")
    >>> replay_hand(rules, 3, chance, 0, hand.log).outcome == hand.outcome
    True
    >>> match = Match(rules, 3)                         # totals, next leader, winner
    >>> match.add(hand.outcome)
    >>> match.totals == hand.outcome.points, match.leaders
    (True, (0, 1, 2))
    >>> another = match.deal(Seed(bytes(32)).chance("hand/2"))

Moves are written `6|3` (the first tile), `>2|5` and `<5|2` (2 inward, 5 outward, at the right and
the left end), `>2+5` (across), `draw`, `pass`: `Move.read(text)` and `str(move)`. A train is
written `(4*) 3|1 [6|3] 4|4 (3*)`, with the inward halves that its ends need and a star where any
matador fits: `str(Train(view.train, view.ends))`. An `IllegalMove` carries `code`, `params` and
`ruling`; its sentence is `REASONS[code][1] % params`.
"""

from dominoes.engine.deal import Deal
from dominoes.engine.errors import (
    REASONS,
    DealError,
    EngineError,
    IllegalMove,
    MatchOver,
    NotationError,
    RulesError,
)
from dominoes.engine.fits import End
from dominoes.engine.hand import Hand, replay_hand
from dominoes.engine.match import Match
from dominoes.engine.moves import MOVES, Kind, Move, Side, read_tile
from dominoes.engine.referee import (
    Course,
    HandSheet,
    Held,
    Line,
    MatchReading,
    Objection,
    Reading,
    follow_moves,
    judge_hand,
    judge_match,
)
from dominoes.engine.rules import (
    BONEYARD_RESERVE,
    CHOICES,
    ENGINE_VERSION,
    PROFILES,
    RANGES,
    RULINGS,
    SWITCHES,
    Rules,
)
from dominoes.engine.scoring import Outcome, places_of, settle
from dominoes.engine.tiles import DominoSet, bit_set, bits, domino_set, write_tile
from dominoes.engine.view import LaidTile, PublicMove, Train, View

__all__ = [
    "BONEYARD_RESERVE",
    "CHOICES",
    "ENGINE_VERSION",
    "MOVES",
    "PROFILES",
    "RANGES",
    "REASONS",
    "RULINGS",
    "SWITCHES",
    "Course",
    "Deal",
    "DealError",
    "DominoSet",
    "End",
    "EngineError",
    "Hand",
    "HandSheet",
    "Held",
    "IllegalMove",
    "Kind",
    "LaidTile",
    "Line",
    "Match",
    "MatchOver",
    "MatchReading",
    "Move",
    "NotationError",
    "Objection",
    "Outcome",
    "PublicMove",
    "Reading",
    "Rules",
    "RulesError",
    "Side",
    "Train",
    "View",
    "bit_set",
    "bits",
    "domino_set",
    "follow_moves",
    "judge_hand",
    "judge_match",
    "places_of",
    "read_tile",
    "replay_hand",
    "settle",
    "write_tile",
]
