"""Queries of the data of standings: entries, placings and open fixtures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from fairness import Seed
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Member, Place, Player, Result, Round
from leagues.standings.cut import Cut
from leagues.standings.ranking import StandingsRow, TieBreak, compute_standings, draw_lots
from leagues.standings.scoring import Entry, Placing, Scoring

_FIELDS: Final = ("match", "player", "seat", "side", "place", "points", "against", "when", "game")
_COLUMNS: Final = (
    "result__match_id",
    "player_id",
    "seat",
    "side",
    "place",
    "points",
    "against",
    "result__played_at",
    "result__game",
)


def placings(chosen: QuerySet[Place]) -> tuple[Placing, ...]:
    rows = chosen.order_by("result__played_at", "result__match_id", "seat").values_list(*_COLUMNS)
    return tuple(Placing(**dict(zip(_FIELDS, row, strict=True))) for row in rows)


# Used if the organiser has chosen none.
DEFAULT_TIE_BREAKS = (TieBreak.HEAD_TO_HEAD, TieBreak.MARGIN, TieBreak.WINS)


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsBasis:
    """All data from which standings are computed, read with four queries."""

    entries: tuple[Entry, ...]
    placings: tuple[Placing, ...]
    to_play: tuple[tuple[int, ...], ...]
    scoring: Scoring
    tie_breaks: tuple[TieBreak, ...]
    cut: int | None
    seed: Seed
    sides: bool
    complete: bool

    def rows(self) -> tuple[StandingsRow, ...]:
        line = None
        if self.cut and self.complete:
            line = Cut(after=self.cut, fixtures=self.to_play, sides=self.sides)
        return compute_standings(
            self.entries,
            self.placings,
            scoring=self.scoring,
            tie_breaks=self.tie_breaks,
            lots=draw_lots((entry.player for entry in self.entries), self.seed),
            cut=line,
        )

    def until(self, moment: datetime) -> StandingsBasis:
        played = tuple(placing for placing in self.placings if placing.when < moment)
        return replace(self, placings=played, complete=False)

    def without(self, match: int) -> StandingsBasis:
        kept = tuple(placing for placing in self.placings if placing.match != match)
        return replace(self, placings=kept)

    def with_places(self, match: int, placings: Iterable[Placing]) -> StandingsBasis:
        changed = [*self.without(match).placings, *placings]
        changed.sort(key=lambda placing: (placing.when, placing.match, placing.seat))
        return replace(self, placings=tuple(changed))

    def restricted(self, players: Collection[int], placings: Iterable[Placing]) -> StandingsBasis:
        entries = tuple(
            replace(entry, withdrawn=False) for entry in self.entries if entry.player in players
        )
        return replace(self, entries=entries, placings=tuple(placings), cut=None)

    def renamed(self, old: int, new: int) -> StandingsBasis:
        places = tuple(
            replace(placing, player=new) if placing.player == old else placing
            for placing in self.placings
        )
        fixtures = tuple(
            tuple(new if player == old else player for player in fixture)
            for fixture in self.to_play
        )
        return replace(
            self, entries=_joined(self.entries, old, new), placings=places, to_play=fixtures
        )


def _joined(entries: Iterable[Entry], old: int, new: int) -> tuple[Entry, ...]:
    entries_by_person: dict[int, Entry] = {}
    for entry in entries:
        person = new if entry.player == old else entry.player
        earlier = entries_by_person.get(person)
        entries_by_person[person] = Entry(
            player=person,
            byes=entry.byes + (earlier.byes if earlier else 0),
            withdrawn=entry.withdrawn and (earlier is None or earlier.withdrawn),
        )
    return tuple(entries_by_person.values())


def standings_basis(league: League) -> StandingsBasis:
    entries = entries_of(league)
    return StandingsBasis(
        entries=entries,
        placings=placings(Place.objects.filter(result__league=league)),
        to_play=seats_to_play(league) if league.cut else (),
        scoring=Scoring.from_options(league.scoring),
        tie_breaks=tuple(map(TieBreak, league.tie_breaks)) or DEFAULT_TIE_BREAKS,
        cut=league.cut,
        seed=Seed(bytes(league.seed)),
        sides=has_sides(league),
        complete=_is_complete(league),
    )


def has_sides(league: League) -> bool:
    sides = games[league.game].sides(league.rules, league.seats)
    return len(set(sides)) < league.seats


def _is_complete(league: League) -> bool:
    """Return whether all fixtures exist, as in a round robin after its draw."""
    if league.closed_at is not None:
        return True
    drawn = Round.objects.filter(league=league).exists() if league.cut else False
    return league.format == League.Format.ROUND_ROBIN and drawn


def entries_of(league: League) -> tuple[Entry, ...]:
    """Return entries, one per player after merges, withdrawn if all memberships are."""
    members = Member.objects.filter(league=league, plays=True).order_by("joined_at", "pk")
    left: dict[int, bool] = {}
    for player, merged, gone in members.values_list(
        "player", "player__merged_into", "withdrawn_at"
    ):
        person = merged or player
        left[person] = left.get(person, True) and gone is not None
    byes = _byes(league)
    return tuple(
        Entry(player=person, byes=byes.get(person, 0), withdrawn=gone)
        for person, gone in left.items()
    )


def _byes(league: League) -> dict[int, int]:
    """Count byes of players in rounds in which nobody was left to play."""
    lists = Round.objects.filter(league=league).values_list("byes", flat=True)
    keys = [bye["player"] for byes in lists for bye in byes]
    merged = merged_of(keys)
    counted: dict[int, int] = {}
    for key in keys:
        person = merged.get(key, key)
        counted[person] = counted.get(person, 0) + 1
    return counted


def merged_of(keys: Collection[int]) -> dict[int, int]:
    if not keys:
        return {}
    rows = Player.objects.filter(pk__in=keys).exclude(merged_into=None)
    return {key: kept for key, kept in rows.values_list("pk", "merged_into") if kept is not None}


def placing_of(place: Place, result: Result) -> Placing:
    return Placing(
        match=result.match_id,
        player=place.player_id,
        seat=place.seat,
        side=place.side,
        place=place.place,
        points=place.points,
        against=place.against,
        when=result.played_at,
        game=result.game,
    )


def seats_to_play(league: League) -> tuple[tuple[int, ...], ...]:
    seats = FixtureSeat.objects.filter(
        fixture__state__in=Fixture.TO_PLAY, fixture__round__league=league
    ).order_by("fixture", "number")
    players_by_fixture: dict[int, list[int]] = {}
    for fixture, player, merged in seats.values_list("fixture", "player", "player__merged_into"):
        players_by_fixture.setdefault(fixture, []).append(merged or player)
    return tuple(tuple(players) for players in players_by_fixture.values())
