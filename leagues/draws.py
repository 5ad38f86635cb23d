"""Draws computed from database rows: entrants, past meetings and the next round."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from django.db.models.functions import Coalesce

from fairness import Seed
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, Place, Player, Round
from leagues.pairing import Entrant, Past, ReasonCode, round_robin, swiss_round
from leagues.pairing import Round as Drawn
from leagues.standings.queries import (
    StandingsBasis,
    enrolments_of,
    has_sides,
    merged_of,
    standings_basis,
)
from leagues.standings.tallies import RulesVersion

# States of fixtures that count as meetings: neither forfeited nor void.
MET_STATES = (Fixture.State.OPEN, Fixture.State.POSTPONED, Fixture.State.PLAYED)


def min_seats(league: League) -> int:
    """Return the smallest allowed table for remaining players: one seat less than a full one.

    Tables of two and tables of partners must be full.
    """
    if league.seats == 2 or has_sides(league):
        return league.seats
    possible = [seats for seats in games[league.game].seat_counts(league.rules) if seats > 1]
    return max(min(possible), league.seats - 1)


def draw_rounds(
    league: League, seed: Seed, *, attempt: int, rounds: int | None = None
) -> tuple[Drawn, ...]:
    """Draw all rounds of a round robin among the active members. Raises `PairingError`.

    `rounds` is a number of rounds in which some need not meet.
    """
    gone = _deleted_players(league)
    entered = [
        enrolment.player
        for enrolment in enrolments_of(league)
        if enrolment.left_at is None and enrolment.player not in gone
    ]
    return round_robin(
        entered,
        chance=seed.chance(f"round_robin/{attempt}"),
        seats=league.seats,
        legs=league.rounds_planned or 1,
        fewest=min_seats(league),
        sides=has_sides(league),
        rounds=rounds,
    )


def draw_swiss(league: League, number: int, *, absent: Collection[int] = ()) -> Drawn:
    """Draw a round among all active members but the `absent`. Raises `PairingError`."""
    basis = standings_basis(league)
    away = _deleted_players(league) | set(absent)
    among = {entry.player for entry in basis.entries if not entry.withdrawn} - away
    return _swiss(league, basis, number, among=among)


def redraw_swiss(league: League, basis: StandingsBasis, number: int) -> Drawn:
    """Draw round `number` again for the same players with other past results."""
    drawn = next(drawn for drawn in basis.rounds if drawn.number == number)
    players = drawn.seated | drawn.void | drawn.byes
    return _swiss(league, basis.before_round(number, players), number, among=players)


def drawn_elsewhere(league: League) -> set[int]:
    """Return the numbers of the rounds that a file brought in."""
    fixtures = Fixture.objects.filter(round__league=league)
    return {
        number
        for number, reasons in fixtures.values_list("round__number", "reasons")
        if any(reason.get("code") == ReasonCode.DRAWN_ELSEWHERE for reason in reasons)
    }


def _swiss(league: League, basis: StandingsBasis, number: int, *, among: Collection[int]) -> Drawn:
    entrants = [
        Entrant(player=row.player, score=row.score, place=row.place)
        for row in basis.rows()
        if row.player in among
    ]
    return swiss_round(
        entrants,
        number=number,
        chance=basis.seed.chance(f"swiss/{number}"),
        seats=league.seats,
        fewest=min_seats(league),
        sides=has_sides(league),
        past=past_of(league, below=number),
    )


def _deleted_players(league: League) -> set[int]:
    """Return people whose account was deleted. They keep their place but are not paired.

    Some are members only by a guest who was merged into them.
    """
    members = Player.objects.filter(memberships__league=league)
    persons = members.values_list(Coalesce("merged_into", "pk"))
    deleted = Player.objects.filter(pk__in=persons, left_at__isnull=False)
    return set(deleted.values_list("pk", flat=True))


def past_of(league: League, *, below: int) -> Past:
    rounds = Round.objects.filter(league=league, number__lt=below).order_by("number")
    keys = [bye["player"] for drawn_round in rounds for bye in drawn_round.byes]
    merged = merged_of(keys)
    matches = fixtures_of(
        league, numbers=[drawn_round.number for drawn_round in rounds], states=MET_STATES
    )
    byes = [merged.get(key, key) for key in keys]
    free = None
    if league.standings_rules == RulesVersion.CURRENT:
        free = [*byes, *_forfeits_won(league, below=below)]
    return Past(matches, byes, sides=has_sides(league), free_rounds=free)


def _forfeits_won(league: League, *, below: int) -> list[int]:
    """Return who won by forfeit in these rounds, once for each time."""
    won = Place.objects.filter(
        place=1,
        result__league=league,
        result__match__origin=Match.Origin.FORFEIT,
        result__match__fixture__round__number__lt=below,
    )
    return list(won.values_list("player", flat=True))


def fixtures_of(
    league: League, *, numbers: Iterable[int], states: Sequence[str] | None
) -> list[tuple[int, ...]]:
    """Return the players by seat of the fixtures of these rounds, with one query."""
    seats = FixtureSeat.objects.filter(
        fixture__round__league=league, fixture__round__number__in=list(numbers)
    )
    if states is not None:
        seats = seats.filter(fixture__state__in=states)
    players_by_fixture: dict[int, list[int]] = {}
    ordered = seats.order_by("fixture__round__number", "fixture__number", "number")
    for fixture, player, merged in ordered.values_list("fixture", "player", "player__merged_into"):
        players_by_fixture.setdefault(fixture, []).append(merged or player)
    return [tuple(players) for players in players_by_fixture.values()]
