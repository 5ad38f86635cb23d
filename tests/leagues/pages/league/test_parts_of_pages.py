"""Parts of a league's pages that depend on the reader, on numbers, or on the league's state."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.conf import settings
from django.urls import reverse

from leagues.fixtures.absences import announce_absence
from leagues.fixtures.operations import draw_next_swiss, draw_round_robin
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, League, Member, Player
from leagues.pages.fixtures.swiss_draw import usual_hour
from leagues.pages.league import views
from tests.factories import browser
from tests.html_forms import sent_by
from tests.leagues import game, world
from tests.leagues.world import HOUR, NOW, called

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Player:
    return world.account("office")


def page(name: str, league: League, reader: Player | None = None, query: str = "") -> str:
    answer = browser(reader).get(reverse(name, args=[league.slug]) + query)
    assert answer.status_code == 200
    return " ".join(answer.text.partition("<main")[2].split())


def shown(text: str, parts: dict[str, str]) -> set[str]:
    return {name for name, part in parts.items() if part in text}


def test_page_of_a_ladder_offers_what_its_reader_may_do(office: Player) -> None:
    league = world.found_league(office, plays=False, visibility="public")
    parts = {
        "empty": "There are no players in this league yet.",
        "invite": "Invite the other players.",
        "enter": "Enter a match result",
        "ask": "Only players in this league can enter results.",
        "none": "No results count yet.",
        "matrix": 'id="matrix-h"',
        "everybody": "Everyone plays everyone",
        "no results": "No results have been entered yet.",
    }
    Member.objects.filter(player=office).update(plays=False)
    assert shown(page("league", league, office), parts) == {
        *("empty", "invite", "enter", "no results"),
    }
    assert shown(page("league", league), parts) == {"empty", "ask", "no results"}
    for name in ("ana", "beto", "sara"):
        world.enter_league(league, world.account(name))
    Member.objects.filter(player=called("sara")).update(plays=False, role=Member.Role.SCORER)
    everybody = {"none", "matrix", "no results"}
    for reader in (office, called("ana"), called("sara")):
        assert shown(page("league", league, reader), parts) == {"enter", *everybody}
    assert shown(page("league", league), parts) == {"ask", *everybody}
    League.objects.update(closed_at=NOW)
    assert "enter" not in shown(page("league", league, called("ana")), parts)


def test_page_of_a_league_counts_matches_and_shows_the_latest(
    office: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A matrix of too many players has its own page."""
    league = world.found_league(office, plays=False, visibility="public")
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    monkeypatch.setattr(views, "RECENT_RESULTS", 2)
    monkeypatch.setattr(views, "PAGE_SIZE", 2)
    monkeypatch.setattr(views, "MAX_MATRIX_PLAYERS", 2)
    for number, said in enumerate(("after 1 match<", "after 2 matches<", "after 3 matches<")):
        world.played(league, [ana, beto], [10, number], at=NOW + number * HOUR)
        assert said in page("league", league).replace(" <", "<")
        assert page("league", league).count('class="st-line') == min(number + 1, 2)
        found = page("league_results", league)
        assert ("page=2" in found) is (number == 2)
    pages = [page("league_results", league, query=f"?page={number}") for number in (0, 1, 2, 3)]
    assert [re.findall(r"10 : (\d)", text) for text in pages] == [
        *(["2", "1"], ["2", "1"], ["0"], []),
    ]
    assert 'id="matrix-h"' in page("league", league)
    world.enter_league(league, world.account("carla"))
    text = page("league", league)
    assert 'id="matrix-h"' not in text
    assert "Everyone plays everyone" in text
    history = page("league_history", league, query="?day=2026-03-05")
    assert "calculated from 3 matches that count today" in history
    assert f'{reverse("league_standing", args=[league.slug, ana.slug])}?day=2026-03-05"' in history
    before = page("league_history", league, query="?day=2026-03-04")
    assert "No matches that count had been played by that date." in before


def test_page_of_fixtures_offers_draws_to_organisers_only(office: Player) -> None:
    league = world.found_league(office, plays=False, visibility="public", format="swiss")
    ana, beto = world.account("ana"), world.account("beto")
    parts = {
        "draw": f'href="{reverse("league_draw", args=[league.slug])}"',
        "next": "Draw the next round",
        "undo": f'href="{reverse("league_undraw", args=[league.slug])}"',
        "reason": "1 fixture in the last round does not have a confirmed result yet.",
        "none": "No round has been drawn yet.",
        "deadline": "deadline: ",
        "completed": "completed",
        "absences": 'id="absences-h"',
        "announce": 'name="round"',
        "bye": "Bye (worth",
    }

    def found(reader: Player | None) -> set[str]:
        return shown(page("league_fixtures", league, reader), parts)

    for player in (ana, beto):
        world.enter_league(league, player)
    assert found(office) == {"draw", "next", "none", "absences", "announce"}
    assert found(ana) == {"none", "absences", "announce"}
    assert found(None) == {"none"}
    announce_absence(league=league, player=beto, round_number=2, by=office, at=NOW)
    assert found(None) == {"none", "absences"}
    league.refresh_from_db()
    draw_next_swiss(league=league, by=office, at=NOW, edition=league.edition)
    assert found(office) == {"undo", "reason", "deadline", "absences", "announce"}
    assert found(ana) == {"deadline", "absences", "announce"}
    world.play(Fixture.objects.get(), 10, 3)
    assert found(office) == {"draw", "next", "completed", "absences", "announce"}
    League.objects.update(closed_at=NOW)
    assert found(office) - {"absences"} == {"completed"}


def test_usual_hour_of_a_draw_is_that_of_the_latest_round(office: Player) -> None:
    league = world.found_league(office, plays=False, format="swiss", zone="Europe/Madrid")
    assert usual_hour(league) == dt.time(23, 59)
    for number, hour in ((1, 20), (2, 18)):
        deadline = dt.datetime(2026, 3, number, hour, tzinfo=dt.UTC)
        league.rounds.create(number=number, deadline=deadline, drawn_at=NOW)
    assert usual_hour(league) == dt.time(19)


def test_invitation_says_what_its_reader_can_do(office: Player) -> None:
    league = world.found_league(office, plays=False, about="On\nThursdays")
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    withdraw(league=league, player=beto, by=beto, at=NOW, handling=FixtureHandling.FORFEIT)
    parts = {
        "already": "You are already in this league.",
        "rejoin": "Rejoin the league",
        "join": "Join the league",
        "guest": "Join as a guest",
        "sign in": f"?next={reverse('league_join', args=[league.invitation])}",
        "closed": "This league is closed",
    }

    def found(reader: Player | None) -> set[str]:
        way = reverse("league_join", args=[league.invitation])
        text = browser(reader).get(way).text
        assert "On<br>Thursdays" in text
        return shown(text, parts)

    assert found(ana) == {"already"}
    assert found(beto) == {"already", "rejoin"}
    assert found(world.account("carla")) == {"join"}
    assert found(None) == {"guest", "sign in"}
    League.objects.update(closed_at=NOW)
    assert found(ana) == found(None) == {"closed"}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("ana", "beto"), "1 fixture has not been played yet."),
        (("ana", "beto", "carla"), "2 fixtures have not been played yet."),
    ],
)
def test_page_for_leaving_counts_fixtures(
    office: Player, names: tuple[str, ...], said: str
) -> None:
    """Only organisers choose what happens to the fixtures."""
    league = world.found_league(office, plays=False, format="round_robin", visibility="public")
    for name in names:
        world.enter_league(league, world.account(name))
    row = Member.objects.get(player__name="ana")
    way = reverse("member_leave", args=[league.slug, row.pk])

    def text(reader: Player) -> str:
        return " ".join(browser(reader).get(way).text.split())

    assert "not been played yet" not in text(office)
    draw_round_robin(league=league, by=office, at=NOW)
    own, theirs = text(called("ana")), text(office)
    assert said in own
    assert said in theirs
    assert "All fixtures that this player has not played will be forfeited." in own
    assert "Stay in the league" in own
    assert 'type="hidden" name="handling" value="forfeit"' in own
    assert "Stay in the league" not in theirs
    assert re.findall(r'name="handling" value="(\w+)"', theirs) == ["forfeit", "void"]


def test_first_draw_is_offered_to_organisers_on_the_page_of_the_league(office: Player) -> None:
    league = world.found_league(office, plays=False, visibility="public", format="round_robin")
    for name in ("ana", "beto"):
        world.enter_league(league, world.account(name))
    draw = f'href="{reverse("league_draw", args=[league.slug])}"'
    assert draw in page("league", league, office)
    assert draw not in page("league", league, called("ana"))
    assert draw not in page("league", league)
    draw_round_robin(league=league, by=office, at=NOW)
    assert draw not in page("league", league, office)
    League.objects.update(closed_at=NOW)
    league.rounds.all().delete()
    assert draw not in page("league", league, office)


def test_reader_is_marked_in_the_standings_also_under_a_merged_name(office: Player) -> None:
    league = world.found_league(office, plays=False, visibility="public")
    gus = add_guest(league=league, name="Gus", by=office, at=NOW).player
    ana = world.account("ana")
    world.enter_league(league, world.account("beto"))
    assert "is-you" not in page("league", league, ana)
    merge_players(absorbed=gus, kept=ana, by=world.account("boss", is_superuser=True), at=NOW)
    text = page("league", league, ana)
    assert text.count("is-you") == 1
    assert '<span class="lg-note">you</span>' in text
    assert "is-you" not in page("league", league)


def test_form_of_a_new_league_begins_with_usual_settings(office: Player) -> None:
    """Organisers who do not play are no players of their league."""
    client = browser(office)
    client.cookies[settings.ZONE_COOKIE_NAME] = "Asia/Tokyo"
    way = reverse("league_new") + f"?game={game.KEY}"
    text = " ".join(client.get(way).text.split())
    chosen = re.findall(r'<input type="radio" name="(\w+)" value="(\w+)"[^>]* checked', text)
    assert dict(chosen) == {"format": "ladder", "visibility": "link"}
    assert '<option value="Asia/Tokyo" selected>' in text
    sent = sent_by(text, having="zone") | {"name": "Mine"}
    sent.pop("plays", None)
    assert client.post(way, sent).status_code == 302
    assert not Member.objects.get(league__name="Mine").plays
    assert 'name="zone"' not in client.get(reverse("league_new")).text, "several games"
    assert client.get(reverse("league_new") + "?game=chess").status_code == 404


def test_closing_a_league_counts_what_is_left(office: Player) -> None:
    league = world.found_league(office, plays=False)
    ana, beto = world.account("ana"), world.account("beto")
    for player in (ana, beto):
        world.enter_league(league, player)
    assert "There are no fixtures left to play." in page("league_close", league, office)
    assert "draft" not in page("league_close", league, office)
    for count, said in ((1, "1 match is still a draft"), (2, "2 matches are still drafts")):
        world.draft_match(league, [ana, beto], at=NOW + count * HOUR)
        assert said in page("league_close", league, office)
