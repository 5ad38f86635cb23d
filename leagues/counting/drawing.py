"""Draws out of rows: who is entered, who has met whom, and what a round would be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from fairness import Seed
from leagues.counting.standing import Basis, basis_of, entries_of, has_sides
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Player, Round
from leagues.pairing import Entrant, Past, round_robin, swiss_round
from leagues.pairing import Round as Drawn

MET = (Fixture.State.OPEN, Fixture.State.POSTPONED, Fixture.State.PLAYED)
"""Fixtures whose players have met, or are to: not those forfeited or void."""


def fewest_seats(league: League) -> int:
    """The smallest table at which those left over may play: one seat less than a full one.

    Pairs and partners sit in full or not at all.
    """
    if league.seats == 2 or has_sides(league):
        return league.seats
    possible = [seats for seats in games[league.game].seat_counts(league.rules) if seats > 1]
    return max(min(possible), league.seats - 1)


def draw_all(league: League, seed: Seed, *, attempt: int) -> tuple[Drawn, ...]:
    """All rounds of a round robin among those who are in it. Raises `PairingError`."""
    gone = _gone(league)
    entered = [
        entry.player
        for entry in entries_of(league)
        if not entry.withdrawn and entry.player not in gone
    ]
    return round_robin(
        entered,
        chance=seed.chance(f"round_robin/{attempt}"),
        seats=league.seats,
        legs=league.rounds_planned or 1,
        fewest=fewest_seats(league),
        sides=has_sides(league),
    )


def draw_swiss(league: League, number: int) -> Drawn:
    """Round `number` by the standings as they are. Raises `PairingError`."""
    return _swiss(league, basis_of(league), number, among=None)


def redraw_swiss(league: League, basis: Basis, number: int) -> Drawn:
    """Round `number` as it would be drawn among the same people, had this been their past."""
    drawn = fixtures_of(league, numbers=[number], states=None)
    there = {player for seats in drawn for player in seats} | set(_byes_of(league, number))
    earlier = _matches_of(league, below=number)
    kept = [placing for placing in basis.placings if placing.match in earlier]
    return _swiss(league, basis.restricted(there, kept), number, among=there)


def _swiss(league: League, basis: Basis, number: int, *, among: Collection[int] | None) -> Drawn:
    gone = _gone(league) if among is None else set()
    entrants = [
        Entrant(player=row.player, score=row.score, place=row.place)
        for row in basis.rows()
        if (row.player in among if among is not None else not row.withdrawn)
        and row.player not in gone
    ]
    return swiss_round(
        entrants,
        number=number,
        chance=basis.seed.chance(f"swiss/{number}"),
        seats=league.seats,
        fewest=fewest_seats(league),
        sides=has_sides(league),
        past=past_of(league, below=number),
    )


def _gone(league: League) -> set[int]:
    """Whose account was deleted: they keep their place, but meet nobody any more."""
    left = Player.objects.filter(memberships__league=league, left_at__isnull=False)
    return set(left.values_list("pk", flat=True))


def past_of(league: League, *, below: int) -> Past:
    """Who met whom in the rounds before one, and who sat out."""
    rounds = Round.objects.filter(league=league, number__lt=below).order_by("number")
    byes = [bye["player"] for one in rounds for bye in one.byes]
    matches = fixtures_of(league, numbers=[one.number for one in rounds], states=MET)
    return Past(matches, byes, sides=has_sides(league))


def fixtures_of(
    league: League, *, numbers: Iterable[int], states: Sequence[str] | None
) -> list[tuple[int, ...]]:
    """The persons by seat of the fixtures of these rounds; one query."""
    seats = FixtureSeat.objects.filter(
        fixture__round__league=league, fixture__round__number__in=list(numbers)
    )
    if states is not None:
        seats = seats.filter(fixture__state__in=states)
    found: dict[int, list[int]] = {}
    ordered = seats.order_by("fixture__round__number", "fixture__number", "number")
    for fixture, player, merged in ordered.values_list("fixture", "player", "player__merged_into"):
        found.setdefault(fixture, []).append(merged or player)
    return [tuple(players) for players in found.values()]


def _byes_of(league: League, number: int) -> list[int]:
    return [bye["player"] for bye in Round.objects.get(league=league, number=number).byes]


def _matches_of(league: League, *, below: int) -> set[int]:
    rows = Fixture.objects.filter(round__league=league, round__number__lt=below)
    return set(rows.exclude(match=None).values_list("match", flat=True))
