"""Consequences of a correction or merge for standings, ratings and pairings. Nothing is saved.

A correction replaces the places of one match. A merge replaces one player by another in all
matches. The preview uses the same calculations as the change itself.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from dataclasses import dataclass

from leagues import draws
from leagues.games import Judgement
from leagues.members_read.queries import players_by_id
from leagues.models import (
    Fixture,
    League,
    Match,
    Place,
    Player,
    Pool,
    RatingStep,
    Result,
    Round,
    Sheet,
)
from leagues.ratings import calculation, pools
from leagues.ratings.calculation import DisplayedRating, RatedOutcome, Skill
from leagues.results import places_from_sheet, result_of
from leagues.standings.queries import StandingsBasis, placing_of, standings_basis
from leagues.standings.ranking import StandingsRow


@dataclass(frozen=True, kw_only=True)
class StandingChange:
    """A player's row of the standings before and after a change, None if it does not exist."""

    player: Player
    before: StandingsRow | None
    after: StandingsRow | None


@dataclass(frozen=True, kw_only=True)
class RatingChange:
    """A player's rating before and after a change, None if there is no rating.

    `league` is None for ratings of the site.
    """

    player: Player
    league: League | None
    before: DisplayedRating | None
    after: DisplayedRating | None


@dataclass(frozen=True, kw_only=True)
class PairingChange:
    """A match of a later round that would be paired differently after the change.

    `players` are the present players by seat. `instead` are the players that the draw would give it
    now, empty if the match would not exist. `played` means that the match has begun, so it is not
    paired again.
    """

    round: int
    players: tuple[Player, ...]
    instead: tuple[Player, ...]
    played: bool


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Changes that would follow from a correction or merge.

    `steady` are the unchanged ratings of players of the match. `waits` means that a second player
    would have to confirm the match, which would not count until then.
    """

    standings: tuple[StandingChange, ...] = ()
    ratings: tuple[RatingChange, ...] = ()
    steady: tuple[RatingChange, ...] = ()
    pairings: tuple[PairingChange, ...] = ()
    waits: bool = False

    @property
    def rated(self) -> tuple[RatingChange, ...]:
        return (*self.ratings, *self.steady)

    @property
    def empty(self) -> bool:
        return not (self.standings or self.ratings or self.pairings)


def standing_changes(before: StandingsBasis, after: StandingsBasis) -> tuple[StandingChange, ...]:
    old = {row.player: row for row in before.rows()}
    new = {row.player: row for row in after.rows()}
    moved = [player for player in {**new, **old} if old.get(player) != new.get(player)]
    names = players_by_id(moved)
    return tuple(
        StandingChange(player=names[player], before=old.get(player), after=new.get(player))
        for player in moved
    )


# Function that returns a result as it would be after the change, or None if the result would no
# longer count.
Change = Callable[[RatedOutcome], RatedOutcome | None]


def rating_changes(
    pool: Pool,
    point: pools.HistoryPoint,
    change: Change,
    added: Iterable[RatedOutcome] = (),
    *,
    also: Collection[int] = (),
) -> tuple[RatingChange, ...]:
    """Return the ratings of a pool that change if results change from a point of its history on.

    `added` are results that do not count yet and come first at that point. `also` are players whose
    ratings are returned even if they do not change.
    """
    later = pools.results_of_pool(pool).filter(pools.from_point(point))
    outcomes = pools.outcomes_of(later)
    changed = [*added, *(new for old in outcomes if (new := change(old)) is not None)]
    players = {
        player for outcome in [*outcomes, *changed] for side in outcome.sides for player in side
    }
    start = skills_before(pool, point, players)
    then, _ = calculation.recount_ratings(changed, checkpoint=start)
    now = {rating.player_id: (rating.mu, rating.sigma) for rating in pools.ratings_of_pool(pool)}
    return _differences(pool, players, now, then.skills, also)


def skills_before(
    pool: Pool, point: pools.HistoryPoint, players: Iterable[int]
) -> dict[int, Skill]:
    earlier = Result.objects.exclude(pools.from_point(point))
    keys = pools.last_steps(
        pools.steps_of_pool(pool).filter(result__in=earlier, player__in=players)
    )
    taken = RatingStep.objects.filter(pk__in=keys).values_list("player", "mu", "sigma")
    return {player: Skill(mu, sigma) for player, mu, sigma in taken}


def _differences(
    pool: Pool,
    players: Iterable[int],
    now: Mapping[int, tuple[float, float]],
    then: Mapping[int, Skill],
    also: Collection[int],
) -> tuple[RatingChange, ...]:
    before = {
        player: calculation.displayed_rating(*now[player]) for player in players if player in now
    }
    after = {
        player: calculation.displayed_rating(skill.mu, skill.sigma)
        for player, skill in then.items()
    }
    keys = sorted(
        player for player in players if player in also or before.get(player) != after.get(player)
    )
    names = players_by_id(keys)
    return tuple(
        RatingChange(
            player=names[player],
            league=pool.league,
            before=before.get(player),
            after=after.get(player),
        )
        for player in keys
    )


def correction_consequences(
    match: Match, judgement: Judgement | None, *, by: Player | None, waits: bool = False
) -> Consequences:
    """Return what changes if this judgement replaces the present result of the match.

    If the judgement is None, the match no longer counts. `by` is the player who would confirm it.
    With `waits`, the match would be confirmed later, and the changes are those after confirmation.
    Nothing is saved.
    """
    result, places = hypothetical_result(match, judgement, by)
    ratings = _ratings(match, result, places)
    return Consequences(
        standings=standing_changes(*changed_basis(match, result, places)) if match.league else (),
        ratings=tuple(rating for rating in ratings if rating.before != rating.after),
        steady=tuple(rating for rating in ratings if rating.before == rating.after),
        pairings=_pairings(match, result, places),
        waits=waits,
    )


def hypothetical_result(
    match: Match, judgement: Judgement | None, by: Player | None
) -> tuple[Result, list[Place]]:
    then = copy(match)
    then.confirmed_by = by
    then.sheet = Sheet(
        match=match,
        points=list(judgement.points) if judgement else [],
        places=list(judgement.places) if judgement else [],
    )
    result = result_of(then)
    return result, places_from_sheet(result, match) if judgement else []


def changed_basis(
    match: Match, result: Result, places: list[Place]
) -> tuple[StandingsBasis, StandingsBasis]:
    if match.league is None:
        raise ValueError(f"Match {match.pk} is in no league.")
    before = standings_basis(match.league)
    after = before.with_places(match.pk, [placing_of(place, result) for place in places])
    return before, after


def _ratings(match: Match, result: Result, places: list[Place]) -> tuple[RatingChange, ...]:
    sides: dict[int, tuple[list[int], int]] = {}
    for place in places:
        sides.setdefault(place.side, ([], place.place))[0].append(place.player_id)
    present = Result.objects.filter(match=match).select_related("league").first()
    key = present.pk if present else 0
    corrected = pools.outcome(key, sides) if places else None
    counting = pools.pools_of_result(present) if present else []
    to_count = pools.pools_of_result(result) if corrected else []
    return tuple(
        moved
        for pool in dict.fromkeys([*counting, *to_count])
        for moved in _pool_changes(
            pool,
            pools.point_of(result),
            key,
            corrected if pool in to_count else None,
            counted=pool in counting,
        )
    )


def _pool_changes(
    pool: Pool,
    point: pools.HistoryPoint,
    key: int,
    corrected: RatedOutcome | None,
    *,
    counted: bool,
) -> tuple[RatingChange, ...]:
    """Return the changes in a pool that counts the result before the change (`counted`) or after
    it.
    """

    def change(outcome: RatedOutcome) -> RatedOutcome | None:
        return corrected if outcome.match == key else outcome

    added = [corrected] if corrected and not counted else []
    seated = {player for side in corrected.sides for player in side} if corrected else set()
    return rating_changes(pool, point, change, added, also=seated)


def _pairings(match: Match, result: Result, places: list[Place]) -> tuple[PairingChange, ...]:
    if match.league is None or match.fixture is None:
        return ()
    if match.league.format != League.Format.SWISS:
        return ()
    bases = changed_basis(match, result, places)
    later = Round.objects.filter(league=match.league, number__gt=match.fixture.round.number)
    later = later.exclude(number__in=draws.drawn_elsewhere(match.league))
    return tuple(
        change
        for number in later.order_by("number").values_list("number", flat=True)
        for change in _round_changes(match.league, bases, number)
    )


def _round_changes(
    league: League, bases: tuple[StandingsBasis, StandingsBasis], number: int
) -> tuple[PairingChange, ...]:
    before, after = (
        {frozenset(pairing.seats): pairing.seats for pairing in drawn.pairings}
        for drawn in (draws.redraw_swiss(league, basis, number) for basis in bases)
    )
    # Only fixtures of the computed draw are compared. A fixture that the computed draw did not
    # contain before the correction was changed by the organiser or paired by an earlier version of
    # the draw.
    lost = before.keys() - after.keys()
    if not lost:
        return ()
    gone = [
        fixture
        for fixture in Fixture.objects.filter(round__league=league, round__number=number)
        .select_related("match")
        .prefetch_related("seats__player__merged_into")
        if frozenset(seat.player.person_id for seat in fixture.seats.all()) in lost
    ]
    names = players_by_id(player for seats in after.values() for player in seats)
    return tuple(_pairing_change(fixture, number, list(after.values()), names) for fixture in gone)


def _is_begun(match: Match | None) -> bool:
    """Return whether more than an empty scoresheet has been saved for a match.

    An empty scoresheet may only have been printed.
    """
    if match is None or match.state == Match.State.VOID:
        return False
    return match.state != Match.State.DRAFT or match.draft is not None


def _pairing_change(
    fixture: Fixture, number: int, drawn: list[tuple[int, ...]], names: dict[int, Player]
) -> PairingChange:
    players = [seat.player.merged_into or seat.player for seat in fixture.seats.all()]
    instead = next((seats for seats in drawn if players[0].pk in seats), ())
    begun = getattr(fixture, "match", None)
    return PairingChange(
        round=number,
        players=tuple(players),
        instead=tuple(names[player] for player in instead),
        played=fixture.state == Fixture.State.PLAYED or _is_begun(begun),
    )
