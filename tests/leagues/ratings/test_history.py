"""However the results of a league came about, ratings and standings equal a calculation from
scratch.
"""

import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from leagues.matches.consequences import correction_consequences
from leagues.matches.operations.corrections import (
    correct_match,
    dispute_match,
    preview_correction,
    restore_version,
    void_match,
)
from leagues.members.operations.merging import merge_players, preview_merge, undo_merge
from leagues.models import League, Match, Place, Player, Pool, Rating, RatingStep
from leagues.ratings import pools
from leagues.ratings.calculation import displayed_rating
from leagues.ratings.pools import rating_differences
from leagues.standings.queries import standings_basis
from leagues.standings.ranking import StandingsRow
from tests.databases import rolled_back, written_again
from tests.leagues import world
from tests.leagues.world import NOW
from tests.properties import FULL

pytestmark = pytest.mark.django_db(transaction=False)

MINUTE = dt.timedelta(minutes=1)
SIZE = 6
OFFICE = "organiser"


def derived_rows() -> dict[str, Any]:
    """Return all derived data, without row ids."""
    return {
        "places": sorted(
            Place.objects.values_list("result__match", "player", "seat", "place", "points")
        ),
        "ratings": sorted(
            Rating.objects.values_list("game", "player", "mu", "sigma", "ordinal", "matches"),
        ),
        "pools": sorted(Rating.objects.values_list("league__slug", "player"), key=str),
        "steps": [
            (match, league, player, mu, sigma)
            for match, league, player, mu, sigma in sorted(
                RatingStep.objects.values_list(
                    "result__match", "league__slug", "player", "mu", "sigma"
                ),
                key=str,
            )
        ],
    }


def tables() -> dict[str, tuple[StandingsRow, ...]]:
    return {
        league.slug: standings_basis(league).rows() for league in League.objects.order_by("slug")
    }


def from_scratch() -> list[str]:
    return [str(found) for pool in Pool.objects.all() for found in rating_differences(pool)]


class Club:
    """A public league with three seats, its players, and matches played in any order."""

    def __init__(self) -> None:
        self.office = world.account(OFFICE)
        self.league = world.found_league(self.office, seats=3, visibility="public", plays=False)
        self.people = [world.account(f"player {number}") for number in range(SIZE)]
        for player in self.people:
            world.enter_league(self.league, player)
        self.guests = [self.guest(number) for number in range(2)]
        self.matches: list[Match] = []

    def guest(self, number: int) -> Player:
        from leagues.members.operations.membership import add_guest

        name = f"guest {number}"
        return add_guest(league=self.league, name=name, by=self.office, at=NOW).player

    def play(self, who: Sequence[Player], points: Sequence[int], minute: int) -> Match:
        match = world.played(self.league, who, points, at=NOW + minute * MINUTE)
        self.matches.append(match)
        return match

    def vouched_for(self, match: Match) -> Match:
        """Correct a result twice, so that it is confirmed by the organiser and not by a player."""
        assert match.sheet is not None
        first, *rest = match.sheet.points
        for points in ([first + 1, *rest], [first, *rest]):
            match = correct_match(
                match=match, version=match.version, by=self.office, at=NOW,
                content=world.score(*points), reason="I saw it.",
            )  # fmt: skip
        return match


@written_again
def new_club() -> Club:
    return Club()


# Each element of a history: the number of a shuffle that decides who plays, the points, and the
# minute of the match.
POINTS = st.tuples(st.integers(10, 30), st.integers(0, 30), st.integers(0, 9))
EVENING = st.lists(
    st.tuples(st.permutations(range(SIZE + 2)), POINTS, st.integers(0, 5)),
    min_size=2,
    max_size=8 if FULL else 4,
)
QUICK = settings(
    max_examples=8,
    deadline=None,
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@contextmanager
def history(evening: list[tuple[list[int], tuple[int, int, int], int]]) -> Iterator[Club]:
    """Create a club with these matches, which is rolled back at the end."""
    with rolled_back():
        club = new_club()
        everybody = [*club.people, *club.guests]
        for order, points, minute in evening:
            club.play([everybody[number] for number in order[:3]], points, minute)
        yield club


@pytest.mark.nightly_on("postgresql")
@pytest.mark.slow
@QUICK
@given(EVENING, st.data())
def test_ratings_after_any_change_equal_a_calculation_from_scratch(
    evening: Any, data: st.DataObject
) -> None:
    """One history is used for all kinds of changes, because playing the matches takes longest."""
    check_history(evening, data)


@pytest.mark.nightly
@settings(QUICK, max_examples=50)
@given(EVENING, st.data())
def test_ratings_of_many_histories_equal_a_calculation_from_scratch(
    evening: Any, data: st.DataObject
) -> None:
    check_history(evening, data)


def check_history(evening: Any, data: st.DataObject) -> None:
    with history(evening) as club:
        assert from_scratch() == [], "confirmed in any order, counted as played"
        for check in (
            check_a_correction_is_as_if_it_had_been_handed_in,
            check_a_version_restored_brings_everything_back,
            check_a_void_or_disputed_match_has_never_been,
            check_a_merge_undone_leaves_no_trace,
        ):
            with rolled_back():
                check(club, data)


def any_match(club: Club, data: st.DataObject) -> Match:
    drawn = data.draw(st.sampled_from(club.matches))
    return Match.objects.get(pk=drawn.pk)


def other_points(match: Match, data: st.DataObject) -> list[int]:
    """Draw points that differ from those of the match, because a correction must change
    something.
    """
    return data.draw(
        POINTS.map(list).filter(lambda points: world.score(*points) != sheet_content(match))
    )


def sheet_content(match: Match) -> object:
    return match.sheet.content if match.sheet is not None else None


def check_a_correction_is_as_if_it_had_been_handed_in(club: Club, data: st.DataObject) -> None:
    match = any_match(club, data)
    points = other_points(match, data)
    before, rated = tables(), shown_ratings()
    foreseen = preview_correction(match=match, content=world.score(*points), by=club.office)
    assert (tables(), shown_ratings()) == (before, rated), "a preview writes nothing"
    correct_match(
        match=match, version=match.version, by=club.office, at=NOW,
        content=world.score(*points), reason="Read wrongly.",
    )  # fmt: skip
    assert from_scratch() == []
    check_foreseen(foreseen, before, rated)


def check_a_version_restored_brings_everything_back(club: Club, data: st.DataObject) -> None:
    match = club.vouched_for(any_match(club, data))
    before = derived_rows()
    match = correct_match(
        match=match, version=match.version, by=club.office, at=NOW,
        content=world.score(*other_points(match, data)), reason="Read wrongly.",
    )  # fmt: skip
    restore_version(
        match=match,
        version=match.version,
        by=club.office,
        at=NOW,
        number=1,
        reason="Right.",
    )
    assert derived_rows() == before
    assert [sheet.number for sheet in match.sheets.all()] == [1, 2, 3, 4, 5], (
        "every version is kept"
    )


def check_a_void_or_disputed_match_has_never_been(club: Club, data: st.DataObject) -> None:
    match = any_match(club, data)
    before, rated = tables(), shown_ratings()
    foreseen = correction_consequences(match, None, by=None)
    if data.draw(st.booleans()):
        void_match(match=match, version=match.version, by=club.office, at=NOW, reason="Day.")
    else:
        dispute_match(match=match, version=match.version, by=club.office, at=NOW, reason="Day.")
    assert not Place.objects.filter(result__match=match).exists()
    assert from_scratch() == []
    check_foreseen(foreseen, before, rated)


def check_a_merge_undone_leaves_no_trace(club: Club, data: st.DataObject) -> None:
    guest = club.guests[0]
    kept = next((p for p in club.people if not together(p, guest)), None)
    if kept is None:
        return
    before, stood, rated = derived_rows(), tables(), shown_ratings()
    foreseen = preview_merge(absorbed=guest, kept=kept)
    merge = merge_players(absorbed=guest, kept=kept, by=club.office, at=NOW)
    assert not Place.objects.filter(player=guest).exists()
    assert not Rating.objects.filter(player=guest).exists()
    assert from_scratch() == []
    check_foreseen(foreseen, stood, rated)
    undo_merge(merge=merge, by=kept, at=NOW)
    assert derived_rows() == before
    assert tables() == stood


def together(one: Player, other: Player) -> bool:
    return Match.objects.filter(seats__player=one).filter(seats__player=other).exists()


Ratings = dict[tuple[str, int], Any]


def shown_ratings() -> Ratings:
    return {
        (row.league.slug if row.league else "", row.player_id): displayed_rating(row.mu, row.sigma)
        for row in Rating.objects.select_related("league")
    }


def check_foreseen(
    foreseen: Any, stood: dict[str, tuple[StandingsRow, ...]], rated: Ratings
) -> None:
    """Check that exactly the previewed standings and ratings have changed."""
    (slug,) = stood
    old, new = ({row.player: row for row in rows[slug]} for rows in (stood, tables()))
    moved = {p: (old.get(p), new.get(p)) for p in old | new if old.get(p) != new.get(p)}
    assert {c.player.pk: (c.before, c.after) for c in foreseen.standings} == moved
    now = shown_ratings()
    changed = {k: (rated.get(k), now.get(k)) for k in rated | now if rated.get(k) != now.get(k)}
    assert changed == {
        (c.league.slug if c.league else "", c.player.pk): (c.before, c.after)
        for c in foreseen.ratings
    }


@pytest.mark.slow
def test_large_outdated_pool_is_recounted_by_the_worker(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from leagues.models import Recount

    monkeypatch.setattr(pools, "MAX_INLINE_RESULTS", 3)
    club = Club()
    for minute in range(6, 0, -1):  # each match is earlier, so all later ratings change
        club.play(club.people[:3], (10, minute, 0), minute)
    assert set(Pool.objects.values_list("stale", flat=True)) == {True}
    waiting = Recount.objects.sweep(at=NOW)
    assert len(waiting) == 2, "one a pool, however often it was asked for"
    for key in waiting:
        assert pools.run_recount(key, clock=lambda: NOW)
        assert not pools.run_recount(key, clock=lambda: NOW), "it is over"
    assert set(Pool.objects.values_list("stale", flat=True)) == {False}
    assert {(row.done, row.total, row.error) for row in Recount.objects.all()} == {(6, 6, "")}
    assert from_scratch() == []
