"""Pages that change the opponents of a drawn round."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.fixtures.operations import draw_next_swiss, restore_fixture, undraw
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.models import Fixture, League, Player, Round
from tests.leagues.world import (
    NOW,
    account,
    enter_league,
    found_league,
    guest,
    play,
    round_robin,
    seated,
)

pytestmark = pytest.mark.django_db


def sign_in(client: Client, player: Player) -> None:
    assert player.user is not None
    client.force_login(player.user)


@pytest.fixture
def office(client: Client) -> Player:
    office = account("office")
    sign_in(client, office)
    return office


@pytest.fixture
def league(office: Player) -> League:
    league = found_league(office, format="swiss", plays=False)
    for name in ("Ana", "Bruno", "Carla", "Dani", "Eva"):
        add_guest(league=league, name=name, by=office, at=NOW)
    return league


@pytest.fixture
def drawn(league: League, office: Player) -> Round:
    return draw_next_swiss(league=league, by=office, at=NOW)


def page(name: str, fixture: Fixture, *args: str) -> str:
    return reverse(name, args=[fixture.round.league.slug, fixture.pk, *args])


def sides(drawn: Round) -> list[set[str]]:
    return [{player.name for player in seated(f)} for f in drawn.fixtures.order_by("number")]


def hidden_fields(text: str) -> dict[str, str]:
    form = text.partition('<form method="post" action="/leagues/')[2].partition("</form>")[0]
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form))
    fields.pop("csrfmiddlewaretoken", None)
    return fields


@pytest.mark.slow
def test_organiser_chooses_another_opponent_on_the_page(client: Client, drawn: Round) -> None:
    first, second = drawn.fixtures.order_by("number")
    (a, b), (c, d) = seated(first), seated(second)
    open_match(fixture=first, by=drawn.league.members.get(role="organiser").player, at=NOW)
    shown = client.get(page("fixture", first)).text
    assert "Choose another opponent" in shown
    for name in (c.name, d.name):
        assert f">{name}</option>" in shown
    address = page("fixture_opponent", first)
    preview = client.get(address, {"player": a.pk, "other": c.pk}).text
    assert "1 match is still a draft and will be voided." in preview
    assert "Total difference in scores: 0" in preview
    before = sides(drawn)
    form = hidden_fields(preview)
    assert form == {
        "edition": str(League.objects.get().edition),
        "player": str(a.pk),
        "other": str(c.pk),
    }
    saved = client.post(address, form)
    assert saved["Location"] == reverse("league_fixtures", args=[drawn.league.slug])
    assert before != sides(drawn) == [{c.name, b.name}, {a.name, d.name}]
    again = client.post(address, {**form, "player": str(b.pk), "other": str(a.pk)})
    assert again.status_code == 422
    assert "Check the draw again." in again.text


@pytest.mark.slow
def test_impossible_swap_gets_a_message_without_names_of_outsiders(
    client: Client, drawn: Round
) -> None:
    first, second = drawn.fixtures.order_by("number")
    (a, b), (c, _d) = seated(first), seated(second)
    sol = guest("Sol")
    play(second, 10, 4)
    address = page("fixture_opponent", first)

    def said(player: Player, other: Player, sentence: str) -> None:
        fields = {"player": str(player.pk), "other": str(other.pk), "edition": "1"}
        fields["edition"] = str(League.objects.get().edition)
        answer = client.post(address, fields)
        assert answer.status_code == 422
        assert sentence in answer.text
        assert "Sol" not in answer.text

    said(a, b, "Both players are in the same match.")
    said(a, c, "already has a match that can’t be changed.")
    said(a, sol, "Select two players.")
    said(c, a, "Select two players.")
    assert "Sol" not in client.get(address, {"player": a.pk, "other": sol.pk}).text


def test_other_opponent_is_not_offered_in_a_round_robin(client: Client, office: Player) -> None:
    robin = round_robin(office, ["x", "y", "z", "w"])
    fixture = robin.rounds.all()[0].fixtures.all()[0]
    assert "Choose another opponent" not in client.get(page("fixture", fixture)).text


@pytest.mark.slow
def test_only_organisers_can_choose_another_opponent(client: Client, drawn: Round) -> None:
    fixture = drawn.fixtures.all()[0]
    assert client.get(page("fixture_opponent", fixture)).status_code == 200
    assert "Choose another opponent" in client.get(page("fixture", fixture)).text
    sign_in(client, account("stranger"))
    assert client.get(page("fixture_opponent", fixture)).status_code == 404
    assert client.post(page("fixture_opponent", fixture)).status_code == 404
    assert "Choose another opponent" not in client.get(page("fixture", fixture)).text


def leaving(league: League, player: Player) -> str:
    return reverse("member_leave", args=[league.slug, league.members.get(player=player).pk])


@pytest.mark.slow
def test_leaving_page_offers_a_replacement_first(
    client: Client, league: League, drawn: Round
) -> None:
    first = drawn.fixtures.order_by("number")[0]
    a, b = seated(first)
    out = Player.objects.get(pk=drawn.byes[0]["player"])
    text = client.get(leaving(league, a)).text
    assert f"{out.name} takes the vacant seat and gives up the bye" in text
    assert re.findall(r'name="handling" value="(\w+)"[^>]*checked', text) == ["match"]
    assert re.findall(r'name="handling" value="(\w+)"', text) == [
        "match",
        "forfeit",
        "bye",
        "void",
    ]
    client.post(leaving(league, a), {"handling": "match"})
    assert sides(drawn)[0] == {b.name, out.name}
    # Nobody has the bye any more.
    c = seated(drawn.fixtures.order_by("number")[1])[0]
    text = client.get(leaving(league, c)).text
    assert re.findall(r'name="handling" value="(\w+)"', text) == ["forfeit", "bye", "void"]
    stale = client.post(leaving(league, c), {"handling": "match"})
    assert stale.status_code == 422
    assert league.members.get(player=c).withdrawn_at is None


@pytest.mark.slow
def test_player_who_leaves_sees_the_consequences(client: Client, office: Player) -> None:
    league = found_league(office, format="swiss", plays=False)
    for name in ("mia", "rita", "sol"):
        enter_league(league, account(name))
    drawn = draw_next_swiss(league=league, by=office, at=NOW)
    leaver, other = seated(drawn.fixtures.get())
    out = Player.objects.get(pk=drawn.byes[0]["player"])
    sign_in(client, leaver)
    text = client.get(leaving(league, leaver)).text
    assert f"{out.name} has the bye in this round and will take the vacant seat." in text
    assert 'name="handling" value="match"' in text
    client.post(leaving(league, leaver), {"handling": "match"})
    assert sides(drawn) == [{out.name, other.name}]


@pytest.mark.slow
@pytest.mark.parametrize(("choice", "state"), [("match", "open"), ("bye", "void")])
def test_fixture_page_offers_a_replacement_after_a_player_left(
    client: Client, league: League, drawn: Round, office: Player, choice: str, state: str
) -> None:
    first = drawn.fixtures.order_by("number")[0]
    a, b = seated(first)
    out = Player.objects.get(pk=drawn.byes[0]["player"])
    assert "has left the league" not in client.get(page("fixture", first)).text
    withdraw(league=league, player=a, by=office, at=NOW, handling=FixtureHandling.FORFEIT)
    text = client.get(page("fixture", first)).text
    assert f"{a.name} has left the league" in text
    assert f"A match against {out.name} instead of the bye" in text
    wrong = client.post(page("fixture_change", first, "replace"), {"handling": "x"})
    assert (wrong.status_code, "Choose what the remaining opponent gets." in wrong.text) == (
        422,
        True,
    )
    client.post(page("fixture_change", first, "replace"), {"handling": choice})
    first.refresh_from_db()
    drawn.refresh_from_db()
    assert first.state == state
    byes = [bye["player"] for bye in drawn.byes]
    assert byes == ([] if choice == "match" else [out.pk, b.pk])
    listed = client.get(reverse("league_fixtures", args=[league.slug])).text
    assert ("Bye (worth 1):" in listed) == (choice == "bye")


def test_opponent_page_reports_a_draw_undone_meanwhile(
    client: Client, drawn: Round, office: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    def undone_before(**given: object) -> None:
        undraw(league=drawn.league, by=office, at=NOW)
        restore_fixture(**given)  # type: ignore[arg-type]

    monkeypatch.setattr("leagues.fixtures.operations.restore_fixture", undone_before)
    fixture = drawn.fixtures.all()[0]
    answer = client.post(page("fixture_change", fixture, "restore"), follow=True)
    assert answer.status_code == 200
    assert "because its draw has been undone." in answer.content.decode()
    assert not Fixture.objects.exists()
