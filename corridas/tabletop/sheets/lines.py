"""Judgements of the referee, one for each entered or calculated figure of a scoresheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from corridas.engine import (
    CorridaSetup,
    Ending,
    LidiaResult,
    MatadorCard,
    OpenCorrida,
    Scoresheet,
)


class State(StrEnum):
    """The judgement of a figure.

    `agreed`: it was entered and follows from other figures. `derived`: it follows from other
    figures but was not entered. `on_trust`: it was entered, and nothing proves or contradicts it.
    `contradicted`: it is impossible. `missing`: it is required but was not entered.
    """

    AGREED = "agreed"
    DERIVED = "derived"
    ON_TRUST = "on_trust"
    CONTRADICTED = "contradicted"
    MISSING = "missing"


REFUSING = (State.CONTRADICTED, State.MISSING)


class Evidence(StrEnum):
    """How much of a result the referee could recalculate, the weakest first (Ruling I-18)."""

    SCORE = "score"
    SHEET = "sheet"
    CARDS = "cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoresheetLine:
    """The referee's judgement of one figure of a sheet.

    `path` is its position (`lidias/2/sheet/kill/4`), and `figure` its name. `claimed` is the value
    entered and `derived` the value calculated, both as text, empty if there is none. `sentence`
    explains the judgement and `ruling` is the id of the rule. `lidia` is the turn (0-5), None for a
    line about the whole corrida.
    """

    path: str
    figure: str
    claimed: str = ""
    derived: str = ""
    state: State
    sentence: str
    ruling: str = ""

    @property
    def lidia(self) -> int | None:
        parts = self.path.split("/")
        return int(parts[1]) if parts[0] == "lidias" and len(parts) > 1 else None

    @property
    def refuses(self) -> bool:
        """Return whether this line prevents the sheet from being stored."""
        return self.state in REFUSING


@dataclass(frozen=True, slots=True, kw_only=True)
class LidiaReading:
    """The referee's judgement of one lidia.

    `turn` is 0-5. `result` is None if a line refuses the lidia. `draws` are its cards, empty if
    none were entered. `scoresheet` is calculated from the cards, even while they are being entered.
    `evidence` is None if nothing was entered.
    """

    turn: int
    lines: tuple[ScoresheetLine, ...]
    result: LidiaResult | None = None
    draws: bytes = b""
    scoresheet: Scoresheet | None = None
    evidence: Evidence | None = None

    @property
    def stands(self) -> bool:
        return self.result is not None and not any(line.refuses for line in self.lines)


class Bull(NamedTuple):
    name: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetReading:
    """The referee's judgement of a whole sheet (Ruling I-18).

    `setup` is None if plaza or cartel is invalid. `bulls` are in the order in which they come out.
    `leads` are the seats of the players who lead each matador, by place of appearance. Both are
    empty if invalid. `lines` are about the corrida. `lidias` are the judgements of six lidias, or
    of fewer if the corrida was suspended.
    """

    setup: CorridaSetup | None
    bulls: tuple[Bull, ...] = ()
    leads: tuple[int, ...] = ()
    lines: tuple[ScoresheetLine, ...] = ()
    lidias: tuple[LidiaReading, ...] = ()
    suspended: bool = False

    @property
    def all_lines(self) -> tuple[ScoresheetLine, ...]:
        return self.lines + tuple(line for lidia in self.lidias for line in lidia.lines)

    @property
    def contradictions(self) -> tuple[ScoresheetLine, ...]:
        return tuple(line for line in self.all_lines if line.state is State.CONTRADICTED)

    @property
    def missing(self) -> tuple[ScoresheetLine, ...]:
        return tuple(line for line in self.all_lines if line.state is State.MISSING)

    @property
    def stands(self) -> bool:
        """Return whether the sheet can be stored: every lidia is complete, and no line
        rejects it.
        """
        read = self.setup is not None and bool(self.lidias)
        whole = not any(line.refuses for line in self.all_lines)
        return read and whole and all(lidia.stands for lidia in self.lidias)

    @property
    def evidence(self) -> Evidence:
        """Return how well the whole sheet could be checked: the lowest evidence of all its
        lidias.
        """
        ranks = list(Evidence)
        evidences = [lidia.evidence or Evidence.SCORE for lidia in self.lidias]
        return min(evidences, key=ranks.index, default=Evidence.SCORE)


def names_of(cards: Sequence[MatadorCard]) -> tuple[str, ...]:
    """Return the names of the matadors on a cartel. Keys are added to names that are equal."""
    counts = Counter(card.name for card in cards)
    return tuple(
        f"{card.name} ({card.key})" if card.key and counts[card.name] > 1 else card.name
        for card in cards
    )


class CorridaCourse:
    """The state of a corrida while its lidias are judged in order.

    `out` is the turn (0-5) in which each matador was injured, by place of appearance. `deck_known`
    is false if the same deck is used for the whole corrida and some of its drawn cards are unknown
    (Ruling I-3).
    """

    def __init__(self, setup: CorridaSetup) -> None:
        self.setup = setup
        self.open = OpenCorrida(setup)
        self.out: dict[int, int] = {}
        self.deck_known = True
        self.suspended_in: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return names_of(self.setup.order)

    def name_of(self, card: MatadorCard) -> str:
        return self.names[self.setup.order.index(card)]

    def left(self, turn: int) -> int | None:
        """Return the cards in the deck before a lidia, as a bit set, or None if unknown."""
        if not self.deck_known:
            return None
        return sum(1 << card for card in self.open.look(turn, ()).left)

    def close(self, reading: LidiaReading) -> None:
        if reading.result is not None:
            self.open.put_out(reading.result.injured)
            self.out.update(dict.fromkeys(reading.result.injured, reading.turn))
            if reading.result.ending is Ending.BROKEN_OFF or not self.open.able:
                self.suspended_in = reading.turn
        if self.setup.rules.shuffle == "when_exhausted" and not reading.draws:
            self.deck_known = False
