"""Rules of standings: the founder's choices, and their explanation on the page of rules."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from leagues.exceptions import NotAllowed, OperationError
from leagues.fixtures.operations import draw_next_swiss, forfeit_fixture
from leagues.league.operations import adopt_rules, change_settings, close_league, settings_of
from leagues.members.operations.membership import FixtureHandling, withdraw
from leagues.models import League, Player
from leagues.pages.standings.explained import standings_rules
from leagues.pages.standings.views import board_of
from leagues.standings.queries import scoring_of, standings_basis
from leagues.standings.tallies import RulesVersion
from leagues.standings.tie_breaks import TieBreak
from tests.html_forms import sent_by
from tests.leagues import game, world
from tests.leagues.pages.league.test_league_pages import SETTINGS, seat
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db
SWISS = {"format": "swiss", "rounds_planned": "5"}
POINTS = {"kind": "points"}
NEW = f"/leagues/new/?game={game.KEY}"


@pytest.fixture
def ana() -> Player:
    return world.account("ana")


def founded(client: Client, ana: Player, **fields: str) -> League:
    answer = seat(client, ana).post(NEW, {**SETTINGS, **fields})
    assert answer.status_code == 302
    return League.objects.get()


# Choices of the founder


@pytest.mark.parametrize(
    ("fields", "bye"),
    [
        ({"scoring": "three"}, 3),
        ({"scoring": "three", "bye": ""}, 3),
        ({"scoring": "three", "bye": "1"}, 1),
        ({"scoring": "three", "bye": " 0,5 "}, Fraction(1, 2)),
        ({"scoring": "three", "bye": "1/3"}, Fraction(1, 3)),
        ({"scoring": "three", "bye": "0"}, 0),
        ({"scoring": "places"}, 4),
        ({"scoring": "places", "seats": "4"}, Fraction(5, 2)),
        ({"scoring": "beaten"}, 1),
        ({"scoring": "beaten", "seats": "3"}, Fraction(1, 2)),
        ({"scoring": "winner", "seats": "3"}, Fraction(1, 3)),
        ({"scoring": "points", "bye": "10"}, 10),
        ({"scoring": "points", "format": "ladder"}, 0),
    ],
)
def test_points_of_a_bye_are_read_from_the_form(
    client: Client, ana: Player, fields: dict[str, str], bye: int
) -> None:
    league = founded(client, ana, **{**SWISS, **fields})
    assert league.standings_rules == RulesVersion.CURRENT
    assert scoring_of(league).bye_worth == bye


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"bye": "three"}, "Enter a number, such as 1, 0.5 or 1/2."),
        ({"bye": "1/0"}, "These scoring rules are not valid."),
        ({"scoring": "points"}, "enter how many points a bye is worth, for example 10."),
        ({"scoring": "points", "format": "round_robin"}, "enter how many points a bye is worth"),
    ],
)
def test_bye_that_is_no_valid_number_is_rejected(
    client: Client, ana: Player, fields: dict[str, str], sentence: str
) -> None:
    answer = seat(client, ana).post(NEW, {**SETTINGS, **SWISS, **fields})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not League.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("rules", [RulesVersion.FIRST, RulesVersion.CURRENT])
@pytest.mark.parametrize(
    "scoring", [{"by_place": ["7", "2"], "draw": "3"}, {"by_place": ["3"], "draw": "1", "bye": "2"}]
)
def test_own_scoring_of_a_league_survives_a_change_of_the_name(
    client: Client, ana: Player, scoring: dict[str, object], rules: RulesVersion
) -> None:
    league = world.found_league(ana, scoring=scoring, format="swiss", visibility="public")
    League.objects.update(standings_rules=rules)
    league.refresh_from_db()
    change_settings(league=league, settings=settings_of(league), by=ana, at=NOW)
    league.refresh_from_db()
    before = league.scoring
    address = reverse("league_settings", args=[league.slug])
    sent = sent_by(seat(client, ana).get(address).text, having="scoring")
    assert client.post(address, {**sent, "name": "Wednesday"}).status_code == 302
    league.refresh_from_db()
    assert (league.name, league.scoring) == ("Wednesday", before)


# The page of rules


def texts(league: League) -> list[str]:
    found = standings_rules(league)
    return [
        *found.points,
        *(f"{kind}: {worth}" for kind, worth in found.unplayed),
        *found.notes,
        *(f"{name}: {explanation}" for name, explanation in found.tie_breaks),
        *found.places,
    ]


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("rules", list(RulesVersion))
@pytest.mark.parametrize("format_", League.Format.values)
def test_page_of_rules_explains_every_tie_break_of_every_format(
    client: Client, ana: Player, format_: str, rules: RulesVersion, language: str
) -> None:
    league = world.found_league(
        ana, format=format_, tie_breaks=list(TieBreak), cut=2, visibility="public"
    )
    League.objects.update(standings_rules=rules)
    league.refresh_from_db()
    with translation.override(language):
        said = texts(league)
        assert len(standings_rules(league).tie_breaks) == len(TieBreak)
    assert len(set(said)) >= len(said) - 1, "only two first tie-breaks are the same"
    client.cookies["language"] = language
    shown = client.get(reverse("league_rules", args=[league.slug]), HTTP_ACCEPT_LANGUAGE=language)
    page = shown.content.decode()
    heading = {"en": "How the standings are calculated", "es": "Desempates, por este orden"}
    assert heading[language] in page


@pytest.mark.parametrize(
    ("fields", "worths"),
    [
        ({}, ["1", "½", "1", "0", "0", "0", "0", "0"]),
        ({"scoring": {"by_place": ["3"], "draw": "1"}}, ["3", "1½", "3", "0", "0", "0", "0", "0"]),
        ({"scoring": {"bye": "1/2"}}, ["½", "½", "1", "0", "0", "0", "0", "0"]),
        ({"scoring": {"absence": "0"}}, ["1", "0", "1", "0", "0", "0", "0", "0"]),
        ({"absences_allowed": 0}, ["1", "1", "0", "0", "0", "0", "0"]),
        ({"format": "round_robin"}, ["1", "1", "0"]),
        ({"format": "ladder"}, []),
    ],
)
def test_page_of_rules_lists_points_of_rounds_without_a_match(
    ana: Player, fields: dict[str, object], worths: list[str]
) -> None:
    league = world.found_league(ana, **{"format": "swiss", **fields})
    assert [worth for _, worth in standings_rules(league).unplayed] == worths


def test_forfeit_is_listed_as_forfeit_and_not_as_zero_to_zero(client: Client, ana: Player) -> None:
    league = world.round_robin(ana, ["berta", "carla"], game="dominoes", profile="rulebook")
    match = forfeit_fixture(fixture=world.first_fixture(league), seats=[0], by=ana, at=NOW)
    for address in (
        reverse("league", args=[league.slug]),
        reverse("league_results", args=[league.slug]),
        reverse("match", args=[match.pk]),
    ):
        page = client.get(address, follow=True).content.decode()
        assert "by forfeit" in page
        assert "0 : 0" not in page


def test_list_of_rounds_names_the_player_with_the_bye(client: Client, ana: Player) -> None:
    league = world.found_league(ana, format="swiss", visibility="public")
    for name in ("berta", "carla"):
        world.enter_league(league, world.account(name))
    drawn = draw_next_swiss(league=league, by=ana, at=NOW)
    out = Player.objects.get(pk=drawn.byes[0]["player"])
    page = client.get(reverse("league_fixtures", args=[league.slug])).content.decode()
    assert f'href="{reverse("player", args=[out.slug])}"' in page.split("Bye (worth 1):")[1]


# The following tests are about leagues of earlier versions.


def before(ana: Player) -> League:
    """Create a Swiss league under the first rules, in which carla has a bye and berta beat ana."""
    league = world.found_league(ana, format="swiss", rounds_planned=3, visibility="public")
    League.objects.update(
        standings_rules=RulesVersion.FIRST, scoring={"by_place": ["1"], "bye": "0"}
    )
    for name in ("berta", "carla"):
        world.enter_league(league, world.account(name))
    league.refresh_from_db()
    for fixture in draw_next_swiss(league=league, by=ana, at=NOW).fixtures.all():
        world.play(fixture, 10, 4)
    league.refresh_from_db()
    return league


def scores(league: League) -> list[int]:
    league.refresh_from_db()
    return sorted(int(row.score) for row in standings_basis(league).rows())


@pytest.mark.slow
def test_running_league_adopts_current_rules_after_a_preview(client: Client, ana: Player) -> None:
    league = before(ana)
    out = Player.objects.get(pk=league.rounds.get().byes[0]["player"])
    address = reverse("league_settings", args=[league.slug])
    page = seat(client, ana).get(address)
    (change,) = page.context["to_adopt"].standings
    assert (change.player, change.before.score, change.after.score) == (out, 0, 1)
    assert scores(league) == [0, 0, 1]
    stale = client.post(address, {"adopt": "yes", "edition": league.edition - 1}, follow=True)
    assert "The league has changed since this preview." in stale.content.decode()
    assert scores(league) == [0, 0, 1]
    done = client.post(address, {"adopt": "yes", "edition": league.edition}, follow=True)
    assert "now follows the current rules" in done.content.decode()
    assert done.context["to_adopt"] is None
    assert scores(league) == [0, 1, 1]
    with pytest.raises(OperationError, match="already"):
        adopt_rules(league=league, by=ana)


def test_adopting_rules_keeps_the_bye_set_by_the_organiser(ana: Player) -> None:
    league = before(ana)
    League.objects.update(scoring={"by_place": ["1"], "bye": "3"})
    league.refresh_from_db()
    adopt_rules(league=league, by=ana)
    assert scores(league) == [0, 1, 3]


@pytest.mark.slow
def test_league_with_final_standings_cannot_adopt_rules(client: Client, ana: Player) -> None:
    league = before(ana)
    close_league(league=league, by=ana, at=NOW)
    league.refresh_from_db()
    address = reverse("league_settings", args=[league.slug])
    assert seat(client, ana).get(address).context["to_adopt"] is None
    with pytest.raises(OperationError, match="final"):
        adopt_rules(league=league, by=ana)
    assert scores(league) == [0, 0, 1]


@pytest.mark.slow
def test_only_an_organiser_can_adopt_rules(client: Client, ana: Player) -> None:
    league = before(ana)
    berta = Player.objects.get(name="berta")
    answer = seat(client, berta).post(
        reverse("league_settings", args=[league.slug]), {"adopt": "yes"}
    )
    assert answer.status_code in {403, 404}
    with pytest.raises(NotAllowed):
        adopt_rules(league=league, by=berta)
    assert scores(league) == [0, 0, 1]


# The following tests are about the cut-off line and the number of Swiss rounds.


def test_new_league_requires_one_match_for_a_place_above_the_cut_off_line(
    client: Client, ana: Player
) -> None:
    assert founded(client, ana, cut="2").cut_matches == 1
    page = client.get(reverse("league_rules", args=[League.objects.get().slug])).content.decode()
    assert "Players with fewer than 1 match are not counted above the cut-off line." in page


@pytest.mark.slow
def test_organiser_sets_the_number_of_matches_required_for_the_cut_off_line(
    client: Client, ana: Player
) -> None:
    league = founded(client, ana, cut="2", cut_matches="4")
    assert league.cut_matches == 4
    address = reverse("league_settings", args=[league.slug])
    assert client.post(address, {**SETTINGS, "cut": "2", "cut_matches": "0"}).status_code == 302
    league.refresh_from_db()
    assert league.cut_matches == 0
    rules = reverse("league_rules", args=[league.slug])
    assert "are not counted above the cut-off line" not in client.get(rules).content.decode()
    # A request of a program without this field leaves the setting unchanged.
    client.post(address, {**SETTINGS, "cut": "2", "cut_matches": "3"})
    client.post(address, {**SETTINGS, "cut": "1"})
    league.refresh_from_db()
    assert (league.cut, league.cut_matches) == (1, 3)
    assert client.post(address, {**SETTINGS, "cut_matches": "100"}).status_code == 422


def test_cut_off_line_of_older_leagues_counts_all_players_until_rules_are_adopted(
    ana: Player,
) -> None:
    league = of_before(ana, cut=1)
    assert standings_basis(league).cut_matches == 0
    adopt_rules(league=league, by=ana)
    league.refresh_from_db()
    assert league.cut_matches == 1
    chosen = of_before(ana, cut=1, cut_matches=3)
    adopt_rules(league=chosen, by=ana)
    chosen.refresh_from_db()
    assert chosen.cut_matches == 3


def of_before(ana: Player, **fields: object) -> League:
    league = world.found_league(ana)
    stored = {"standings_rules": RulesVersion.FIRST, "cut_matches": 0, **fields}
    League.objects.filter(pk=league.pk).update(**stored)
    league.refresh_from_db()
    return league


def test_cut_off_line_skips_players_with_too_few_matches(client: Client, ana: Player) -> None:
    """Beto leads, but has played only one match and is not counted.

    Ana has the next place, so the cut-off line after one place is drawn below her.
    """
    league = world.found_league(ana, cut=1, cut_matches=2, visibility="public", scoring=POINTS)
    beto, carla = world.account("beto"), world.account("carla")
    for player in (beto, carla):
        world.enter_league(league, player)
    world.played(league, [beto, ana], [40, 10])
    world.played(league, [carla, ana], [11, 10])
    world.played(league, [carla, ana], [11, 10])
    lines = board_of(league, you=None).lines
    assert [(line.player.name, line.cut) for line in lines] == [
        ("beto", False), ("ana", True), ("carla", False),
    ]  # fmt: skip
    page = client.get(reverse("league_standing", args=[league.slug, beto.slug])).content.decode()
    assert "Players with fewer than 2 matches are not counted above the cut-off line." in page
    assert "Matches still needed: 1." in page


@pytest.mark.parametrize("begun", [False, True])
def test_cut_off_line_below_the_last_player_is_rejected_once_matches_are_played(
    client: Client, ana: Player, begun: bool
) -> None:
    league = founded(client, ana, cut="8")
    beto = world.account("beto")
    world.enter_league(league, beto)
    if begun:
        world.played(league, [ana, beto], [10, 3])
    address = reverse("league_settings", args=[league.slug])
    # A stored value can be saved again.
    assert client.post(address, {**SETTINGS, "cut": "8"}).status_code == 302
    assert client.post(address, {**SETTINGS, "cut": "2"}).status_code == 302
    answer = client.post(address, {**SETTINGS, "cut": "3"})
    assert answer.status_code == (422 if begun else 302)
    sentence = "The league has fewer players than places above the cut-off line. Players: 2."
    assert (sentence in answer.content.decode()) == begun
    league.refresh_from_db()
    assert league.cut == (2 if begun else 3)


def test_withdrawn_players_do_not_count_for_the_cut_off_line(ana: Player) -> None:
    league = world.found_league(ana)
    for name in ("beto", "carla"):
        world.enter_league(league, world.account(name))
    world.played(league, [ana, world.called("beto")], [10, 3])
    three, two = (world.changed_settings(settings_of(league), cut=cut) for cut in (3, 2))
    change_settings(league=league, settings=three, by=ana, at=NOW)
    change_settings(league=league, settings=two, by=ana, at=NOW)
    withdraw(
        league=league,
        player=world.called("carla"),
        by=ana,
        at=NOW,
        handling=FixtureHandling.VOID,
    )
    with pytest.raises(OperationError) as caught:
        change_settings(league=league, settings=three, by=ana, at=NOW)
    assert caught.value.field == "cut"


@pytest.mark.slow
def test_swiss_league_requires_a_number_of_rounds(client: Client, ana: Player) -> None:
    sentence = "Enter how many rounds the Swiss league has."
    answer = seat(client, ana).post(NEW, {**SETTINGS, "format": "swiss"})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not League.objects.exists()
    league = founded(client, ana, **SWISS)
    assert league.rounds_planned == 5
    address = reverse("league_settings", args=[league.slug])
    answer = client.post(address, {**SETTINGS, "format": "swiss"})
    assert (answer.status_code, sentence in answer.content.decode()) == (422, True)
    assert client.post(address, {**SETTINGS, "format": "round_robin"}).status_code == 302


@pytest.mark.slow
def test_earlier_swiss_league_without_number_of_rounds_can_be_saved(
    client: Client, ana: Player
) -> None:
    league = founded(client, ana, **SWISS)
    League.objects.update(rounds_planned=None)
    address = reverse("league_settings", args=[league.slug])
    assert client.post(address, {**SETTINGS, "format": "swiss", "name": "New"}).status_code == 302
    assert client.post(address, {**SETTINGS, **SWISS}).status_code == 302
    assert client.post(address, {**SETTINGS, "format": "swiss"}).status_code == 422


def test_api_returns_the_error_messages_of_the_settings_page(client: Client, ana: Player) -> None:
    seat(client, ana)
    new: dict[str, object] = {
        "name": "API",
        "game": game.KEY,
        "profile": "plain",
        "format": "swiss",
    }

    def send(method: str, address: str, data: dict[str, object]) -> Any:
        call = getattr(client, method)
        return call(address, data, content_type="application/json")

    refused = send("post", "/api/v1/leagues/", new)
    assert refused.status_code == 409
    assert "Enter how many rounds the Swiss league has." in refused.content.decode()
    made = send("post", "/api/v1/leagues/", {**new, "rounds_planned": 3, "cut": 8})
    assert (made.status_code, made.json()["cut_matches"]) == (201, 1)
    address = f"/api/v1/leagues/{made.json()['slug']}/"
    changed = send("patch", address, {"cut_matches": 2})
    assert (changed.status_code, changed.json()["cut_matches"]) == (200, 2)
    league = League.objects.get()
    world.enter_league(league, world.account("beto"))
    draw_next_swiss(league=league, by=ana, at=NOW)
    assert send("patch", address, {"about": "Same line.", "cut": 8}).status_code == 200
    refused = send("patch", address, {"cut": 9})
    assert refused.status_code == 409
    assert "Players: 2." in refused.content.decode()
