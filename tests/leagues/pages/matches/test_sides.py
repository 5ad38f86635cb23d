"""Partners on pages, names of deciders on the match page, and hands that are not saved yet."""

from __future__ import annotations

import re

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import override

from dominoes.engine import Rules
from leagues.matches.operations import corrections
from leagues.matches.operations.matches import confirm, hand_in
from leagues.models import Fixture, FixtureSeat, League, Match, Player, Round
from tests import factories
from tests.factories import browser
from tests.leagues.pages.matches.games import HELD, TILES, fields
from tests.leagues.pages.matches.test_ticket import press_ticket_button

pytestmark = pytest.mark.django_db

NAMES = ("ana", "beto", "carla", "dani")


def text_of(page: str) -> str:
    """Return the text of a page, without drawings and tags and with single spaces."""
    page = re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


@pytest.fixture
def people(db: None) -> list[Player]:
    return [factories.account(name) for name in NAMES]


@pytest.fixture
def league(people: list[Player]) -> League:
    rules = Rules(target=40, partners=True).options()
    return factories.league("dominoes", people[0], *people, rules=rules, visibility="public")


@pytest.fixture
def match(league: League, people: list[Player]) -> Match:
    """Create a match that ana and carla won, submitted by carla."""
    match = factories.match(league, *people)
    return hand_in(
        match=match, version=0, by=people[2], at=timezone.now(),
        content={"totals": [41, 7, 41, 7]},
    )  # fmt: skip


@pytest.mark.slow
def test_pages_name_partners_together(match: Match, people: list[Player], league: League) -> None:
    confirm(match=match, version=match.version, by=people[1], at=timezone.now())
    client = browser(people[1])
    for address in (f"/leagues/{league.slug}/", f"/leagues/{league.slug}/results/"):
        shown = text_of(client.get(address).content.decode())
        assert "ana and carla beat beto and dani" in shown
        assert "41 : 7" in shown
        assert "41 : 41" not in shown
    ticket = text_of(client.get(reverse("dominoes_hand", args=[match.pk])).content.decode())
    assert "ana and carla win the match" in ticket
    assert "ana and carla · beto and dani" in ticket
    assert "41 : 7" in ticket
    with override("es"):
        spanish = client.get(f"/leagues/{league.slug}/", headers={"Accept-Language": "es"})
    assert "ana y carla ganaron a beto y dani" in text_of(spanish.content.decode())


def test_api_and_feed_have_one_total_for_each_side(match: Match, people: list[Player]) -> None:
    confirm(match=match, version=match.version, by=people[1], at=timezone.now())
    shown = browser(people[1]).get(f"/api/v1/matches/{match.pk}/").json()
    assert [(side["points"], side["place"]) for side in shown["sides"]] == [(41, 1), (7, 2)]
    assert [[one["name"] for one in side["players"]] for side in shown["sides"]] == [
        ["ana", "carla"],
        ["beto", "dani"],
    ]


def test_fixture_and_calendar_name_partners_together(league: League, people: list[Player]) -> None:
    now = timezone.now()
    League.objects.update(format="swiss")
    drawn = Round.objects.create(league=league, number=1, drawn_at=now, deadline=now, byes=[])
    fixture = Fixture.objects.create(round=drawn, number=1, deadline=now)
    for number, player in enumerate(people):
        FixtureSeat.objects.create(fixture=fixture, number=number, player=player)
    client = browser(people[0])
    page = client.get(f"/leagues/{league.slug}/fixtures/{fixture.pk}/").content.decode()
    assert "ana and carla against beto and dani" in text_of(page)
    assert re.findall(r'name="seats" value="(\d)"', page) == ["0", "1", "2", "3"]
    entries = client.get(f"/leagues/{league.slug}/calendar.ics").content.decode()
    assert "ana and carla against beto and dani" in entries.replace("\r\n ", "")


@pytest.mark.slow
def test_match_page_names_deciders_and_whether_they_played(
    match: Match, people: list[Player]
) -> None:
    ana, beto = browser(people[0]), browser(people[1])
    press_ticket_button(beto, match, "dispute", reason="it was 38")
    offered = press_ticket_button(
        ana, match, "propose", verdict="stands", reason="I kept the sheet"
    )
    assert "Your proposal has been sent." in offered
    assert "This proposal is waiting for an answer from a player on the other side." in offered
    assert "Agree</button>" not in offered
    assert "Agree</button>" in beto.get(f"/matches/{match.pk}/", follow=True).content.decode()
    agreed = text_of(press_ticket_button(beto, match, "answer", answer="accept"))
    assert match.state == "confirmed"
    assert (
        "ana (played in this match) proposed: the result stands. Reason: “I kept the sheet”."
    ) in agreed
    assert "beto (played in this match) agreed." in agreed
    again = text_of(press_ticket_button(ana, match, "settle", verdict="void", settlement="no"))
    assert "You can’t do this with a match in the state" in again


@pytest.mark.slow
def test_rejected_proposal_keeps_the_typed_reason(match: Match, people: list[Player]) -> None:
    ana, beto = browser(people[0]), browser(people[1])
    press_ticket_button(beto, match, "dispute", reason="it was 38")
    version = match.version
    press_ticket_button(beto, match, "settle", verdict="stands")
    sent = {"version": version, "verdict": "void", "reason": "nobody remembers"}
    stale = ana.post(f"/matches/{match.pk}/propose/", sent, follow=True).content.decode()
    assert "Someone has changed this match since you opened the page." in stale
    assert 'value="nobody remembers"' in stale


@pytest.mark.slow
def test_organiser_who_played_is_offered_no_decision(match: Match, people: list[Player]) -> None:
    ana = browser(people[0])
    corrections.dispute_match(
        match=match, version=match.version, by=people[1], at=timezone.now(), reason="38"
    )
    page = ana.get(f"/matches/{match.pk}/", follow=True).content.decode()
    assert "Propose that the match is void" in page
    assert (
        "This league has no other organiser. If nobody has agreed to your proposal by"
        in text_of(page)
    )
    assert f"/matches/{match.pk}/settle/" not in page
    assert f"/matches/{match.pk}/void/" not in page
    refused = press_ticket_button(ana, match, "settle", verdict="stands", settlement="I know")
    assert "You played in this match, so you can’t decide about it on your own." in refused
    staff = browser(factories.account("staff", is_superuser=True))
    shown = staff.get(f"/matches/{match.pk}/", follow=True).content.decode()
    assert f"/matches/{match.pk}/settle/" in shown
    assert f"/matches/{match.pk}/void/" in shown


@pytest.mark.slow
def test_hand_being_edited_is_saved_with_the_correction(people: list[Player]) -> None:
    rules = Rules(target=40).options()
    league = factories.league("dominoes", people[0], *people, rules=rules)
    held = [None, *({"tiles": tiles} for tiles in TILES)]
    hand = {"leader": None, "out": 0, "blocked": False, "held": held}
    match = factories.match(league, *people)
    match = hand_in(
        match=match, version=0, by=people[0], at=timezone.now(), content={"hands": [hand]}
    )
    ana, url = browser(people[0]), reverse("dominoes_hand", args=[match.pk])

    def press(do: str, **sent: object) -> str:
        match.refresh_from_db()
        return ana.post(
            url, {"do": do, "version": match.version, **sent}, follow=True
        ).content.decode()

    press("rewrite")
    press("edit:0")
    unfinished = press("finish", **fields(out="0", **HELD | {"held_3": "4|0 2|1"}))
    assert "The hand in the form is not saved yet" in unfinished
    assert match.sheets.count() == 1
    press("finish", **fields(out="0", **HELD | {"held_3": "4|0 2|2"}))
    match.refresh_from_db()
    assert match.sheet is not None
    assert (match.sheets.count(), match.sheet.points) == (2, [43, 0, 0, 0])
    assert match.sheet.content["hands"][0]["held"][3]["tiles"] == ["4|0", "2|2"]
