"""The draw page, on which the organiser changes a round before saving it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leagues.fixtures.operations import draw_next_swiss, preview_swiss
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.models import Fixture, League, Player
from tests.leagues.world import NOW, account, found_league, guest, play, seated

pytestmark = pytest.mark.django_db


@pytest.fixture
def office(client: Client) -> Player:
    office = account("office")
    assert office.user is not None
    client.force_login(office.user)
    return office


@pytest.fixture
def league(office: Player) -> League:
    league = found_league(office, format="swiss", plays=False)
    for name in ("Ana", "Bruno", "Carla", "Dani", "Eva"):
        add_guest(league=league, name=name, by=office, at=NOW)
    return league


def page(league: League, *changes: str) -> str:
    query = "&".join(f"change={change}" for change in changes)
    return reverse("league_draw", args=[league.slug]) + (f"?{query}" if query else "")


def form_of(text: str) -> dict[str, list[str]]:
    """Return the hidden fields of the form that saves the draw."""
    form = text.partition('<form method="post"')[2].partition("</form>")[0]
    fields: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form):
        fields.setdefault(name, []).append(value)
    fields.pop("csrfmiddlewaretoken", None)
    return fields


def tables() -> list[list[int]]:
    return [[one.pk for one in seated(fixture)] for fixture in Fixture.objects.order_by("number")]


@pytest.mark.slow
def test_two_selected_players_are_swapped_and_the_draw_is_saved(
    client: Client, league: League
) -> None:
    (a, b), (c, d) = (pairing.seats for pairing in preview_swiss(league=league).pairings)
    asked = client.get(page(league), {"who": [str(a), str(c)], "do": "swap"})
    assert asked.status_code == 302
    assert asked["Location"] == page(league, f"swap.{a}.{c}")
    shown = client.get(asked["Location"]).text
    assert "swap places in the draw." in shown
    assert "An organiser changed the draw for this match." in shown
    assert not Fixture.objects.exists()
    form = form_of(shown)
    assert len(form["table"]) == 2
    saved = client.post(page(league), form)
    assert saved["Location"] == reverse("league_fixtures", args=[league.slug])
    assert {frozenset(seats) for seats in tables()} == {frozenset({c, b}), frozenset({a, d})}
    fixture = Fixture.objects.all()[0]
    text = client.get(reverse("fixture", args=[league.slug, fixture.pk])).text
    assert "An organiser changed the draw for this match." in text


def test_changes_of_a_draw_can_be_undone_separately_or_together(
    client: Client, league: League
) -> None:
    drawn = preview_swiss(league=league)
    (a, b), (c, _d) = (pairing.seats for pairing in drawn.pairings)
    out = drawn.byes[0].player
    changes = (f"swap.{a}.{c}", f"swap.{b}.{out}")
    text = client.get(page(league, *changes)).text
    assert f'href="{page(league, changes[0])}"' in text
    assert f'href="{page(league)}"' in text
    assert f'href="{page(league, *changes, "rest").replace("&", "&amp;")}"' in text
    assert "Your changes" not in client.get(page(league)).text


@pytest.mark.slow
def test_moving_a_bye_shows_its_cost(client: Client, league: League, office: Player) -> None:
    first = draw_next_swiss(league=league, by=office, at=NOW)
    for fixture in first.fixtures.all():
        play(fixture, 10, 4)
    had, out = first.byes[0]["player"], preview_swiss(league=league).byes[0].player
    assert "This player has already had a bye." not in client.get(page(league)).text
    asked = client.get(page(league), {"who": str(had), "do": "bye"})
    assert asked["Location"] == page(league, f"swap.{had}.{out}")
    text = client.get(asked["Location"]).text
    assert "This player has already had a bye." in text
    assert "Byes for players who have already had one: 1 (computed draw: 0)" in text


@pytest.mark.parametrize(
    ("names", "do", "sentence"),
    [
        ([], "swap", "Select two players."),
        (["Ana"], "swap", "Select two players."),
        (["Ana", "Bruno", "Carla"], "pair", "Select two players."),
        ([], "bye", "Select the player who will sit out."),
        (["Ana", "Bruno", "Carla"], "bye", "Select the player who will sit out."),
        (["Ana", "Bruno"], "x", "This draw is not valid."),
    ],
)
def test_wrong_number_of_selected_players_gets_a_message(
    client: Client, league: League, names: list[str], do: str, sentence: str
) -> None:
    who = [str(Player.objects.get(name=name).pk) for name in names]
    answer = client.get(page(league), {"who": who, "do": do})
    assert answer.status_code == 200
    assert sentence in answer.text
    assert "Save this round" in answer.text


def test_unreadable_change_in_the_url_shows_the_computed_draw(
    client: Client, league: League
) -> None:
    for change in ("swap.1", "x", f"swap.1.{10**8}"):
        text = client.get(page(league, change)).text
        assert "Start again from the computed draw." in text
        assert "Save this round" in text
        assert "Your changes" not in text


def test_player_selected_twice_counts_once(client: Client, league: League) -> None:
    (a, _b), (c, _d) = (pairing.seats for pairing in preview_swiss(league=league).pairings)
    asked = client.get(page(league), {"who": [str(a), str(a), str(c)], "do": "swap"})
    assert asked["Location"] == page(league, f"swap.{a}.{c}")
    asked = client.get(page(league), {"who": [str(a), str(a)], "do": "pair"})
    assert "Select two players." in asked.text
    text = client.get(page(league, f"swap.{a}.{a}.{c}")).text
    assert "Start again from the computed draw." in text
    assert "Your changes" not in text


BAD: dict[str, tuple[Callable[[dict[str, int]], dict[str, Any]], str]] = {
    "left": (lambda k: {"table": [f"{k['Zoe']}-{k['Ana']}", f"{k['Bruno']}-{k['Carla']}"]}, "Zoe"),
    "twice": (lambda k: {"table": [f"{k['Ana']}-{k['Bruno']}"] * 2}, "Ana appears twice"),
    "match and bye": (
        lambda k: {
            "table": [f"{k['Ana']}-{k['Bruno']}", f"{k['Carla']}-{k['Dani']}"],
            "bye": str(k["Ana"]),
        },
        "Ana appears twice in this draw.",
    ),
    "not here": (
        lambda k: {"table": [f"{k['Sol']}-{k['Ana']}"]},
        "One of the players in this draw is not in this league.",
    ),
    "letters": (lambda _k: {"table": ["a-b"]}, "This draw is not valid."),
    "long": (lambda _k: {"table": ["1" * 30]}, "This draw is not valid."),
    "missing": (lambda k: {"bye": str(k["Ana"])}, "Bruno has neither a match nor a bye"),
}


@pytest.mark.parametrize("wrong", BAD)
def test_invalid_draw_is_rejected_with_a_message(
    client: Client, league: League, office: Player, wrong: str
) -> None:
    zoe = add_guest(league=league, name="Zoe", by=office, at=NOW).player
    withdraw(league=league, player=zoe, by=office, at=NOW, handling=FixtureHandling.VOID)
    guest("Sol")
    fields, sentence = BAD[wrong]
    edition = form_of(client.get(page(league)).text)["edition"]
    keys = dict(Player.objects.values_list("name", "pk"))
    answer = client.post(page(league), {"edition": edition, **fields(keys)})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert "Save this round" in answer.text
    assert not Fixture.objects.exists()
    assert not league.rounds.exists()


def test_changes_of_a_draw_survive_a_change_of_the_league(
    client: Client, league: League, office: Player
) -> None:
    (a, _b), (c, _d) = (pairing.seats for pairing in preview_swiss(league=league).pairings)
    form = form_of(client.get(page(league, f"swap.{a}.{c}")).text)
    add_guest(league=league, name="Fede", by=office, at=NOW)
    answer = client.post(page(league), form)
    assert answer.status_code == 422
    assert "Check the draw again." in answer.text
    assert "swap places in the draw." in answer.text
    assert not league.rounds.exists()
    again = form_of(answer.text)
    assert again["edition"] != form["edition"]
    client.post(page(league), again)
    assert Fixture.objects.count() == 3


def test_only_organisers_can_change_the_draw(client: Client, league: League) -> None:
    stranger = account("stranger")
    assert stranger.user is not None
    assert client.get(page(league, "rest")).status_code == 200
    client.force_login(stranger.user)
    assert client.get(page(league, "rest")).status_code == 404
    assert client.post(page(league), {"table": "1-2"}).status_code == 404
