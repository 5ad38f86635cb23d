"""Draws of rounds from database rows: loads players and past meetings, and computes the
pairings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from django.db.models.functions import Coalesce

from fairness import Seed
from leagues.exceptions import FixtureGone
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, Place, Player, Round
from leagues.pairing import Entrant, Past, ReasonCode, round_robin, swiss_round
from leagues.pairing import PairedRound as Drawn
from leagues.pairing.costs import Meetings
from leagues.pairing.rounds import pair_key
from leagues.standings.queries import (
    StandingsBasis,
    enrolments_of,
    has_sides,
    merged_of,
    standings_basis,
)
from leagues.standings.tallies import RulesVersion

# States of fixtures whose players count as having met. Forfeited and void fixtures do not count.
MET_STATES = (Fixture.State.OPEN, Fixture.State.POSTPONED, Fixture.State.PLAYED)


def min_seats(league: League) -> int:
    """Return the smallest allowed number of players at a table if players do not fill all tables.

    This is one player less than at a full table. Tables of two and tables with partners must be
    full.
    """
    if league.seats == 2 or has_sides(league):
        return league.seats
    possible = [seats for seats in games[league.game].seat_counts(league.rules) if seats > 1]
    return max(min(possible), league.seats - 1)


def draw_rounds(
    league: League, seed: Seed, *, attempt: int, rounds: int | None = None
) -> tuple[Drawn, ...]:
    """Draw all rounds of a round robin among the active members. Raises `PairingError`.

    If `rounds` is given, exactly this number of rounds is drawn, and some players may not meet.
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


@dataclass(frozen=True, kw_only=True)
class SwissField:
    """The players to pair in a Swiss round, and all data on which the draw depends.

    `fewest` is the smallest allowed number of players at a table.
    """

    number: int
    entrants: tuple[Entrant, ...]
    past: Past
    seats: int
    fewest: int
    sides: bool
    seed: Seed

    @property
    def players(self) -> frozenset[int]:
        return frozenset(entrant.player for entrant in self.entrants)

    def draw(self, among: Collection[int] | None = None) -> Drawn:
        """Draw the round for all players, or only for the players in `among`.

        Raises `PairingError`.
        """
        return swiss_round(
            [entrant for entrant in self.entrants if among is None or entrant.player in among],
            number=self.number,
            chance=self.seed.chance(f"swiss/{self.number}"),
            seats=self.seats,
            fewest=self.fewest,
            sides=self.sides,
            past=self.past,
        )


def swiss_field(league: League, number: int, *, absent: Collection[int] = ()) -> SwissField:
    """Return the data for drawing the next Swiss round of all active members, except the
    `absent`.
    """
    basis = standings_basis(league)
    away = _deleted_players(league) | set(absent)
    among = {entry.player for entry in basis.entries if not entry.withdrawn} - away
    return _field(league, basis, number, among=among)


def field_of_round(league: League, basis: StandingsBasis, number: int) -> SwissField:
    """Return the data for drawing a Swiss round again that has been drawn already.

    It contains the players of this round and the results of earlier rounds. Raises `FixtureGone` if
    the draw of the round was undone meanwhile.
    """
    drawn = next((drawn for drawn in basis.rounds if drawn.number == number), None)
    if drawn is None:
        raise FixtureGone(league.slug)
    players = drawn.seated | drawn.void | drawn.byes
    return _field(league, basis.before_round(number, players), number, among=players)


def draw_swiss(league: League, number: int, *, absent: Collection[int] = ()) -> Drawn:
    """Draw the next Swiss round for all active members except the `absent`.

    Raises `PairingError`.
    """
    return swiss_field(league, number, absent=absent).draw()


def redraw_swiss(league: League, basis: StandingsBasis, number: int) -> Drawn:
    """Draw round `number` again for the same players, with different results of earlier rounds."""
    return field_of_round(league, basis, number).draw()


def drawn_elsewhere(league: League) -> set[int]:
    """Return the numbers of the rounds that another program drew and that were imported from
    a file.
    """
    fixtures = Fixture.objects.filter(round__league=league)
    return {
        number
        for number, reasons in fixtures.values_list("round__number", "reasons")
        if any(reason.get("code") == ReasonCode.DRAWN_ELSEWHERE for reason in reasons)
    }


def _field(
    league: League, basis: StandingsBasis, number: int, *, among: Collection[int]
) -> SwissField:
    return SwissField(
        number=number,
        entrants=tuple(
            Entrant(player=row.player, score=row.score, place=row.place)
            for row in basis.rows()
            if row.player in among
        ),
        past=past_of(league, below=number),
        seats=league.seats,
        fewest=min_seats(league),
        sides=has_sides(league),
        seed=basis.seed,
    )


def meetings_of(league: League, *, below: int) -> Meetings:
    """Return the earlier rounds in which two players were opponents or partners, with one query."""
    seats = FixtureSeat.objects.filter(
        fixture__round__league=league,
        fixture__round__number__lt=below,
        fixture__state__in=MET_STATES,
    )
    tables: dict[tuple[int, int], list[int]] = {}
    columns = ("fixture__round__number", "fixture", "player", "player__merged_into")
    for number, fixture, player, merged in seats.values_list(*columns):
        tables.setdefault((number, fixture), []).append(merged or player)
    rounds: dict[tuple[int, int], list[int]] = {}
    for (number, _fixture), players in sorted(tables.items()):
        for one, other in combinations(players, 2):
            rounds.setdefault(pair_key(one, other), []).append(number)
    return {pair: tuple(numbers) for pair, numbers in rounds.items()}


def left_players(league: League) -> set[int]:
    """Return players who have left the league or whose account was deleted."""
    left = {each.player for each in enrolments_of(league) if each.left_at is not None}
    return left | _deleted_players(league)


def _deleted_players(league: League) -> set[int]:
    """Return members whose account was deleted. They keep their place but are not paired any more.

    A person may be a member only through a guest who was merged into that person.
    """
    members = Player.objects.filter(memberships__league=league)
    persons = members.values_list(Coalesce("merged_into", "pk"))
    deleted = Player.objects.filter(pk__in=persons, left_at__isnull=False)
    return set(deleted.values_list("pk", flat=True))


def past_of(league: League, *, below: int) -> Past:
    rounds = Round.objects.filter(league=league, number__lt=below).order_by("number")
    keys = [bye["player"] for round_ in rounds for bye in round_.byes]
    merged = merged_of(keys)
    matches = fixtures_of(league, numbers=[round_.number for round_ in rounds], states=MET_STATES)
    byes = [merged.get(key, key) for key in keys]
    free = None
    if league.standings_rules == RulesVersion.CURRENT:
        free = [*byes, *_forfeits_won(league, below=below)]
    return Past(matches, byes, sides=has_sides(league), free_rounds=free)


def _forfeits_won(league: League, *, below: int) -> list[int]:
    """Return the players who won by forfeit in rounds with a number below `below`.

    A player is included once for each such win.
    """
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
    """Return the players of each fixture of these rounds in the order of their seats, with
    one query.
    """
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
