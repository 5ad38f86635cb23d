"""Edge cases of ratings: which pool a result counts in, where a recount starts, and when results
are final.
"""

from __future__ import annotations

import datetime as dt

import pytest

from leagues import results
from leagues.fixtures.operations import forfeit_fixture
from leagues.matches.consequences import correction_consequences
from leagues.models import League, Match, Player, Pool, Rating, RatingStep, Recount, Result
from leagues.ratings import pools
from leagues.ratings.calculation import Skill
from leagues.ratings.pools import rating_differences
from leagues.ratings.queries import league_ratings
from tests.leagues import game, world
from tests.leagues.queries.crowd import TWIN, register_twin
from tests.leagues.world import HOUR, NOW

pytestmark = pytest.mark.django_db
SECOND = dt.timedelta(seconds=1)


@pytest.fixture
def people() -> list[Player]:
    return [world.account(name) for name in ("ana", "beto")]


@pytest.fixture
def clubs(people: list[Player]) -> dict[str, League]:
    """Create public leagues of two games and an unlisted league.

    Each has a rating pool beside those of the site.
    """
    register_twin()
    made = {
        "main": world.found_league(people[0], visibility="public", name="Main"),
        "other": world.found_league(people[0], visibility="public", name="Other"),
        "twin": world.found_league(people[0], visibility="public", name="Twin", game=TWIN),
        "link": world.found_league(people[0], visibility="link", name="Link"),
    }
    for league in made.values():
        world.enter_league(league, people[1])
    return made


@pytest.mark.slow
def test_each_rating_pool_counts_only_its_own_results(
    clubs: dict[str, League], people: list[Player]
) -> None:
    ana, beto = people
    main = world.played(clubs["main"], [ana, beto], [10, 4])
    other = world.played(clubs["other"], [beto, ana], [10, 4], at=NOW + HOUR)
    twin = world.played(clubs["twin"], [beto, ana], [10, 4], at=NOW + 2 * HOUR)
    link = world.played(clubs["link"], [beto, ana], [10, 4], at=NOW + 3 * HOUR)
    world.played(None, [ana, beto], [10, 4])  # without league, so in no pool

    def of(pool: Pool) -> tuple[list[int], int, int]:
        found = list(pools.results_of_pool(pool).values_list("match", flat=True))
        return found, pools.steps_of_pool(pool).count(), pools.ratings_of_pool(pool).count()

    assert of(pools.pool_of_league(clubs["main"])) == ([main.pk], 2, 2)
    assert of(pools.pool_of_league(clubs["other"])) == ([other.pk], 2, 2)
    assert of(pools.pool_of_league(clubs["twin"])) == ([twin.pk], 2, 2)
    assert of(pools.pool_of_league(clubs["link"])) == ([link.pk], 2, 2)
    assert of(pools.pool_of_site(game.KEY)) == ([main.pk, other.pk], 4, 2)
    assert of(pools.pool_of_site(TWIN)) == ([twin.pk], 2, 2)
    assert Pool.objects.count() == 6
    result = Result.objects.get(match=main)
    assert [pool.league for pool in pools.pools_of_result(result)] == [clubs["main"], None]
    result.site = False
    assert [pool.league for pool in pools.pools_of_result(result)] == [clubs["main"]]
    result.rated = False
    assert pools.pools_of_result(result) == []
    won = {key: shown.rating > 1500 for key, shown in league_ratings(clubs["main"]).items()}
    assert won == {ana.pk: True, beto.pk: False}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("point", "expected"),
    [
        (None, [0, 1, 2, 3]),
        ((0, 0), [0, 1, 2, 3]),
        ((1, 1), [1, 2, 3]),
        ((1, 2), [2, 3]),
        ((2, 3), [3]),
        ((2, 0), [3]),
        ((3, 0), []),
    ],
)
def test_rating_history_is_ordered_by_time_and_number(
    clubs: dict[str, League],
    people: list[Player],
    point: tuple[int, int] | None,
    expected: list[int],
) -> None:
    """The second and third match were played at the same time.

    `point` is a point in the history: the hour, and the number of the match.
    """
    matches = [
        world.played(clubs["main"], people, [10, number], at=NOW + hour * HOUR)
        for number, hour in enumerate((0, 1, 1, 2))
    ]
    wanted = point and pools.HistoryPoint(NOW + point[0] * HOUR, matches[point[1]].pk)
    found = pools.results_of_pool(pools.pool_of_league(clubs["main"])).filter(
        pools.from_point(wanted)
    )
    assert [row.match for row in found] == [matches[number] for number in expected]


def test_result_submitted_late_is_rated_at_its_time_of_play(
    clubs: dict[str, League], people: list[Player]
) -> None:
    ana, beto = people
    world.played(clubs["main"], [ana, beto], [10, 4], at=NOW + HOUR)
    first = world.played(clubs["main"], [beto, ana], [10, 4], at=NOW)
    steps = RatingStep.objects.filter(league=clubs["main"]).order_by("pk")
    order = list(steps.values_list("result__match", flat=True))
    assert order[:2] == [first.pk] * 2, "steps are numbered as history goes"
    assert Rating.objects.get(league=clubs["main"], player=ana).matches == 2
    assert world.faults() == []
    start = pools.skills(pools.pool_of_league(clubs["main"]), [ana.pk])
    assert start[ana.pk] == Skill(steps.filter(player=ana)[1].mu, steps.filter(player=ana)[1].sigma)


def test_rating_difference_names_stored_and_correct_value(
    clubs: dict[str, League], people: list[Player]
) -> None:
    world.played(clubs["main"], people, [10, 4])
    pool, ana = pools.pool_of_league(clubs["main"]), people[0]
    assert rating_differences(pool) == []
    Rating.objects.filter(league=clubs["main"], player=ana).update(matches=9)
    (found,) = rating_differences(pool)
    assert found.what == f"rating of player {ana.pk}"
    assert rating_differences(pools.pool_of_site(game.KEY)) == [], "of another pool"
    Rating.objects.filter(league=clubs["main"], player=ana).update(matches=1)
    RatingStep.objects.filter(league=clubs["main"], player=ana).update(sigma=1.0)
    (found,) = rating_differences(pool)
    assert f"step of player {ana.pk}" in str(found)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("league", "hours", "late", "final"),
    [
        (True, 24, -SECOND, False),
        (True, 24, dt.timedelta(0), True),
        (True, 0, dt.timedelta(0), True),
        (False, 72, -SECOND, False),
        (False, 72, dt.timedelta(0), True),
    ],
)
def test_hours_to_object_end_exactly_on_time(
    people: list[Player], league: bool, hours: int, late: dt.timedelta, final: bool
) -> None:
    office = world.account("office")
    where = world.found_league(office, hours_to_object=hours if league else 24)
    slow = world.found_league(office, hours_to_object=1000)
    for one in (where, slow):
        for player in people:
            world.enter_league(one, player)
    match = world.played(where if league else None, people, [10, 4])
    world.played(slow, people, [10, 4])
    waiting = world.handed_in(world.draft_match(where, people), people[0], world.score(10, 2))
    editions = dict(League.objects.values_list("pk", "edition"))
    assert results.finalise_due(at=NOW + hours * HOUR + late) == int(final)
    match.refresh_from_db()
    waiting.refresh_from_db()
    assert match.state == ("final" if final else "confirmed")
    assert waiting.state == "handed_in"
    assert Match.objects.filter(league=slow, state="confirmed").count() == 1
    after = dict(League.objects.values_list("pk", "edition"))
    assert after[where.pk] - editions[where.pk] == int(final and league)
    assert after[slow.pk] == editions[slow.pk]


def test_rating_pool_has_at_most_one_recount(
    clubs: dict[str, League], people: list[Player]
) -> None:
    world.played(clubs["main"], people, [10, 4])
    main, site = pools.pool_of_league(clubs["main"]), pools.pool_of_site(game.KEY)
    first = pools.request_recount(main, at=NOW)
    assert (first.total, first.done, first.asked_at) == (1, 0, NOW)
    assert pools.request_recount(main, at=NOW + HOUR) == first
    second = pools.request_recount(site, at=NOW)
    assert second != first
    assert pools.request_recount(pools.pool_of_league(clubs["other"]), at=NOW) not in (
        first,
        second,
    )
    assert len(Recount.objects.sweep(at=NOW)) == 3
    main.refresh_from_db()
    assert main.stale
    Recount.objects.filter(pk=first.pk).update(begun_at=NOW)
    later = NOW + Recount.LOST_AFTER
    assert pools.run_recount(first.pk, clock=lambda: later), "its worker is held to be dead"
    main.refresh_from_db()
    first.refresh_from_db()
    assert (main.stale, first.ended_at, first.done, first.error) == (False, later, 1, "")
    assert pools.request_recount(main, at=NOW) != first, "that one is over"


def test_outdated_pool_is_updated_only_by_its_worker(
    clubs: dict[str, League], people: list[Player]
) -> None:
    pool = pools.pool_of_league(clubs["main"])
    Pool.objects.filter(pk=pool.pk).update(stale=True)
    world.played(clubs["main"], people, [10, 4])
    assert not Rating.objects.filter(league=clubs["main"]).exists()
    assert Rating.objects.filter(league=None).count() == 2, "the site's is not stale"
    assert Recount.objects.get(ended_at=None).league == clubs["main"]


@pytest.mark.parametrize("names", [["ana", "beto", "carla"]])
def test_forfeits_and_unrated_matches_count_only_in_standings(names: list[str]) -> None:
    office = world.account("office")
    league = world.round_robin(office, names)
    forfeit_fixture(fixture=world.first_fixture(league), seats=[0], by=office, at=NOW)
    assert not Result.objects.get().rated
    assert not Rating.objects.exists()
    assert not RatingStep.objects.exists()


def test_preview_of_a_correction_changes_no_other_league(
    clubs: dict[str, League], people: list[Player]
) -> None:
    match = world.played(clubs["main"], people, [10, 4])
    world.played(clubs["link"], people, [10, 4], at=NOW + HOUR)
    found = correction_consequences(match, None, by=None)
    assert {change.league for change in found.ratings} == {clubs["main"], None}
    assert {change.after for change in found.ratings} == {None}
    assert {change.player for change in found.standings} == set(people)
    assert not found.empty
