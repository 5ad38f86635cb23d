"""The page that explains a row of the standings."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from leagues.fixtures.operations import draw_next_swiss, forfeit_fixture
from leagues.league.operations import change_settings, settings_of
from leagues.members.operations.membership import FixtureHandling, withdraw
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, League, Player
from leagues.standings.tallies import RulesVersion
from tests.leagues import world
from tests.leagues.pages.league.test_league_pages import seat
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db
DAY = dt.timedelta(days=1)


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


def ladder(ana: Player, *names: str, **fields: object) -> League:
    league = world.found_league(ana, visibility=League.Visibility.PUBLIC, **fields)
    for name in names:
        world.enter_league(league, world.account(name))
    return league


def address(league: League, player: Player) -> str:
    return reverse("league_standing", args=[league.slug, player.slug])


def read(client: Client, league: League, player: Player, **query: str) -> str:
    """Return the text of the page without tags and line breaks."""
    answer = client.get(address(league, player), query)
    assert answer.status_code == 200, answer.status_code
    text = re.sub(r"<[^>]+>", " ", answer.content.decode().split("<main", 1)[1])
    return re.sub(r"\s+", " ", text)


def player_named(name: str) -> Player:
    return world.called(name)


# Access


def test_each_row_of_standings_links_to_its_explanation(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto", "carla")
    world.played(league, [ana, player_named("beto")], [10, 3])
    page = client.get(reverse("league", args=[league.slug])).content.decode()
    for name in ("ana", "beto", "carla"):
        assert page.count(f'href="{address(league, player_named(name))}"') == 1
    assert "Why 1st?" in page
    assert "Why 2nd?" in page
    assert "Why no place?" in page


def test_explanation_is_visible_only_with_the_standings(client: Client, ana: Player) -> None:
    league = world.found_league(ana, visibility=League.Visibility.PRIVATE)
    stranger = world.account("stranger")
    assert seat(client, ana).get(address(league, ana)).status_code == 200
    assert seat(client, stranger).get(address(league, ana)).status_code == 404
    assert Client().get(address(league, ana)).status_code == 404


def test_player_outside_the_standings_has_no_explanation(client: Client, ana: Player) -> None:
    league = ladder(ana)
    assert client.get(address(league, ana)).status_code == 200
    assert client.get(address(league, world.account("other"))).status_code == 404
    missing = reverse("league_standing", args=[league.slug, "nobody"])
    assert client.get(missing).status_code == 404


def test_explanation_of_a_merged_guest_is_that_of_the_player(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto")
    guest = world.guest("old")
    world.enter_league(league, guest)
    world.played(league, [ana, guest], [10, 3])
    merge_players(absorbed=guest, kept=player_named("beto"), by=ana, at=NOW)
    assert "Why beto is 2nd" in read(client, league, guest)


# Contents


@pytest.mark.slow
def test_explanation_in_a_ladder_names_players_above_and_below_and_why(
    client: Client, ana: Player
) -> None:
    league = ladder(ana, "beto", "carla", tie_breaks=["margin"], cut=2)
    beto, carla = player_named("beto"), player_named("carla")
    world.played(league, [ana, beto], [10, 3])
    world.played(league, [beto, carla], [11, 3], at=NOW + DAY)
    text = read(client, league, beto)
    assert "Why beto is 2nd" in text
    assert (
        "Below ana, decided by “difference between points for and against”: +1 against +7."
    ) in text
    assert "Above carla, decided by “score”: 1 against 0." in text
    assert "Above the cut-off line (places above the line: 2)." in text
    assert "5 Mar 2026 ana lost, 3 : 10 0 0 6 Mar 2026 carla won, 11 : 3 1 1" in text
    assert "ana: 3 − 10 −7 6 Mar 2026 carla: 11 − 3 +8 total +1" in text
    assert "Below the cut-off line (places above the line: 2)." in read(client, league, carla)
    assert "Nobody is placed below this player." in read(client, league, carla)


@pytest.mark.parametrize(
    ("zone", "of_league", "day"),
    [
        ("", "UTC", "5 Mar 2026"),
        ("", "Europe/Madrid", "6 Mar 2026"),
        ("Asia/Tokyo", "UTC", "6 Mar 2026"),
        ("America/New_York", "Europe/Madrid", "5 Mar 2026"),
    ],
)
def test_explanation_names_matches_by_their_day_in_the_readers_time_zone(
    client: Client, ana: Player, zone: str, of_league: str, day: str
) -> None:
    """The match is at 23:30 UTC. Without a chosen zone the league's time zone counts."""
    league = ladder(ana, "beto", zone=of_league)
    world.played(
        league, [ana, player_named("beto")], [10, 3], at=NOW + dt.timedelta(hours=3, minutes=30)
    )
    client.cookies[settings.ZONE_COOKIE_NAME] = zone
    assert f"{day} beto won, 10 : 3" in read(client, league, ana)


def test_explanation_says_that_tied_players_share_a_place(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto", tie_breaks=["margin"], cut=1)
    world.played(league, [ana, player_named("beto")], [10, 10])
    text = read(client, league, ana)
    assert "Why ana shares 1st place" in text
    assert (
        "This player shares the place with beto, because they are level on every criterion."
    ) in text
    assert "tied, 10 : 10 ½ ½" in text
    assert "This player is on the cut-off line" in text


@pytest.mark.slow
def test_explanation_of_a_past_day(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto")
    beto = player_named("beto")
    world.played(league, [ana, beto], [10, 3])
    world.played(league, [beto, ana], [10, 0], at=NOW + DAY)
    world.played(league, [beto, ana], [10, 0], at=NOW + DAY)
    assert "Why ana is 2nd" in read(client, league, ana)
    day = NOW.date().isoformat()
    assert "Why ana is 1st at the end of 5 March 2026" in read(client, league, ana, day=day)
    past = client.get(reverse("league_history", args=[league.slug]), {"day": day})
    assert f'href="{address(league, ana)}?day={day}"' in past.content.decode()
    wrong = client.get(address(league, ana), {"day": "2026-02-30"})
    assert wrong.status_code == 422
    assert "is not a valid date" in wrong.content.decode()


def swiss(ana: Player, **fields: object) -> League:
    """Create a Swiss league of five.

    In each round the first fixture is played and the second forfeited.
    """
    settings = {"tie_breaks": ["buchholz_cut"], "rounds_planned": 3, **fields}
    league = ladder(ana, "beto", "carla", "dora", "elia", format="swiss", **settings)
    for number in (1, 2):
        at = NOW + number * DAY
        draw_next_swiss(league=league, by=ana, at=at)
        first, second = Fixture.objects.filter(round__league=league, round__number=number)
        world.play(first, 10, 4, at=at)
        forfeit_fixture(fixture=second, seats=[1], by=ana, at=at)
    return league


@pytest.mark.slow
def test_explanation_lists_every_round_of_a_swiss_league(client: Client, ana: Player) -> None:
    league = swiss(ana)
    withdraw(
        league=league,
        player=player_named("beto"),
        by=ana,
        at=NOW + 3 * DAY,
        handling=FixtureHandling.VOID,
    )
    draw_next_swiss(league=league, by=ana, at=NOW + 4 * DAY)
    pages = {
        name: read(client, league, player_named(name)) for name in ("ana", "beto", "carla", "dora")
    }
    everything = " ".join([*pages.values(), read(client, league, player_named("elia"))])
    assert "Round 3 after withdrawing 0" in pages["beto"]
    for said in (
        "won, 10 : 4 1", "lost, 4 : 10 0", "won by forfeit 1", "lost by forfeit 0",
        "bye, because nobody was left to play against 1", "Round 3 not played yet", "own score",
        "left out",
    ):  # fmt: skip
        if said.startswith("Round 3 not"):
            assert re.search(r"Round 3 (\w+ )?not played yet", everything)
        else:
            assert said in everything, said


def test_explanation_says_that_the_cut_off_line_omits_a_withdrawn_player(
    client: Client, ana: Player
) -> None:
    league = ladder(ana, "beto", "carla", cut=1)
    world.played(league, [player_named("beto"), player_named("carla")], [10, 3])
    assert "Above the cut-off line" in read(client, league, player_named("beto"))
    withdraw(
        league=league,
        player=player_named("beto"),
        by=ana,
        at=NOW + DAY,
        handling=FixtureHandling.VOID,
    )
    assert "Players who have withdrawn are not counted above the cut-off line." in read(
        client, league, player_named("beto")
    )


def test_explanation_says_why_a_player_has_no_place(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto", "carla")
    world.played(league, [ana, player_named("beto")], [10, 3])
    text = read(client, league, player_named("carla"))
    assert "Why carla has no place" in text
    assert "This player has no place yet" in text
    assert "Below beto, because players without a place rank below all others." in text
    assert "Above carla, who has no place yet." in read(client, league, player_named("beto"))


@pytest.mark.slow
@pytest.mark.parametrize("rules", RulesVersion)
def test_explanation_works_under_all_versions_of_the_rules(
    client: Client, ana: Player, rules: int
) -> None:
    league = swiss(ana, tie_breaks=["head_to_head", "median_buchholz", "cumulative", "lots"])
    League.objects.filter(pk=league.pk).update(standings_rules=rules)
    for name in ("ana", "beto", "carla", "dora", "elia"):
        assert f"Why {name}" in read(client, league, player_named(name))


def test_explanation_is_available_in_spanish(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto", tie_breaks=["margin"])
    world.played(league, [ana, player_named("beto")], [10, 3])
    client.cookies["django_language"] = "es"
    page = client.get(address(league, ana)).content.decode()
    assert "Por qué ana ocupa el puesto 1.º" in page
    assert "victoria, 10 : 3" in page
    assert "Por delante de beto. Lo decide «puntos»: 1 frente a 0." in page


def test_explanation_changes_with_the_rules(client: Client, ana: Player) -> None:
    league = ladder(ana, "beto", tie_breaks=["margin"], scoring={"by_place": ["1", "1"]})
    world.played(league, [ana, player_named("beto")], [10, 3])
    assert "difference between points for and against”: +7 against −7" in read(client, league, ana)
    settings = world.changed_settings(settings_of(league), tie_breaks=["wins"])
    change_settings(league=league, settings=settings, by=ana, at=NOW)
    assert "Above beto, decided by “matches won”: 1 against 0." in read(client, league, ana)
