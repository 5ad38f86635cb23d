"""Points of matches and of rounds without a match, according to the page of rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from fractions import Fraction
from typing import Final

from tests.leagues.standings.second.facts import Match, Seat, Settings

HALF: Final = Fraction(1, 2)


class RoundKind(Enum):
    """What a round was for a player.

    Generated seasons have no announced absences (`EXCUSED`) yet.
    """

    MATCH = auto()
    TO_PLAY = auto()
    BYE = auto()
    EXCUSED = auto()
    FORFEIT_WON = auto()
    FORFEIT_LOST = auto()
    ABSENT = auto()
    VOID = auto()


NOT_PLAYED: Final = (
    RoundKind.BYE,
    RoundKind.FORFEIT_WON,
    RoundKind.FORFEIT_LOST,
    RoundKind.ABSENT,
    RoundKind.VOID,
)


@dataclass(frozen=True, kw_only=True)
class RoundTurn:
    """What happened to a player in a round, or in a match of a ladder (round 0)."""

    round: int
    kind: RoundKind
    points: Fraction
    match: Match | None = None


def full_win(settings: Settings) -> Fraction:
    if settings.kind == "places":
        return settings.by_place[0]
    if settings.kind == "beaten":
        return Fraction(1)
    return bye_points(settings)


def bye_points(settings: Settings) -> Fraction:
    """Return the points of a bye: a win between two players, otherwise the mean of all places."""
    if settings.bye is not None:
        return settings.bye
    if settings.kind == "points":
        return Fraction(0)
    if settings.sides == 2:
        return full_win(settings)
    if settings.kind == "beaten":
        return HALF
    full = [place_points(settings, place) for place in range(settings.sides)]
    return sum(full, Fraction(0)) / settings.sides


def worth(settings: Settings, kind: RoundKind) -> Fraction:
    """Return the points in the table “Rounds without a match” of the page of rules."""
    if kind is RoundKind.BYE:
        return bye_points(settings)
    if kind is RoundKind.FORFEIT_WON:
        return full_win(settings)
    return full_win(settings) * HALF if kind is RoundKind.EXCUSED else Fraction(0)


def place_points(settings: Settings, place: int) -> Fraction:
    """Return the points of a place in a full match. Places are counted from 0."""
    return settings.by_place[place] if place < len(settings.by_place) else Fraction(0)


def points_by_place(settings: Settings, sides: int) -> list[Fraction]:
    """“In a match with fewer players than usual, the first place keeps its points ...”

    The page says so only if the list has points for each place of a full match.
    """
    full = settings.sides
    if not 2 < full <= len(settings.by_place) or sides >= full:
        return [place_points(settings, place) for place in range(sides)]
    first, last = place_points(settings, 0), place_points(settings, full - 1)
    step = (first - last) / (sides - 1)
    return [first - step * place for place in range(sides)]


def match_points(settings: Settings, match: Match, player: int) -> Fraction:
    mine = match.seat_of(player)
    if settings.kind == "points":
        return Fraction(mine.points)
    if settings.kind == "beaten":
        return mean([beaten(mine, other) for other in match.opponents(player)])
    places = {seat.side: seat.place for seat in match.seats}
    ahead = sum(place < mine.place for place in places.values())
    level = sum(place == mine.place for place in places.values())
    if ahead == 0 and level > 1 and settings.draw is not None:
        return settings.draw
    by_place = points_by_place(settings, len(places))
    return mean(by_place[ahead : ahead + level])


def beaten(mine: Seat, other: Seat) -> Fraction:
    """Return 1 for an opponent with a lower place, 1/2 for a tie, otherwise 0."""
    if mine.place == other.place:
        return HALF
    return Fraction(1 if mine.place < other.place else 0)


def mean(values: Sequence[Fraction]) -> Fraction:
    return sum(values, Fraction(0)) / len(values)
