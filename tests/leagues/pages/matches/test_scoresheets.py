"""Scoresheets printed before a match: of a fixture, and of a whole round."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leagues.fixtures.operations import draw_round_robin
from leagues.games import games
from leagues.matches.operations import matches
from leagues.matches_read import drafts_of_player
from leagues.models import Fixture, League, Match, Player, Round
from leagues.templatetags.qr import qr
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Form
from tests.leagues.pages.matches.games import DOMINOES, ELTORO

CODE = 'class="qr"'
# Games in which entering a result needs no preparation.
written = pytest.mark.parametrize(
    "form", [DOMINOES, ELTORO], indirect=True, ids=["dominoes", "eltoro"]
)


@pytest.fixture
def league(form: Form, boss: Player, people: list[Player]) -> League:
    """Create a drawn round robin with two tables in its first round."""
    others = [account(f"guest-of-{person}") for person in people]
    robin = League.Format.ROUND_ROBIN
    found = form.league(boss, *people, *others, format=robin, seats=len(people))
    draw_round_robin(league=found, by=boss, at=timezone.now())
    return found


@pytest.fixture
def fixtures(league: League) -> list[Fixture]:
    """Return the fixtures of the first round."""
    return list(Fixture.objects.filter(round__league=league, round__number=1).order_by("number"))


@pytest.fixture
def printing(league: League) -> str:
    """Return the URL that prints all scoresheets of the first round."""
    return reverse("round_scoresheets", args=[league.slug, 1])


def key_of(match: Match) -> str:
    return qr(f"http://testserver{reverse('match_key', args=[match.key])}")


def test_fixture_page_offers_a_scoresheet_to_print(form: Form, fixtures: list[Fixture]) -> None:
    fixture = fixtures[0]
    seat = fixture.seats.order_by("number")[0]
    client = browser(seat.player)
    page = client.get(reverse("fixture", args=[fixture.round.league.slug, fixture.pk])).text
    assert "Print scoresheet" in page
    paper = client.post(reverse("fixture_match", args=[fixture.pk]), {"print": "1"}, follow=True)
    match = Match.objects.get(fixture=fixture)
    assert paper.redirect_chain[0][0].startswith(reverse(games[form.game].scoresheets))
    assert key_of(match) in paper.text
    assert seat.player.name in paper.text


def test_fixture_with_a_printed_scoresheet_can_still_be_played(fixtures: list[Fixture]) -> None:
    fixture = fixtures[0]
    client = browser(fixture.seats.order_by("number")[0].player)
    client.post(reverse("fixture_match", args=[fixture.pk]), {"print": "1"})
    page = client.get(reverse("fixture", args=[fixture.round.league.slug, fixture.pk])).text
    assert "Enter result" in page
    assert ("Play here" in page) is games[fixture.round.league.game].played_here


@pytest.mark.slow
def test_all_scoresheets_of_a_round_are_printed_together(
    boss: Player, fixtures: list[Fixture], league: League, printing: str
) -> None:
    client = browser(boss)
    page = client.get(reverse("league_fixtures", args=[league.slug])).text
    assert f'action="{printing}"' in page
    paper = client.post(printing, follow=True).text
    opened = [Match.objects.get(fixture=fixture) for fixture in fixtures]
    assert len(opened) == 2
    for match in opened:
        assert key_of(match) in paper
    assert client.post(printing, follow=True).text.count(CODE) == paper.count(CODE)
    assert Match.objects.count() == 2


@pytest.mark.slow
@written
def test_scoresheet_of_a_submitted_match_is_not_printed(
    form: Form, boss: Player, league: League, fixtures: list[Fixture], printing: str
) -> None:
    first, second = fixtures
    match = matches.open_match(by=boss, at=timezone.now(), fixture=first)
    matches.hand_in(match=match, version=0, by=boss, at=timezone.now(), content=form.sheet(match))
    paper = browser(boss).post(printing, follow=True).text
    assert key_of(match) not in paper
    assert key_of(Match.objects.get(fixture=second)) in paper
    Fixture.objects.filter(pk=second.pk).update(state=Fixture.State.VOID)
    told = browser(boss).post(printing, follow=True)
    assert told.redirect_chain == [(reverse("league_fixtures", args=[league.slug]), 302)]
    assert "All matches in this round have already been entered." in told.text


def test_only_scorers_can_print_the_scoresheets_of_a_round(
    boss: Player, people: list[Player], league: League, printing: str
) -> None:
    player = browser(people[0])
    assert printing not in player.get(reverse("league_fixtures", args=[league.slug])).text
    for client in (player, Client()):
        assert client.post(printing).status_code == 404
    assert not Match.objects.exists()
    there = reverse("round_scoresheets", args=[league.slug, 99])
    page = browser(boss).post(there, follow=True).text
    assert "This round no longer exists, because its draw was undone." in page


def test_scoresheet_of_a_hidden_match_is_not_printed(
    form: Form, boss: Player, fixtures: list[Fixture], printing: str
) -> None:
    address = browser(boss).post(printing)["Location"]
    for client in (Client(), browser(account("stranger"))):
        assert client.get(address).status_code == 404
    without = reverse(games[form.game].scoresheets)
    assert browser(boss).get(without).status_code == 404
    assert browser(boss).get(f"{without}?match=x&match=999999").status_code == 404


def test_printed_scoresheets_are_no_drafts_of_the_organiser_or_players(
    boss: Player, people: list[Player], fixtures: list[Fixture], printing: str
) -> None:
    browser(boss).post(printing)
    assert drafts_of_player(boss) == []
    seated = fixtures[0].seats.order_by("number")[0].player
    assert drafts_of_player(seated) == []
    match = Match.objects.get(fixture=fixtures[0])
    matches.save_draft(match=match, version=match.version, content={}, by=boss)
    assert [line.match for line in drafts_of_player(boss)] == [match]
    assert [line.match for line in drafts_of_player(seated)] == [match]


@written
@pytest.mark.parametrize(
    ("hours", "said", "played"), [(2, None, 0), (80, None, 80), (80, 30, 30)], ids=str
)
def test_match_with_a_printed_scoresheet_is_played_when_it_is_entered(
    form: Form, boss: Player, fixtures: list[Fixture], hours: int, said: int | None, played: int
) -> None:
    """The day of printing does not count. A time of play can be entered."""
    now = timezone.now()
    printed = now - dt.timedelta(hours=hours)
    Round.objects.update(drawn_at=printed)
    match = matches.open_match(by=boss, at=printed, fixture=fixtures[0])
    handed = matches.hand_in(
        match=match,
        version=0,
        by=boss,
        at=now,
        content=form.sheet(match),
        played_at=None if said is None else printed + dt.timedelta(hours=said),
    )
    assert handed.played_at == printed + dt.timedelta(hours=played)
