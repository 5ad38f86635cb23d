"""Lines of the referee: one for every figure that was entered or follows from others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from corridas.engine import CorridaSetup, Ending, LidiaResult, OpenCorrida, Scoresheet


class State(StrEnum):
    """The judgement of a figure.

    `agreed`: entered, and it follows from the others. `derived`: it follows but was not entered.
    `on_trust`: nothing determines or contradicts it. `contradicted`: it is impossible. `missing`:
    it is required but not entered.
    """

    AGREED = "agreed"
    DERIVED = "derived"
    ON_TRUST = "on_trust"
    CONTRADICTED = "contradicted"
    MISSING = "missing"


REFUSING = (State.CONTRADICTED, State.MISSING)


class Evidence(StrEnum):
    """How far the referee could recalculate it, the weakest first (Ruling I-18)."""

    SCORE = "score"
    SHEET = "sheet"
    CARDS = "cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure: its path in the sheet (`lidias/2/sheet/kill/4`), its name, the value entered and
    the value derived (both as text, "" for none), and a sentence with its ruling.

    `lidia` is the turn 0-5, None for a line on the whole corrida.
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
        """Whether the line prevents the sheet from being stored."""
        return self.state in REFUSING


@dataclass(frozen=True, slots=True, kw_only=True)
class LidiaReading:
    """The judgement of one lidia: turn 0-5, lines, and the result unless a line refuses it.

    `draws` are the cards, empty where none were entered. `scoresheet` is filled in from them, even
    while they are still being drawn. `evidence` is None where nothing was entered.
    """

    turn: int
    lines: tuple[Line, ...]
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
class Reading:
    """The referee's judgement of a sheet (Ruling I-18).

    `setup` is None where plaza or cartel is invalid. `bulls` are by turn, `leads` are the seats by
    place of appearance; invalid ones are empty. `lines` are about the corrida. `lidias` has a
    judgement for each of six turns, or fewer where the corrida was suspended.
    """

    setup: CorridaSetup | None
    bulls: tuple[Bull, ...] = ()
    leads: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    lidias: tuple[LidiaReading, ...] = ()
    suspended: bool = False

    @property
    def all_lines(self) -> tuple[Line, ...]:
        return self.lines + tuple(line for lidia in self.lidias for line in lidia.lines)

    @property
    def contradictions(self) -> tuple[Line, ...]:
        return tuple(line for line in self.all_lines if line.state is State.CONTRADICTED)

    @property
    def missing(self) -> tuple[Line, ...]:
        return tuple(line for line in self.all_lines if line.state is State.MISSING)

    @property
    def stands(self) -> bool:
        """Whether it can be stored: every lidia is complete, and no line refuses it."""
        read = self.setup is not None and bool(self.lidias)
        whole = not any(line.refuses for line in self.all_lines)
        return read and whole and all(lidia.stands for lidia in self.lidias)

    @property
    def evidence(self) -> Evidence:
        """The evidence of its weakest lidia; `score` where there is none."""
        ranks = list(Evidence)
        evidences = [lidia.evidence or Evidence.SCORE for lidia in self.lidias]
        return min(evidences, key=ranks.index, default=Evidence.SCORE)


class Course:
    """The progress of a corrida while its lidias are read.

    `out`: by place, the turn (0-5) in which a matador was injured. `deck_known`: whether every card
    is known that has left a deck used for the whole corrida (Ruling I-3).
    """

    def __init__(self, setup: CorridaSetup) -> None:
        self.setup = setup
        self.open = OpenCorrida(setup)
        self.out: dict[int, int] = {}
        self.deck_known = True
        self.suspended_in: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(card.name for card in self.setup.order)

    def left(self, turn: int) -> int | None:
        """Return the cards in the deck before a lidia, as bits; None where that is not known."""
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
