"""What pairing takes and gives: entrants in, rounds of pairings out, each with its reasons."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

FEWEST_SEATS, MOST_SEATS = 2, 6
PARTNERSHIP_SEATS = 4


class PairingError(ValueError):
    """Nobody can be paired like this; `code` and `params` say why, the text does in English.

    Codes: `seats` (not 2 to 6), `sides` (partners, but not four seats), `players` (too few),
    `legs` (not at least one).
    """

    def __init__(self, code: str, sentence: str, **params: int) -> None:
        super().__init__(sentence)
        self.code, self.params = code, params


class Because(StrEnum):
    """Why a pairing is as it is; what stands in brackets are the parameters.

    `round_robin`: everybody meets everybody (`round`, `rounds`). `same_score`: all stand on
    `score`. `near_score`: between `low` and `high`. `not_met`: nobody here met before.
    `met_nobody_left`: met `times` before, and no pairing of this round does with less.
    `met_fewest`: some met before (`pairs` of them, at most `times`), the fewest that was found.
    `partners_new`, `partners_before` (`times`): how often those on one side were partners.
    `bye_lowest`: stands lowest of those who had none. `bye_fewest`: all had one, nobody had
    fewer (`byes`). `bye_turn`: byes go round (`byes` had before). `led_least`: `player` sits
    first, having done so `led` times and each other more often. `led_level`: the same, and
    another as seldom.
    """

    ROUND_ROBIN = "round_robin"
    SAME_SCORE = "same_score"
    NEAR_SCORE = "near_score"
    NOT_MET = "not_met"
    MET_NOBODY_LEFT = "met_nobody_left"
    MET_FEWEST = "met_fewest"
    PARTNERS_NEW = "partners_new"
    PARTNERS_BEFORE = "partners_before"
    BYE_LOWEST = "bye_lowest"
    BYE_FEWEST = "bye_fewest"
    BYE_TURN = "bye_turn"
    LED_LEAST = "led_least"
    LED_LEVEL = "led_level"


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason as data, to be put in words elsewhere."""

    code: Because
    params: Mapping[str, int | float] = field(default_factory=dict, hash=False)

    def as_data(self) -> dict[str, object]:
        """The same as plain data, for storing."""
        return {"code": self.code.value, "params": dict(self.params)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entrant:
    """One to be paired: the score, and the place in the standings (1 is the first).

    Who shares a place is put in order by lot.
    """

    player: int
    score: Fraction | int | float = 0
    place: int = 1


@dataclass(frozen=True, slots=True)
class Pairing:
    """One match to be played: the players by seat, the first one leads."""

    seats: tuple[int, ...]
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Bye:
    """One who sits this round out."""

    player: int
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """Matches that can be played at the same time; `number` and `leg` from 1."""

    number: int
    pairings: tuple[Pairing, ...]
    byes: tuple[Bye, ...] = ()
    leg: int = 1


def check(players: int, seats: int, fewest: int, *, sides: bool) -> None:
    """Whether so many can be paired at all; raises `PairingError`."""
    if not FEWEST_SEATS <= fewest <= seats <= MOST_SEATS:
        raise PairingError("seats", f"A match has 2 to 6 seats, not {seats}.", seats=seats)
    if sides and (seats, fewest) != (PARTNERSHIP_SEATS, PARTNERSHIP_SEATS):
        raise PairingError(
            "sides", "Playing in pairs needs four players at each table.", seats=seats
        )
    if players < fewest:
        raise PairingError(
            "players",
            f"A match takes {fewest} players, there are {players}.",
            players=players,
            seats=fewest,
        )


def table_sizes(players: int, seats: int, fewest: int) -> tuple[int, ...]:
    """How many sit at each table, largest first: as many play as can, at as few tables.

    Tables have `seats`, some fewer down to `fewest` where that lets more people play.
    """
    best: tuple[int, ...] = ()
    for tables in range(1, players // fewest + 1):
        seated = min(players, tables * seats)
        if seated > sum(best):
            even, more = divmod(seated, tables)
            best = (even + 1,) * more + (even,) * (tables - more)
    return best
