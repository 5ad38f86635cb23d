"""Notifications that leagues and circuits send to their players, organisers and directors."""

from __future__ import annotations

import datetime as dt

import pytest
from icalendar import Calendar

from accounts.models import Notice, User
from accounts.notifications import feeds
from accounts.notifications.queries import latest
from corridas.circuits.operations import offer_circuit
from corridas.models import Circuit, Deck
from leagues.fixtures.operations import draw_round_robin
from leagues.matches.operations.corrections import dispute_match
from leagues.matches.operations.matches import confirm
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import propose_claim
from leagues.models import League, Player
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True, scope="module")
def _highest_card() -> None:
    game.register()


def kinds_received(player: Player) -> list[str]:
    """Return the kinds of the notifications of a player's user, the oldest first."""
    rows = Notice.objects.filter(user=player.user).order_by("pk")
    return list(rows.values_list("kind", flat=True))


def test_players_are_notified_of_submitted_disputed_and_settled_results() -> None:
    ana, blas = world.account("ana"), world.account("blas")
    league = world.found_league(ana)
    world.enter_league(league, blas)
    match = world.handed_in(world.draft_match(league, [ana, blas]), ana, world.score(10, 3))
    assert (kinds_received(ana), kinds_received(blas)) == ([], ["match_waits"])
    assert blas.user is not None
    (line,) = latest(blas.user)
    assert line.text == (
        "ana has submitted the result ana 10, blas 3 (Highest card, Thursday). Is it correct?"
    )
    assert line.link == f"/matches/{match.pk}/"
    match = dispute_match(match=match, version=match.version, by=blas, at=world.NOW, reason="no")
    assert kinds_received(ana) == ["match_disputed"]
    match = world.handed_in(match, ana, world.score(3, 10))
    confirm(match=match, version=match.version, by=blas, at=world.NOW)
    assert kinds_received(ana) == ["match_disputed", "match_settled"]


def test_drawn_fixtures_are_notified_and_appear_in_personal_calendars() -> None:
    ana, blas, carla = (world.account(name) for name in ("ana", "blas", "carla"))
    league = world.found_league(ana, format=League.Format.ROUND_ROBIN)
    for player in (blas, carla):
        world.enter_league(league, player)
    draw_round_robin(league=league, by=ana, at=world.NOW)
    assert [kinds_received(player) for player in (ana, blas, carla)] == [
        [],
        ["fixture_drawn"],
        ["fixture_drawn"],
    ]
    assert blas.user is not None
    found = Calendar.from_ical(feeds.render_calendar(blas.user, now=world.NOW))
    names = [str(event["summary"]) for event in found.walk("VEVENT")]
    assert len(names) == 3
    assert sum("blas" in name for name in names) == 2
    # Each of the three players has one free round, so the entry is called a rest day and not a bye.
    assert names[2].startswith("Rest day: round ")
    stranger = User.objects.create_user("stranger")
    empty = Calendar.from_ical(feeds.render_calendar(stranger, now=world.NOW))
    assert not empty.walk("VEVENT")


def test_organisers_are_notified_when_somebody_claims_a_guest() -> None:
    ana, blas = world.account("ana"), world.account("blas")
    league = world.found_league(ana)
    guest = add_guest(league=league, name="Gus", by=ana, at=world.NOW).player
    propose_claim(guest=guest, by=blas, at=world.NOW)
    assert kinds_received(ana) == ["guest_claimed"]


def test_user_who_is_offered_a_circuit_is_notified() -> None:
    ana, blas = User.objects.create_user("ana"), User.objects.create_user("blas")
    circuit = Circuit.objects.create(
        slug="norte",
        name="Norte",
        owner=ana,
        deck=Deck.objects.create(name="d", digest="d", cards=""),
        founded_at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC),
    )
    offer_circuit(circuit=circuit, name="blas", by=ana)
    (line,) = latest(blas)
    assert line.text == "ana has offered you the circuit Norte."
