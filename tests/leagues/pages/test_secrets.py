"""Ids, links and keys in URLs give exactly the intended access."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from fairness import Seed
from leagues.matches.operations.matches import open_match
from leagues.members.operations.membership import add_guest
from leagues.models import Fixture, League, Match, Merge, Player, Table
from leagues.players import GUEST_SESSION_KEY
from leagues.tables.operations import lobby
from tests.factories import browser
from tests.leagues.pages import hostile
from tests.leagues.world import NOW, account, enter_league, found_league, guest, played

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> dict[str, Player]:
    return hostile.create_club()[1]


def page_text(client: Client, address: str) -> str:
    return client.get(address, follow=True).content.decode()


@pytest.mark.slow
def test_fixture_id_does_not_reveal_an_unlisted_league(
    club: dict[str, Player],
) -> None:
    """Ids are easy to guess, so a response must not contain the URL of such a league."""
    league = League.objects.get(visibility="link")
    fixture = Fixture.objects.filter(round__league=league).first()
    assert fixture is not None
    for who in (None, club["other"]):
        client = browser(who)
        assert client.get(reverse("new_table"), {"fixture": fixture.pk}).status_code == 404
        assert client.post(reverse("fixture_match", args=[fixture.pk])).status_code == 404
    member = browser(fixture.seats.order_by("number")[0].player)
    assert member.get(reverse("new_table"), {"fixture": fixture.pk}).status_code == 200
    assert member.post(reverse("fixture_match", args=[fixture.pk])).status_code == 302


@pytest.mark.slow
def test_key_of_a_match_is_hidden_from_spectators(club: dict[str, Player]) -> None:
    """With the key, a visitor could claim to be a guest of the match and confirm the result."""
    match = Match.objects.filter(league__visibility="public", state="handed_in").first()
    assert match is not None
    sheet = reverse("dominoes_match_sheet", args=[match.pk])
    for address in (reverse("match", args=[match.pk]), sheet):
        for who in (None, club["other"]):
            page = page_text(browser(who), address)
            assert "mara" in page, "a public league's matches are for everybody"
            assert match.key not in page
            assert 'class="qr"' not in page
    assert match.key in page_text(browser(club["member"]), reverse("match", args=[match.pk]))
    assert 'class="qr"' in page_text(browser(club["member"]), sheet)


def test_url_of_a_league_shows_its_matches_without_their_keys(
    club: dict[str, Player],
) -> None:
    league = League.objects.get(visibility="link")
    fixture = Fixture.objects.filter(round__league=league).first()
    assert fixture is not None
    player = fixture.seats.order_by("number")[0].player
    browser(player).post(reverse("fixture_match", args=[fixture.pk]))
    match = Match.objects.get(fixture=fixture)
    client = Client()
    assert client.get(reverse("match", args=[match.pk])).status_code == 404
    assert "Draft" in page_text(client, f"{reverse('match', args=[match.pk])}?in={league.slug}")
    page = page_text(client, reverse("dominoes_match_sheet", args=[match.pk]))
    assert player.name in page
    assert match.key not in page
    assert 'class="qr"' not in page


def test_merge_id_does_not_reveal_the_merged_players(club: dict[str, Player]) -> None:
    """The response must not redirect to the page of the remaining player."""
    merge = Merge.objects.get()
    for who in (None, club["other"], club["guest"]):
        assert browser(who).post(reverse("merge_undo", args=[merge.pk])).status_code == 404
    assert browser(club["member"]).post(reverse("merge_undo", args=[merge.pk])).status_code == 302
    merge.refresh_from_db()
    assert merge.undone_at is not None


@pytest.mark.slow
def test_claim_page_names_only_leagues_that_the_user_can_see() -> None:
    ana, berta, nosy = account("ana"), account("berta"), account("nosy")
    open_one = found_league(ana, name="Open", visibility="public")
    secret = found_league(berta, name="Secret club", visibility="private")
    gus = add_guest(league=open_one, name="gus", by=ana, at=NOW).player
    enter_league(secret, gus)
    played(open_one, [ana, gus], [10, 3])
    played(secret, [berta, gus], [10, 3])
    page = page_text(browser(nosy), reverse("player_claim", args=[gus.slug]))
    assert "Are you gus?" in page
    assert re.search(r"<td>Open</td>", page)
    assert "Secret club" not in page
    assert "berta" not in page


def test_browser_that_becomes_a_guest_keeps_its_session() -> None:
    """A new session key would sign out requests that the open page sends at the same time."""
    table = hostile.table(guest("host"))
    client = Client()
    client.get(reverse("table_join", args=[table.pk, table.invitation]))
    before = client.session.session_key
    client.post(
        reverse("table_act", args=[table.pk, "sit"]), {"seat": "1", "name-1": "Gus"}, follow=True
    )
    assert Player.objects.get(name="Gus").pk == client.session[GUEST_SESSION_KEY]
    assert client.session.session_key == before


@pytest.mark.parametrize("watch", Table.Watch.values)
def test_waiting_table_open_to_all_can_be_opened_by_all(watch: str) -> None:
    """The list of tables contains it, so its page must be found."""
    host = guest("host")
    table = lobby.create_table(
        host=host,
        at=timezone.now(),
        game="dominoes",
        profile="rulebook",
        house=lobby.TableSettings(seating=Table.Seating.ANYBODY, watch=Table.Watch(watch)),
    )
    address = reverse("table", args=[table.pk])
    visitor = browser(guest("visitor"))
    assert address in page_text(visitor, reverse("tables"))
    assert visitor.get(address).status_code == 200
    visitor.post(reverse("table_act", args=[table.pk, "sit"]), {"seat": "1"})
    browser(host).post(reverse("table_act", args=[table.pk, "begin"]))
    assert visitor.get(address).status_code == 200
    assert Client().get(address).status_code == (200 if watch == "anybody" else 404)


@pytest.mark.slow
def test_buttons_do_not_reveal_the_end_of_a_match_to_spectators() -> None:
    """Spectators see the match with a delay. Every button answers that they have no seat."""
    host, other = guest("host"), guest("other")
    table = hostile.table(host, other, delay=3600)
    Table.objects.filter(pk=table.pk).update(state=Table.State.OVER, turn=None)
    for what in ("ready", "leave", "back", "stand", "rematch"):
        answer = browser(guest("watcher")).post(
            reverse("table_act", args=[table.pk, what]), headers={"HX-Request": "true"}
        )
        assert "at this table" in answer.content.decode(), what


def test_cached_page_for_strangers_contains_no_csrf_token() -> None:
    """The page is cached and shown to all strangers."""
    league = found_league(account("ana"), visibility="public")
    page = Client().get(reverse("league", args=[league.slug])).content.decode()
    assert "csrfmiddlewaretoken" not in page


@pytest.mark.slow
def test_every_form_requires_a_csrf_token(club: dict[str, Player]) -> None:
    there = hostile.club()
    chance = Seed(bytes(32)).chance("tokens")
    client = Client(enforce_csrf_checks=True)
    assert club["organiser"].user is not None
    client.force_login(club["organiser"].user)
    before = hostile.rows()
    for address in hostile.addresses(there, chance, inside=True):
        assert client.post(address, hostile.form(chance)).status_code in (403, 404, 405), address
    assert hostile.changed_rows(before, hostile.rows()) == []


def test_visitor_with_the_key_can_only_become_a_guest_of_the_match() -> None:
    ana, gus, other = account("ana"), guest("gus"), guest("other")
    match = open_match(by=ana, at=NOW, players=[ana, gus], game="dominoes", profile="rulebook")
    address = reverse("match_key", args=[match.key])
    client = browser(None)
    assert [one for _seat, one in client.get(address).context["guests"]] == [gus]
    for chosen in (ana.pk, other.pk, "", "x"):
        assert client.post(address, {"guest": chosen})["Location"] == address
        assert GUEST_SESSION_KEY not in client.session
    client.post(address, {"guest": gus.pk})
    assert client.session[GUEST_SESSION_KEY] == gus.pk
    signed_in = browser(ana)
    signed_in.post(address, {"guest": gus.pk})
    assert GUEST_SESSION_KEY not in signed_in.session, "who is somebody stays that"
