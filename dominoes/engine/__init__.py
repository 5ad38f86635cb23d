"""Rules engine of Matador dominoes, to play or replay whole matches.

Import the engine only from this package. Results depend only on the rule set, the random numbers
(`chance`) and the moves. The engine implements the rulebook as interpreted by Rulings D-1 to D-9
(docs/rules/dominoes.md). A tile is a number, several tiles are a bit set (`bits` lists their
numbers), and moves have a notation:

    >>> from fairness import Seed
    >>> rules = PROFILES["rulebook"]                    # or Rules(highest=9, matadors=...)
    >>> chance = Seed(bytes(32)).chance("hand/1")       # Ruling F-1
    >>> hand = Hand.deal(rules, 3, chance, leader=0)    # leader=None: drawn by chance
    >>> hand.turn, len(hand.legal()), hand.legal()[0].kind
    (0, 7, <MoveKind.LEAD: 'lead'>)
    >>> hand.play(hand.legal()[0])
    >>> view = hand.view(1)                             # what seat 1 may see; None: spectator
    >>> view.turn, view.counts, view.boneyard, len(view.tiles)
    (1, (6, 7, 7), 7, 7)
    >>> left, right = view.ends
    >>> hand.play(Move.read(">6|6"), seat=0)
    Traceback (most recent call last):
    dominoes.engine.errors.IllegalMove: It is not your turn. (Ruling D-2)
    >>> while hand.turn is not None:
    ...     hand.play(hand.legal()[0])
    >>> hand.outcome.ended_by in ("out", "blocked"), len(hand.outcome.points)
    (True, 3)
    >>> chance = Seed(bytes(32)).chance("hand/1")
    >>> replay_hand(rules, 3, chance, 0, hand.log).outcome == hand.outcome
    True
    >>> match = Match(rules, 3)                         # totals, next leader, winner
    >>> match.add(hand.outcome)
    >>> match.totals == hand.outcome.points, match.leaders
    (True, (0, 1, 2))
    >>> another = match.deal(Seed(bytes(32)).chance("hand/2"))

Notation of moves (`Move.read(text)`, `str(move)`): `6|3` is the first tile. `>2|5` is a tile at the
right end and `<5|2` at the left end, both with the 2 inward and the 5 outward. `>2+5` is a matador
(wild tile) across the train. The other moves are `draw` and `pass`.

Notation of trains (`str(Train(view.train, view.ends))`): in `(4*) 3|1 [6|3] 4|4 (3*)`, brackets
mark the first tile. Parentheses contain the halves that may touch each end, and a star if any
matador fits there.

An `IllegalMove` has `code`, `params` and `ruling`. Its message is `REASONS[code][1] % params`.
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
from dominoes.engine.moves import MOVES, Move, MoveKind, Side, read_tile
from dominoes.engine.referee import (
    MAX_MOVES,
    Course,
    FinalTiles,
    HandReading,
    HandSheet,
    MatchReading,
    Objection,
    RefereeConclusion,
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
from dominoes.engine.scoring import HandOutcome, places_of, score_hand
from dominoes.engine.tiles import DominoSet, bit_set, bits, domino_set, write_tile
from dominoes.engine.view import LaidTile, PublicMove, Train, View

__all__ = [
    "BONEYARD_RESERVE",
    "CHOICES",
    "ENGINE_VERSION",
    "MAX_MOVES",
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
    "FinalTiles",
    "Hand",
    "HandOutcome",
    "HandReading",
    "HandSheet",
    "IllegalMove",
    "LaidTile",
    "Match",
    "MatchOver",
    "MatchReading",
    "Move",
    "MoveKind",
    "NotationError",
    "Objection",
    "PublicMove",
    "RefereeConclusion",
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
    "score_hand",
    "write_tile",
]
