"""What another sheet for a match would bring: its places instead of those that count now."""

from __future__ import annotations

from leagues.counting import pools
from leagues.counting.previews import (
    Consequences,
    RatingChange,
    StandingChange,
    rating_changes,
    standing_changes,
)
from leagues.counting.results import counts_for_site, places_of
from leagues.counting.standing import Basis, basis_of, placing_of
from leagues.games import Judgement
from leagues.models import Match, Place, Result, Sheet
from leagues.ratings import Outcome


def consequences(match: Match, judgement: Judgement | None, *, waits: bool = False) -> Consequences:
    """What moves where this judgement counts for the match instead of what counts now.

    None: where nothing counts for it any more. `waits`: it is to be confirmed first; the
    consequences are those once it is. Nothing is written.
    """
    result, places = supposed(match, judgement)
    return Consequences(
        standings=_standings(match, result, places),
        ratings=_ratings(match, result, places),
        waits=waits,
    )


def supposed(match: Match, judgement: Judgement | None) -> tuple[Result, list[Place]]:
    """The result and the places that the judgement would bring, in memory only."""
    sheet = Sheet(
        match=match,
        points=list(judgement.points) if judgement else [],
        places=list(judgement.places) if judgement else [],
    )
    result = Result(
        match=match,
        sheet=sheet,
        league=match.league,
        game=match.game,
        site=counts_for_site(match),
        rated=match.rated and match.origin != Match.Origin.FORFEIT,
        played_at=match.played_at,
    )
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
    sides: dict[int, tuple[list[int], int]] = {}
    for place in places:
        sides.setdefault(place.side, ([], place.place))[0].append(place.player_id)
    present = Result.objects.filter(match=match).values_list("pk", flat=True).first()
    corrected = pools.outcome(present or 0, sides) if places else None

    def change(outcome: Outcome) -> Outcome | None:
        return corrected if outcome.match == present else outcome

    added = [corrected] if corrected and present is None else []
    return tuple(
        moved
        for pool in pools.of_result(result)
        for moved in rating_changes(pool, pools.point_of(result), change, added)
    )
