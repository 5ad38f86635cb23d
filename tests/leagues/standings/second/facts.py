"""The facts about a league from which the second implementation calculates standings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a league.

    `bye` is None if the founder has not entered points for a bye. `format` is ladder, round_robin
    or swiss, `kind` is places, beaten or points.
    """

    format: str
    seats: int
    partners: bool
    kind: str
    by_place: Sequence[Fraction]
    draw: Fraction | None
    bye: Fraction | None
    tie_breaks: Sequence[str]
    cut: int | None
    cut_matches: int
    absences_allowed: int

    @property
    def sides(self) -> int:
        """Number of sides in a full match. Partners are one side."""
        return 2 if self.partners else self.seats

    @property
    def is_ladder(self) -> bool:
        return self.format == "ladder"

    @property
    def is_round_robin(self) -> bool:
        return self.format == "round_robin"


@dataclass(frozen=True, kw_only=True)
class Member:
    """A member. `left_after_end`: the player withdrew when everything had been played."""

    player: int
    joined_at: dt.datetime
    withdrawn_at: dt.datetime | None = None
    left_after_end: bool = False


@dataclass(frozen=True, kw_only=True)
class Seat:
    player: int
    side: int
    place: int
    points: int


@dataclass(frozen=True, kw_only=True)
class Match:
    """A confirmed match.

    `absent` are the players who did not come to a forfeited match. `number` orders matches of the
    same time. `round` and `fixture` are None in a ladder.
    """

    number: int
    played_at: dt.datetime
    round: int | None
    fixture: int | None
    seats: tuple[Seat, ...]
    forfeited: bool = False
    absent: frozenset[int] = frozenset()

    def side_of(self, player: int) -> int:
        return next(seat.side for seat in self.seats if seat.player == player)

    def seat_of(self, player: int) -> Seat:
        return next(seat for seat in self.seats if seat.player == player)

    def has(self, player: int) -> bool:
        return any(seat.player == player for seat in self.seats)

    def opponents(self, player: int) -> list[Seat]:
        side = self.side_of(player)
        return [seat for seat in self.seats if seat.side != side]


@dataclass(frozen=True, kw_only=True)
class Fixture:
    key: int
    round: int
    players: tuple[int, ...]
    void: bool = False


@dataclass(frozen=True, kw_only=True)
class Round:
    number: int
    drawn_at: dt.datetime
    byes: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Facts:
    """All facts about a league. Merged players are replaced by their accounts."""

    settings: Settings
    members: tuple[Member, ...]
    rounds: tuple[Round, ...] = ()
    fixtures: tuple[Fixture, ...] = ()
    matches: tuple[Match, ...] = ()
    lots: Mapping[int, Fraction] = field(default_factory=dict)

    def until(self, moment: dt.datetime) -> Facts:
        """Return the facts known before a moment.

        Players who have come back never withdrew, as if the withdrawal had been undone. They have a
        later membership, under a name that was merged.
        """
        back = {member.player for member in self.members if member.joined_at >= moment}
        rounds = tuple(each for each in self.rounds if each.drawn_at < moment)
        numbers = {each.number for each in rounds}
        return Facts(
            settings=self.settings,
            members=tuple(
                _stays(member)
                if member.player in back or not _is_before(member.withdrawn_at, moment)
                else member
                for member in self.members
                if member.joined_at < moment
            ),
            rounds=rounds,
            fixtures=tuple(each for each in self.fixtures if each.round in numbers),
            matches=tuple(match for match in self.matches if match.played_at < moment),
            lots=self.lots,
        )


def _is_before(time: dt.datetime | None, moment: dt.datetime) -> bool:
    return time is not None and time < moment


def _stays(member: Member) -> Member:
    return Member(player=member.player, joined_at=member.joined_at)
