"""What the referee says: one line for every figure that was written down or follows from others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from corridas.engine import CorridaSetup, Ending, LidiaResult, OpenCorrida, Scoresheet


class State(StrEnum):
    """How a figure stands against the rules.

    `agreed`: written down, and it follows from the others. `derived`: it follows, and nobody wrote
    it. `on_trust`: nothing determines it, and nothing speaks against it. `contradicted`: it cannot
    be. `missing`: it is needed, and not there yet.
    """

    AGREED = "agreed"
    DERIVED = "derived"
    ON_TRUST = "on_trust"
    CONTRADICTED = "contradicted"
    MISSING = "missing"


REFUSING = (State.CONTRADICTED, State.MISSING)


class Evidence(StrEnum):
    """How much of it the referee could work out anew, weakest first (Ruling I-18)."""

    SCORE = "score"
    SHEET = "sheet"
    CARDS = "cards"


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One figure: where it stands in the sheet (`lidias/2/sheet/kill/4`), its name, what was
    written and what follows (both as text, "" for nothing), and a sentence with its ruling.

    `lidia` is the turn 0-5, None for what concerns the whole corrida.
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
        """The turn it belongs to."""
        parts = self.path.split("/")
        return int(parts[1]) if parts[0] == "lidias" and len(parts) > 1 else None

    @property
    def refuses(self) -> bool:
        """Whether the sheet cannot be filed as long as this stands."""
        return self.state in REFUSING


@dataclass(frozen=True, slots=True, kw_only=True)
class LidiaReading:
    """What one lidia comes to: turn 0-5, lines, and the result where nothing refuses it.

    `draws` are the cards, empty where none were handed in; `scoresheet` is what they fill in,
    also while they are still being drawn. `evidence` is None where nothing was written.
    """

    turn: int
    lines: tuple[Line, ...]
    result: LidiaResult | None = None
    draws: bytes = b""
    scoresheet: Scoresheet | None = None
    evidence: Evidence | None = None

    @property
    def stands(self) -> bool:
        """Whether it can be filed."""
        return self.result is not None and not any(line.refuses for line in self.lines)


class Bull(NamedTuple):
    """A bull as the sheet names it."""

    name: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The referee's answer to a sheet (Ruling I-18).

    `setup` is what the corrida was fought from, None where plaza or cartel cannot be read;
    `bulls` come by turn, `leads` are the seats by place of appearance; both are empty where they
    cannot be read. `lines` concern the corrida; `lidias` has a reading for each of six turns, or
    fewer where the corrida was suspended.
    """

    setup: CorridaSetup | None
    bulls: tuple[Bull, ...] = ()
    leads: tuple[int, ...] = ()
    lines: tuple[Line, ...] = ()
    lidias: tuple[LidiaReading, ...] = ()
    suspended: bool = False

    @property
    def all_lines(self) -> tuple[Line, ...]:
        """Those of the corrida, then those of its lidias."""
        return self.lines + tuple(line for lidia in self.lidias for line in lidia.lines)

    @property
    def contradictions(self) -> tuple[Line, ...]:
        """What cannot be."""
        return tuple(line for line in self.all_lines if line.state is State.CONTRADICTED)

    @property
    def missing(self) -> tuple[Line, ...]:
        """What is not there yet."""
        return tuple(line for line in self.all_lines if line.state is State.MISSING)

    @property
    def stands(self) -> bool:
        """Whether it can be filed: every lidia is there, and nothing refuses it."""
        read = self.setup is not None and bool(self.lidias)
        whole = not any(line.refuses for line in self.all_lines)
        return read and whole and all(lidia.stands for lidia in self.lidias)

    @property
    def evidence(self) -> Evidence:
        """That of its weakest lidia; `score` where there is none."""
        ranks = list(Evidence)
        found = [lidia.evidence or Evidence.SCORE for lidia in self.lidias]
        return min(found, key=ranks.index, default=Evidence.SCORE)


class Course:
    """How far a corrida has come while its lidias are read.

    `out`: in which turn (0-5) a matador was put out, by place. `deck_known`: whether every card
    that has left a deck which runs through the corrida is known (Ruling I-3).
    """

    def __init__(self, setup: CorridaSetup) -> None:
        self.setup = setup
        self.open = OpenCorrida(setup)
        self.out: dict[int, int] = {}
        self.deck_known = True
        self.suspended_in: int | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The matadors in the order of appearance."""
        return tuple(card.name for card in self.setup.order)

    def close(self, reading: LidiaReading) -> None:
        """Go on after a lidia: who was hurt is out, and its cards are known or not."""
        if reading.result is not None:
            self.open.put_out(reading.result.injured)
            self.out.update(dict.fromkeys(reading.result.injured, reading.turn))
            if reading.result.ending is Ending.BROKEN_OFF or not self.open.able:
                self.suspended_in = reading.turn
        if self.setup.rules.shuffle == "when_exhausted" and not reading.draws:
            self.deck_known = False
