"""What another sheet for a match would bring: its places instead of those that count now."""

from __future__ import annotations

from copy import copy

from leagues.counting import drawing, pools
from leagues.counting.previews import (
    Consequences,
    RatingChange,
    Repairing,
    StandingChange,
    rating_changes,
    standing_changes,
)
from leagues.counting.results import places_of, result_of
from leagues.counting.standing import Basis, basis_of, placing_of
from leagues.games import Judgement
from leagues.models import Fixture, League, Match, Place, Player, Pool, Result, Round, Sheet
from leagues.queries.people import persons
from leagues.ratings import Outcome


def consequences(
    match: Match, judgement: Judgement | None, *, by: Player | None, waits: bool = False
) -> Consequences:
    """What moves where this judgement counts for the match instead of what counts now.

    None: where nothing counts for it any more. `by` would vouch for it. `waits`: it is to be
    confirmed first; the consequences are those once it is. Nothing is written.
    """
    result, places = supposed(match, judgement, by)
    ratings = _ratings(match, result, places)
    return Consequences(
        standings=_standings(match, result, places),
        ratings=tuple(one for one in ratings if one.before != one.after),
        steady=tuple(one for one in ratings if one.before == one.after),
        pairings=_pairings(match, result, places),
        waits=waits,
    )


def supposed(
    match: Match, judgement: Judgement | None, by: Player | None
) -> tuple[Result, list[Place]]:
    """The result and the places that the judgement would bring, in memory only."""
    then = copy(match)
    then.confirmed_by = by
    then.sheet = Sheet(
        match=match,
        points=list(judgement.points) if judgement else [],
        places=list(judgement.places) if judgement else [],
    )
    result = result_of(then)
    return result, places_of(result, match) if judgement else []


def changed_basis(match: Match, result: Result, places: list[Place]) -> tuple[Basis, Basis]:
    """What the standings of the match's league are reckoned from, before and after."""
    if match.league is None:
        raise ValueError(f"Match {match.pk} is in no league.")
    before = basis_of(match.league)
    after = before.with_places(match.pk, [placing_of(place, result) for place in places])
    return before, after


def _standings(match: Match, result: Result, places: list[Place]) -> tuple[StandingChange, ...]:
    if match.league is None:
        return ()
    return standing_changes(*changed_basis(match, result, places))


def _ratings(match: Match, result: Result, places: list[Place]) -> tuple[RatingChange, ...]:
    """The ratings that move, and those of who sat at the match that do not."""
    sides: dict[int, tuple[list[int], int]] = {}
    for place in places:
        sides.setdefault(place.side, ([], place.place))[0].append(place.player_id)
    present = Result.objects.filter(match=match).select_related("league").first()
    key = present.pk if present else 0
    corrected = pools.outcome(key, sides) if places else None
    counting = pools.of_result(present) if present else []
    to_count = pools.of_result(result) if corrected else []
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
    pool: Pool, point: pools.Point, key: int, corrected: Outcome | None, *, counted: bool
) -> tuple[RatingChange, ...]:
    """What moves in one pool, which counts the result now (`counted`) or would then, or both."""

    def change(outcome: Outcome) -> Outcome | None:
        return corrected if outcome.match == key else outcome

    added = [corrected] if corrected and not counted else []
    seated = {player for side in corrected.sides for player in side} if corrected else set()
    return rating_changes(pool, point, change, added, also=seated)


def _pairings(match: Match, result: Result, places: list[Place]) -> tuple[Repairing, ...]:
    """The matches of later Swiss rounds that would not have been drawn as they were."""
    if match.league is None or match.fixture is None:
        return ()
    if match.league.format != League.Format.SWISS:
        return ()
    bases = changed_basis(match, result, places)
    later = Round.objects.filter(league=match.league, number__gt=match.fixture.round.number)
    return tuple(
        change
        for number in later.order_by("number").values_list("number", flat=True)
        for change in _round_changes(match.league, bases, number)
    )


def _round_changes(
    league: League, bases: tuple[Basis, Basis], number: int
) -> tuple[Repairing, ...]:
    before, after = (
        {frozenset(pairing.seats): pairing.seats for pairing in drawn.pairings}
        for drawn in (drawing.redraw_swiss(league, basis, number) for basis in bases)
    )
    if before.keys() == after.keys():
        return ()
    gone = [
        fixture
        for fixture in Fixture.objects.filter(round__league=league, round__number=number)
        .select_related("match")
        .prefetch_related("seats__player__merged_into")
        if frozenset(_persons(fixture)) not in after
    ]
    names = persons(player for seats in after.values() for player in seats)
    return tuple(_repairing(fixture, number, list(after.values()), names) for fixture in gone)


def _persons(fixture: Fixture) -> list[int]:
    return [seat.player.person_id for seat in fixture.seats.all()]


def _repairing(
    fixture: Fixture, number: int, drawn: list[tuple[int, ...]], names: dict[int, Player]
) -> Repairing:
    players = [seat.player.merged_into or seat.player for seat in fixture.seats.all()]
    instead = next((seats for seats in drawn if players[0].pk in seats), ())
    begun = getattr(fixture, "match", None)
    return Repairing(
        round=number,
        players=tuple(players),
        instead=tuple(names[player] for player in instead),
        played=fixture.state == Fixture.State.PLAYED or begun is not None,
    )
