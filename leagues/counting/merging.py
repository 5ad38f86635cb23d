"""One person under two names: what is derived of them put on one, and back again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterable, Sequence

from django.db.models import Q

from leagues.counting import pools
from leagues.counting.previews import (
    Consequences,
    RatingChange,
    StandingChange,
    rating_changes,
    standing_changes,
)
from leagues.counting.results import touch
from leagues.counting.standing import basis_of
from leagues.models import League, Match, MatchSeat, Member, Merge, Place, Player, Pool, Result
from leagues.ratings import Outcome


def repoint(players: Sequence[int], *, at: dt.datetime) -> None:
    """Let each of these players point to who answers for them by the merges in force.

    Places follow, and every pool with one of their results is counted anew from the first.
    To be called in a transaction; it is all that a merge and its undoing are.
    """
    kept = dict(Merge.objects.filter(undone_at=None).values_list("absorbed", "kept"))
    for key in players:
        root = _root(key, kept)
        Player.objects.filter(pk=key).update(merged_into=None if root == key else root)
    seats = MatchSeat.objects.filter(player__in=players)
    results = list(
        Result.objects.filter(match__seats__in=seats).distinct().select_related("league")
    )
    affected = _pools(results)
    placed = _placed(results)
    _place_anew(results)
    also = placed | _placed(results)
    for league in leagues_of(players):
        touch(league)  # leagues are held before pools, as everywhere
    for pool, point in affected:
        pools.count_from(pool, point, at=at, also=also)


def held_people(keys: Sequence[int]) -> dict[int, Player]:
    """These players, held until the transaction ends, with all that is derived from them.

    Leagues first, then matches, then people: the order in which a confirmation takes them.
    """
    names = Q(player__in=keys) | Q(player__merged_into__in=keys)
    leagues = [league.pk for league in leagues_of(keys)]
    list(League.objects.select_for_update(no_key=True).filter(pk__in=leagues).order_by("pk"))
    seated = MatchSeat.objects.filter(names).values("match")
    list(Match.objects.select_for_update(no_key=True).filter(pk__in=seated).order_by("pk"))
    rows = Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
    return {row.pk: row for row in rows}


def _root(key: int, kept: dict[int, int]) -> int:
    while key in kept:
        key = kept[key]
    return key


def leagues_of(players: Sequence[int]) -> list[League]:
    """The leagues in which any of these players is, or has results."""
    member = Member.objects.filter(player__in=players).values("league")
    seated = MatchSeat.objects.filter(player__in=players).values("match__league")
    return list(League.objects.filter(Q(pk__in=member) | Q(pk__in=seated)).order_by("pk"))


def _pools(results: Iterable[Result]) -> list[tuple[Pool, pools.Point]]:
    """The pools with any of these results, leagues first, and the first such result of each."""
    found: dict[int, tuple[Pool, pools.Point]] = {}
    for result in sorted(results, key=pools.point_of):
        for pool in pools.of_result(result):
            found.setdefault(pool.pk, (pool, pools.point_of(result)))
    return sorted(found.values(), key=lambda one: (one[0].league_id is None, one[0].pk))


def _placed(results: Iterable[Result]) -> set[int]:
    return set(Place.objects.filter(result__in=results).values_list("player", flat=True))


def _place_anew(results: Sequence[Result]) -> None:
    """Write into each place who answers for its seat today."""
    places = list(Place.objects.filter(result__in=results).select_related("result"))
    seats = MatchSeat.objects.filter(match__result__in=results).select_related("player")
    person = {(seat.match_id, seat.number): seat.player.person_id for seat in seats}
    for place in places:
        place.player_id = person[place.result.match_id, place.seat]
    Place.objects.bulk_update(places, ["player"], batch_size=500)


def merge_consequences(
    absorbed: Player, kept: Player, among: Collection[int] | None = None
) -> Consequences:
    """What moves where one player is merged into another; nothing is written.

    `among`: the leagues, by number, of which is told; None: all.
    """
    old, new = absorbed.person_id, kept.person_id
    standings: list[StandingChange] = []
    for league in leagues_of([old]):
        if among is not None and league.pk not in among:
            continue
        before = basis_of(league)
        standings += standing_changes(before, before.renamed(old, new))
    return Consequences(standings=tuple(standings), ratings=_ratings(old, new, among))


def _ratings(old: int, new: int, among: Collection[int] | None) -> tuple[RatingChange, ...]:
    results = Result.objects.filter(placings__player=old).distinct().select_related("league")
    return tuple(
        change
        for pool, point in _pools(results)
        if among is None or pool.league_id is None or pool.league_id in among
        for change in rating_changes(pool, point, _renaming(old, new))
    )


def _renaming(old: int, new: int) -> Callable[[Outcome], Outcome | None]:
    def change(outcome: Outcome) -> Outcome:
        sides = tuple(
            tuple(new if player == old else player for player in side) for side in outcome.sides
        )
        return Outcome(match=outcome.match, sides=sides, places=outcome.places)

    return change
