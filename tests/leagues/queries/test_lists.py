"""Lists of matches, leagues, ratings and game tables: their contents and order."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.db import transaction
from pytest_django.plugin import DjangoDbBlocker

from leagues import matches_read as match_queries
from leagues.league import queries as league_queries
from leagues.members_read import queries as member_queries
from leagues.models import League, Member, Player, Rating
from leagues.ratings import queries as rating_queries
from leagues.ratings.calculation import DisplayedRating
from leagues.standings.queries import standings_basis
from tests.leagues import game, world
from tests.leagues.queries.crowd import DAY, TWIN, Crowd, gathered
from tests.leagues.world import NOW


@pytest.fixture(scope="module")
def crowd(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Crowd]:
    """Create the data once. The tests only read it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield gathered()
        transaction.set_rollback(True)


@pytest.fixture
def _undone() -> Iterator[None]:
    """Roll back the changes of a test."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def player_named(crowd: Crowd, name: str) -> Player | None:
    return crowd.people[name] if name else None


@pytest.mark.django_db
def test_lists_of_an_empty_site_are_empty() -> None:
    ana = world.account("ana")
    assert [
        league_queries.public_leagues(),
        league_queries.leagues_of_player(ana),
        list(league_queries.leagues_known_to(ana)),
    ] == [[]] * 3
    assert [
        match_queries.matches_to_confirm(ana),
        match_queries.drafts_of_player(ana),
        match_queries.results_of_player(ana, 9),
    ] == [[]] * 3
    assert not match_queries.matches_visible_to(None).exists()
    assert member_queries.career_of(ana, game.KEY, []) is None
    assert not member_queries.has_played_publicly(ana)
    assert (rating_queries.site_leaderboard(game.KEY), rating_queries.site_ratings(ana)) == ([], {})


# Standings


@pytest.mark.parametrize(
    ("league", "expected"),
    [
        ("main", {"ana": (2, 2, 22), "beto": (1, 2, 15), "carla": (0, 2, 3), "edu": (0, 0, 0)}),
        ("other", {"beto": (1, 1, 77), "ana": (0, 1, 5)}),
        ("twin", {"beto": (1, 1, 55), "ana": (0, 1, 6)}),
        ("hidden", {"edu": (1, 1, 22), "beto": (0, 1, 9)}),
        ("office", {}),
    ],
)
def test_standings_contain_only_confirmed_results_of_their_league(
    crowd: Crowd, league: str, expected: dict[str, tuple[int, int, int]]
) -> None:
    rows = standings_basis(crowd.leagues[league]).rows()
    names = {player.pk: name for name, player in crowd.people.items()}
    found = {names[row.player]: (int(row.score), row.played, row.points) for row in rows}
    assert found == expected
    assert [names[row.player] for row in rows] == list(expected)
    assert [names[row.player] for row in rows if row.withdrawn] == ["edu"] * (league == "main")


def test_entrants_are_listed_once_in_the_order_of_joining(crowd: Crowd) -> None:
    entries = standings_basis(crowd.leagues["main"]).entries
    names = {player.pk: name for name, player in crowd.people.items()}
    assert [names[entry.player] for entry in entries] == ["ana", "beto", "carla", "edu"]


# Matches


@pytest.mark.parametrize(
    ("league", "limit", "after", "expected"),
    [
        ("main", 50, 0, ["last", "disputed", "waits", "merged", "first", "waits longer"]),
        ("main", 2, 0, ["last", "disputed"]),
        ("main", 2, 1, ["disputed", "waits"]),
        ("main", 9, 5, ["waits longer"]),
        ("main", 9, 6, []),
        ("other", 50, 0, ["disputed later", "waits elsewhere", "elsewhere"]),
        ("twin", 50, 0, ["twin"]),
        ("office", 50, 0, []),
    ],
)
def test_latest_matches_of_a_league_are_listed(
    crowd: Crowd, league: str, limit: int, after: int, expected: list[str]
) -> None:
    found = match_queries.latest_results(crowd.leagues[league], limit, after=after)
    assert crowd.names([line.match for line in found]) == expected


@pytest.mark.parametrize(
    ("name", "within", "limit", "expected"),
    [
        ("beto", None, 50, ["here", "friends", "private", "twin", "elsewhere", "merged", "first"]),
        ("beto", None, 2, ["here", "friends"]),
        ("beto", [], 50, ["here"]),
        ("beto", ["main"], 50, ["here", "merged", "first"]),
        ("beto", ["other", "twin"], 50, ["here", "twin", "elsewhere"]),
        ("carla", None, 50, ["here", "last", "merged"]),
        ("dora", None, 50, ["here", "last", "merged"]),
        ("carla", ["other"], 50, ["here"]),
        ("zoe", None, 50, []),
    ],
)
def test_counting_matches_of_a_player_are_listed(
    crowd: Crowd, name: str, within: list[str] | None, limit: int, expected: list[str]
) -> None:
    keys = None if within is None else [crowd.leagues[league].pk for league in within]
    found = match_queries.results_of_player(Player.objects.get(name=name), limit, keys)
    assert crowd.names([line.match for line in found]) == expected


@pytest.mark.parametrize(
    ("name", "waiting", "drafts"),
    [
        # The match submitted first is listed first.
        ("ana", ["waits elsewhere"], ["draft", "written by another"]),
        ("beto", ["waits longer", "waits"], ["written by another"]),
        ("carla", [], ["draft", "written by another"]),
        ("dora", [], ["draft", "written by another"]),
        ("edu", [], []),
    ],
)
def test_matches_waiting_for_a_player_and_drafts_are_listed(
    crowd: Crowd, name: str, waiting: list[str], drafts: list[str]
) -> None:
    player = Player.objects.get(name=name)
    assert crowd.names([line.match for line in match_queries.matches_to_confirm(player)]) == waiting
    assert crowd.names([line.match for line in match_queries.drafts_of_player(player)]) == drafts


MAIN = {"last", "disputed", "waits", "merged", "first", "waits longer"}
OTHER = {"disputed later", "waits elsewhere", "elsewhere"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("", MAIN | {"twin"}),
        ("zoe", MAIN | {"twin"}),
        ("edu", MAIN | {"twin", "private"}),
        ("carla", MAIN | {"twin", "here", "draft", "written by another"}),
        ("ana", MAIN | OTHER | {"twin", "friends", "void", "draft"}),
        (
            "beto",
            MAIN | OTHER | {"twin", "private", "friends", "here", "void", "written by another"},
        ),
    ],
)
def test_matches_visible_to_a_player_are_listed(
    crowd: Crowd, name: str, expected: set[str]
) -> None:
    found = crowd.names(list(match_queries.matches_visible_to(player_named(crowd, name))))
    assert sorted(found) == sorted(expected), "each once"


def test_result_line_names_the_merged_player_and_the_points(crowd: Crowd) -> None:
    lines = {
        crowd.names([line.match])[0]: line
        for line in match_queries.latest_results(crowd.leagues["main"], 50)
    }
    merged = lines["merged"]
    assert [(seat.name, seat.place, seat.points) for seat in merged.seats] == [
        ("beto", 1, 11), ("carla", 2, 3),
    ]  # fmt: skip
    assert (merged.points, merged.is_decided, merged.sided) == ("11 : 3", True, False)
    draft = match_queries.result_line(
        match_queries.with_seats(crowd.leagues["main"].matches.all()).latest("pk")
    )
    assert (draft.points, draft.is_decided) == ("– : –", False)
    (beto,) = (seat for seat in lines["disputed"].seats if seat.name == "beto")
    assert beto.place == 1


# Leagues


def test_public_leagues_are_sorted_by_their_last_result(crowd: Crowd) -> None:
    def names(game_key: str = "", limit: int = 50) -> list[str]:
        return [league.name for league in league_queries.public_leagues(game_key, limit)]

    assert names() == ["Main", "Twin", "Office"]
    assert names(game.KEY) == ["Main", "Office"]
    assert names(TWIN) == ["Twin"]
    assert names(limit=1) == ["Main"]
    assert names("chess") == []


@pytest.mark.usefixtures("crowd", "_undone")
def test_closed_leagues_are_listed_last_with_the_latest_closed_first() -> None:
    League.objects.filter(name="Main").update(closed_at=NOW)
    League.objects.filter(name="Twin").update(closed_at=NOW + DAY)
    assert [league.name for league in league_queries.public_leagues()] == ["Office", "Twin", "Main"]


@pytest.mark.parametrize(
    ("name", "own", "known"),
    [
        ("", None, {"Main", "Twin", "Office"}),
        ("ana", ["Main", "Twin", "Other"], {"Main", "Twin", "Office", "Other"}),
        ("edu", ["Main", "Hidden"], {"Main", "Twin", "Office", "Hidden"}),
        ("dora", ["Main"], {"Main", "Twin", "Office"}),
        ("zoe", ["Office"], {"Main", "Twin", "Office"}),
    ],
)
def test_leagues_known_to_a_player_are_listed(
    crowd: Crowd, name: str, own: list[str] | None, known: set[str]
) -> None:
    player = Player.objects.get(name=name) if name else None
    assert sorted(league.name for league in league_queries.leagues_known_to(player)) == sorted(
        known
    )
    if player is not None and own is not None:
        assert [league.name for league in league_queries.leagues_of_player(player)] == own


def test_league_list_contains_number_of_players_and_last_match(crowd: Crowd) -> None:
    found = {league.name: league for league in league_queries.leagues_known_to(crowd.people["ana"])}
    # The player dora is merged into carla, but has a membership of her own. The player edu has
    # withdrawn. The organiser zoe does not play.
    playing = {name: league.playing for name, league in found.items()}  # type: ignore[attr-defined]
    assert playing == {"Main": 4, "Other": 2, "Twin": 2, "Office": 0}
    last: dict[str, dt.datetime | None] = {
        name: league.last  # type: ignore[attr-defined]
        for name, league in found.items()
    }
    assert last == {
        "Main": NOW + 11 * DAY, "Other": NOW + 3 * DAY, "Twin": NOW + 4 * DAY, "Office": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("of", "to", "expected"),
    [
        ("beto", "", ["Main", "Twin"]),
        ("beto", "zoe", ["Main", "Twin"]),
        ("beto", "carla", ["Main", "Twin"]),
        ("beto", "ana", ["Main", "Other", "Twin"]),
        ("beto", "edu", ["Hidden", "Main", "Twin"]),
        ("beto", "beto", ["Hidden", "Main", "Other", "Twin"]),
        ("beto", "root", ["Hidden", "Main", "Other", "Twin"]),
        ("carla", "", ["Main"]),
        ("zoe", "", ["Office"]),
    ],
)
def test_leagues_of_another_player_are_listed_only_if_visible(
    crowd: Crowd, of: str, to: str, expected: list[str]
) -> None:
    other = Player.objects.get(name=to) if to else None
    found = member_queries.visible_leagues(of=crowd.people[of], to=other)
    assert [league.name for league in found] == expected


# Statistics of players


@pytest.mark.parametrize(
    ("name", "key", "within", "points"),
    [
        ("beto", game.KEY, [], [8]),
        ("beto", game.KEY, ["main"], [4, 11, 8]),
        ("beto", game.KEY, ["main", "other", "twin"], [4, 11, 77, 8]),
        ("beto", TWIN, ["main", "twin"], [55]),
        ("beto", TWIN, ["main"], None),
        ("edu", game.KEY, ["main"], None),
        ("edu", game.KEY, ["hidden"], [22]),
    ],
)
def test_career_contains_matches_of_one_game_in_the_given_leagues(
    crowd: Crowd, name: str, key: str, within: list[str], points: list[int] | None
) -> None:
    keys = [crowd.leagues[league].pk for league in within]
    found = member_queries.career_of(crowd.people[name], key, keys)
    if points is None:
        assert found is None
        return
    assert found is not None
    assert found.form.played == len(points)
    assert found.form.highest_points is not None
    assert found.form.highest_points.value == max(points)
    assert set(found.people) >= {duel.rival for duel in found.form.opponents}


def test_career_names_opponents_by_their_merged_account(crowd: Crowd) -> None:
    keys = [crowd.leagues[league].pk for league in ("main", "other")]
    found = member_queries.career_of(crowd.people["beto"], game.KEY, keys)
    assert found is not None
    assert [(rival.name, duel.played, duel.won, duel.lost) for rival, duel in found.rivals] == [
        ("ana", 2, 1, 1), ("carla", 2, 1, 1),
    ]  # fmt: skip
    assert (found.nemesis, found.favourite) == (crowd.people["ana"], crowd.people["ana"])
    assert found.partners == []


@pytest.mark.parametrize(
    ("name", "public"),
    [("ana", True), ("beto", True), ("carla", True), ("edu", False), ("zoe", False)],
)
def test_player_has_played_publicly_only_in_public_leagues_or_on_the_site(
    crowd: Crowd, name: str, public: bool
) -> None:
    assert member_queries.has_played_publicly(crowd.people[name]) is public


# Ratings


@pytest.mark.parametrize(
    ("key", "fewest", "expected"),
    [
        # For the site, three matches count: first, last and the match played on the site.
        (game.KEY, 1, {"ana": 2, "beto": 2, "carla": 2}),
        (game.KEY, 2, {"ana": 2, "beto": 2, "carla": 2}),
        (game.KEY, 3, {}),
        (TWIN, 1, {"ana": 1, "beto": 1}),
        ("chess", 1, {}),
    ],
)
def test_leaderboard_of_a_game_lists_players_with_enough_matches(
    crowd: Crowd, key: str, fewest: int, expected: dict[str, int]
) -> None:
    board = rating_queries.site_leaderboard(key, fewest=fewest)
    assert {line.player.name: line.matches for line in board} == expected
    assert [line.place for line in board] == list(range(1, len(expected) + 1))
    ranked = sorted(Rating.objects.filter(game=key, league=None), key=lambda row: -row.ordinal)
    assert [line.player.pk for line in board] == [row.player_id for row in ranked][: len(board)]


@pytest.mark.usefixtures("_undone")
@pytest.mark.parametrize(
    ("change", "listed"),
    [
        ({"public": False}, False),
        ({"user": None}, False),
        ({"user": None, "left_at": NOW}, True),
        ({"user": None, "left_at": NOW, "public": False}, False),
    ],
)
def test_hidden_players_and_guests_are_not_on_the_leaderboard(
    crowd: Crowd, change: dict[str, object], listed: bool
) -> None:
    Player.objects.filter(pk=crowd.people["ana"].pk).update(**change)
    board = rating_queries.site_leaderboard(game.KEY, fewest=1)
    assert ("ana" in {line.player.name for line in board}) is listed
    assert [line.place for line in board] == list(range(1, 3 + listed))
    assert len(rating_queries.site_leaderboard(game.KEY, 1, fewest=1)) == 1


def test_leaderboard_requires_three_rated_matches() -> None:
    assert rating_queries.MIN_MATCHES == 3


def test_ratings_are_separate_for_each_league_and_game(crowd: Crowd) -> None:
    names = {player.pk: name for name, player in crowd.people.items()}

    def rated(league: str) -> dict[str, DisplayedRating]:
        found = rating_queries.league_ratings(crowd.leagues[league])
        return {names[player]: rating for player, rating in found.items()}

    assert set(rated("main")) == {"ana", "beto", "carla"}
    assert set(rated("other")) == {"ana", "beto"}
    assert rated("other")["beto"].rating > 1500 > rated("other")["ana"].rating
    assert rated("main")["ana"].rating > 1500
    assert rated("office") == {}
    own = rating_queries.site_ratings(crowd.people["beto"])
    assert {key: (line.matches, line.place) for key, line in own.items()} == {
        game.KEY: (2, 0), TWIN: (1, 0),
    }  # fmt: skip
    assert own[TWIN].rating.rating > 1500
    assert rating_queries.site_ratings(crowd.people["zoe"]) == {}


@pytest.mark.usefixtures("crowd")
def test_matches_that_do_not_count_are_not_rated() -> None:
    assert world.faults() == []


# People


@pytest.mark.usefixtures("_undone")
def test_members_are_sorted_by_role_and_name(crowd: Crowd) -> None:
    main = crowd.leagues["main"]
    Member.objects.filter(league=main, player=crowd.people["edu"]).update(role="scorer")
    Player.objects.filter(pk=crowd.people["carla"].pk).update(name="Carla")
    found = member_queries.members_of(main)
    assert [member.player.name for member in found] == ["ana", "edu", "beto", "Carla", "dora"]


@pytest.mark.usefixtures("_undone")
def test_highest_role_of_all_merged_names_counts(crowd: Crowd) -> None:
    main = crowd.leagues["main"]
    assert member_queries.role_in(crowd.people["carla"], main) == "player"
    Member.objects.filter(player=crowd.people["dora"]).update(role="scorer")
    assert member_queries.role_in(crowd.people["carla"], main) == "scorer"
    assert member_queries.role_in(Player.objects.get(name="dora"), main) == "scorer"
    assert member_queries.role_in(crowd.people["edu"], main) == "player", "withdrawn or not"
    assert member_queries.role_in(crowd.people["ana"], crowd.leagues["hidden"]) is None
    assert member_queries.role_in(None, main) is None
    assert {row.name for row in member_queries.player_rows_of(crowd.people["carla"])} == {
        "carla",
        "dora",
    }


def test_present_players_and_guests_are_selected(crowd: Crowd) -> None:
    present = set(Player.objects.present().values_list("name", flat=True))
    assert present == {"ana", "beto", "carla", "edu", "zoe", "root"}
    assert not Player.objects.guests().exists(), "dora is somebody now"
    with transaction.atomic():
        gus, gone = world.guest("gus"), world.guest("gone")
        Player.objects.filter(pk=gone.pk).update(left_at=NOW)
        assert list(Player.objects.guests()) == [gus]
        transaction.set_rollback(True)
