"""Pages offer exactly what the operations accept, and report what has changed meanwhile."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from leagues.exceptions import FixtureGone, OperationError
from leagues.fixtures import queries as fixture_queries
from leagues.fixtures.operations import (
    FixtureAction,
    allowed_fixture_actions,
    draw_next_swiss,
    forfeit_fixture,
    postpone_fixture,
    restore_fixture,
    undraw,
    void_fixture,
)
from leagues.fixtures.opponents import preview_swap, swap_candidates
from leagues.fixtures.vacancies import Replacement, fill_vacancy
from leagues.league.operations import close_league
from leagues.matches.operations.matches import may_rematch, open_match, open_round
from leagues.matches_read import drafts_of_player
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.members.operations.merging import (
    answer_claim,
    guest_link,
    merge_players,
    propose_claim,
)
from leagues.models import Fixture, League, Match, Member, Player
from leagues.tables.operations.lobby import create_table
from tests.factories import browser
from tests.leagues import world
from tests.leagues.world import NOW, handed_in, play, score, seated

pytestmark = pytest.mark.django_db

DAY = dt.timedelta(days=1)


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def organiser(office: Player) -> Client:
    return browser(office)


@pytest.fixture
def robin(office: Player) -> League:
    return world.round_robin(office, ["ana", "beto", "carla", "dora"], zone="Europe/Madrid")


@pytest.fixture
def swiss(office: Player) -> League:
    league = world.found_league(
        office, plays=False, format="swiss", visibility="public", name="Swiss"
    )
    for name in ("ana", "beto", "carla", "dora", "eva"):
        known = Player.objects.filter(name=name).first()
        world.enter_league(league, known or world.account(name))
    draw_next_swiss(league=league, by=office, at=NOW)
    return league


@pytest.fixture
def dominoes() -> dict[str, object]:
    """Settings of a league at dominoes, a game with scoresheets to print and game tables on the
    site.
    """
    return {"game": "dominoes", "profile": "rulebook"}


def text(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def change(league: League, fixture: Fixture, what: str) -> str:
    return f'action="{reverse("fixture_change", args=[league.slug, fixture.pk, what])}"'


@pytest.mark.slow
def test_printing_all_scoresheets_leaves_links_to_the_fixtures(
    organiser: Client, office: Player, dominoes: dict[str, object]
) -> None:
    robin = world.round_robin(office, ["ana", "beto", "carla", "dora"], **dominoes)
    fixture = world.first_fixture(robin)
    address = f'href="{reverse("fixture", args=[robin.slug, fixture.pk])}"'
    assert address in text(organiser, "league_fixtures", robin.slug)
    organiser.post(reverse("round_scoresheets", args=[robin.slug, 1]))
    match = Match.objects.get(fixture=fixture)
    assert match.state == Match.State.DRAFT
    for name in ("league_fixtures", "league"):
        page = text(organiser, name, robin.slug)
        assert address in page
        assert f'href="{reverse("match", args=[match.pk])}' not in page
    page = text(organiser, "fixture", robin.slug, fixture.pk)
    for what in ("postpone", "forfeit", "void"):
        assert change(robin, fixture, what) in page
    # The form of the match links to the fixture.
    form = organiser.get(reverse("match", args=[match.pk]), follow=True).content.decode()
    assert address in form
    # The printed scoresheet still opens the same match.
    organiser.post(reverse("fixture_match", args=[fixture.pk]))
    assert Match.objects.filter(fixture=fixture).get() == match


def test_printed_scoresheet_is_no_draft_of_the_players(office: Player, robin: League) -> None:
    open_round(robin.rounds.all()[0], by=office, at=NOW)
    fixture = world.first_fixture(robin)
    ana = seated(fixture)[0]
    assert drafts_of_player(ana) == []
    assert next(line.fixture for line in fixture_queries.fixtures_of_player(ana)) == fixture
    Match.objects.filter(fixture=fixture).update(draft=score(1, 0))
    assert [line.match.fixture for line in drafts_of_player(ana)] == [fixture]


def test_fixture_with_a_submitted_result_cannot_be_forfeited_on_its_page(
    organiser: Client, office: Player, robin: League
) -> None:
    fixture = world.first_fixture(robin)
    one = seated(fixture)[0]
    match = handed_in(open_match(fixture=fixture, by=one, at=NOW), one, score(10, 3))
    page = text(organiser, "fixture", robin.slug, fixture.pk)
    assert change(robin, fixture, "postpone") in page
    assert change(robin, fixture, "forfeit") not in page
    assert change(robin, fixture, "void") not in page
    assert "Void the result before you declare a forfeit or void the fixture." in page
    assert f'action="{reverse("fixture_match", args=[fixture.pk])}"' not in page
    assert f'href="{reverse("match", args=[match.pk])}"' in page
    assert f'href="{reverse("match", args=[match.pk])}' in text(
        organiser, "league_fixtures", robin.slug
    )


Step = Callable[[Fixture, Player], object]
ACTS: dict[FixtureAction, Step] = {
    FixtureAction.POSTPONE: lambda one, by: postpone_fixture(
        fixture=one, by=by, at=NOW, deadline=NOW + DAY
    ),
    FixtureAction.FORFEIT: lambda one, by: forfeit_fixture(fixture=one, seats=[1], by=by, at=NOW),
    FixtureAction.VOID: lambda one, by: void_fixture(fixture=one, by=by, at=NOW, reason="x"),
    FixtureAction.RESTORE: lambda one, by: restore_fixture(fixture=one, by=by, at=NOW),
}


def _waits(fixture: Fixture, by: Player) -> None:
    handed_in(open_match(fixture=fixture, by=by, at=NOW), by, score(10, 3))


def _swapped_away(fixture: Fixture, by: Player) -> None:
    """Void the fixture, and give one of its players the bye instead."""
    void_fixture(fixture=fixture, by=by, at=NOW, reason="x")
    other = Fixture.objects.filter(round=fixture.round).exclude(pk=fixture.pk).get()
    seat = other.seats.all()[0]
    seat.player = seated(fixture)[0]
    seat.save()


SITUATIONS: dict[str, tuple[Step, set[str]]] = {
    "open": (lambda one, by: None, {"postpone", "forfeit", "void"}),
    "printed": (
        lambda one, by: open_round(one.round, by=by, at=NOW),
        {"postpone", "forfeit", "void"},
    ),
    "postponed": (ACTS[FixtureAction.POSTPONE], {"postpone", "forfeit", "void"}),
    "waits": (_waits, {"postpone"}),
    "played": (lambda one, by: play(one, 10, 3), set()),
    "forfeited": (ACTS[FixtureAction.FORFEIT], set()),
    "void": (ACTS[FixtureAction.VOID], {"restore"}),
    "void, and its player has another match": (_swapped_away, set()),
    "closed": (lambda one, by: close_league(league=one.round.league, by=by, at=NOW), set()),
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_actions_offered_for_a_fixture_are_those_that_operations_accept(
    office: Player, swiss: League, situation: str
) -> None:
    step, expected = SITUATIONS[situation]
    fixture = world.first_fixture(swiss)
    step(fixture, office)
    fixture = fixture_queries.fixture_line(fixture).fixture
    assert {action.value for action in allowed_fixture_actions(fixture, office)} == expected
    assert allowed_fixture_actions(fixture, seated(fixture)[0]) == set()
    for action, act in ACTS.items():
        accepted = True
        try:
            with transaction.atomic():
                act(fixture, office)
                transaction.set_rollback(True)
        except OperationError:
            accepted = False
        assert accepted == (action.value in expected), action


@pytest.mark.slow
def test_draw_is_offered_only_if_it_is_possible(
    organiser: Client, office: Player, robin: League, swiss: League
) -> None:
    for league, reason in (
        (robin, "The rounds of this league have already been drawn."),
        (swiss, "2 fixtures in the last round do not have a confirmed result yet."),
    ):
        page = text(organiser, "league_fixtures", league.slug)
        assert f'href="{reverse("league_draw", args=[league.slug])}"' not in page
        assert reason in page
        undoing = f'href="{reverse("league_undraw", args=[league.slug])}"'
        assert undoing in page
        assert undoing in text(organiser, "league_draw", league.slug)
    for fixture in Fixture.objects.filter(round__league=swiss):
        play(fixture, 10, 3)
    page = text(organiser, "league_fixtures", swiss.slug)
    assert f'href="{reverse("league_draw", args=[swiss.slug])}"' in page
    for name in ("league_fixtures", "league_draw"):
        assert reverse("league_undraw", args=[swiss.slug]) not in text(organiser, name, swiss.slug)


def test_joining_is_not_offered_after_the_draw(
    organiser: Client, office: Player, robin: League
) -> None:
    join = reverse("league_join", args=[robin.invitation])
    said = "The fixtures of this league have been drawn, so nobody else can join."
    for client in (Client(), browser(world.account("late"))):
        page = client.get(join).content.decode()
        assert said in page
        assert 'method="post"' not in page.split("<main")[1].split("</main>")[0]
    players = text(organiser, "league_members", robin.slug)
    assert robin.invitation not in players
    assert reverse("league_guest", args=[robin.slug]) not in players
    undraw(league=robin, by=office, at=NOW)
    assert 'name="name"' in Client().get(join).content.decode()
    players = text(organiser, "league_members", robin.slug)
    assert robin.invitation in players
    assert reverse("league_guest", args=[robin.slug]) in players


def test_playing_member_is_not_asked_to_rejoin(office: Player) -> None:
    league = world.found_league(office, visibility="public")
    ana = world.account("ana")
    world.enter_league(league, ana)
    join, rejoin = reverse("league_join", args=[league.invitation]), "Rejoin the league"
    assert rejoin not in browser(ana).get(join).content.decode()
    withdraw(league=league, player=ana, by=ana, at=NOW, handling=FixtureHandling.FORFEIT)
    assert rejoin in browser(ana).get(join).content.decode()


@pytest.mark.slow
def test_guest_can_be_claimed_again_only_after_a_rejection(
    organiser: Client, office: Player
) -> None:
    league = world.found_league(office, visibility="public")
    guest = add_guest(league=league, name="Anita", by=office, at=NOW).player
    ana = world.account("ana")
    world.enter_league(league, ana)
    client, address = browser(ana), reverse("player_claim", args=[guest.slug])
    assert address in text(client, "player", guest.slug)
    claim = propose_claim(guest=guest, by=ana, at=NOW)
    page = text(client, "player", guest.slug)
    assert address not in page
    assert "You have claimed to be this player. An organiser will decide." in page
    again = text(client, "player_claim", guest.slug)
    assert "You have already claimed to be this guest." in again
    assert "Yes, that’s me</button>" not in again
    assert 'value="yes"' in text(organiser, "league_members", league.slug)
    answer_claim(claim=claim, granted=False, by=office, at=NOW)
    page = text(client, "player", guest.slug)
    assert address in page
    assert "You have claimed to be this player." not in page
    assert "Yes, that’s me</button>" in text(client, "player_claim", guest.slug)


@pytest.mark.slow
def test_own_claim_and_merge_of_opponents_are_not_offered(office: Player) -> None:
    league = world.found_league(office, visibility="public")
    guest = add_guest(league=league, name="Anita", by=office, at=NOW).player
    other = world.account("other")
    world.enter_league(league, other)
    world.give_role(league, other, Member.Role.ORGANISER)
    propose_claim(guest=guest, by=office, at=NOW)
    own = text(browser(office), "league_members", league.slug)
    assert "Another organiser must make this decision." in own
    assert 'name="granted"' not in own
    assert 'value="yes"' in text(browser(other), "league_members", league.slug)
    # Players who have meanwhile met in a match are two people.
    world.played(league, [office, guest], [10, 4])
    page = text(browser(other), "league_members", league.slug)
    assert 'value="yes"' not in page
    assert 'value="no"' in page
    link = text(browser(office), "player", guest.slug)
    assert reverse("player_claim", args=[guest.slug]) not in link


def test_choices_for_the_role_of_a_member_omit_roles_that_would_be_rejected(
    organiser: Client, office: Player
) -> None:
    league = world.found_league(office, visibility="public")
    guest = add_guest(league=league, name="Anita", by=office, at=NOW)
    own = Member.objects.get(league=league, player=office)
    page = text(organiser, "league_members", league.slug)
    assert f'id="role-{own.pk}"' not in page
    choice = page.split(f'id="role-{guest.pk}"')[1].split("</select>")[0]
    assert re.findall(r'value="(\w+)"', choice) == ["scorer", "player"]
    world.enter_league(league, world.account("beto"))
    world.give_role(league, world.called("beto"), Member.Role.ORGANISER)
    assert f'id="role-{own.pk}"' in text(organiser, "league_members", league.slug)


def test_link_and_merge_are_offered_only_for_guests_that_are_not_merged(
    organiser: Client, office: Player
) -> None:
    league = world.found_league(office, visibility="public")
    world.enter_league(league, world.account("beto"))
    anita, benita = (
        add_guest(league=league, name=name, by=office, at=NOW) for name in ("Anita", "Benita")
    )

    def offered(client: Client) -> list[set[str]]:
        """Return the members whose menus offer a link, and those whose menus offer a merge."""
        page = text(client, "league_members", league.slug)
        members = Member.objects.filter(league=league).select_related("player")
        return [
            {
                member.player.name
                for member in members
                if f'="{reverse(view, args=[league.slug, member.pk])}"' in page
            }
            for view in ("member_link", "member_merge")
        ]

    assert offered(organiser) == [{"Anita", "Benita"}] * 2
    assert offered(Client()) == [set(), set()]
    merge_players(absorbed=anita.player, kept=benita.player, by=office, at=NOW)
    assert offered(organiser) == [{"Benita"}] * 2
    with pytest.raises(OperationError, match="is no longer a guest"):
        guest_link(guest=Player.objects.get(pk=anita.player_id), by=office)


def test_swap_is_not_offered_for_a_started_fixture(
    office: Player, dominoes: dict[str, object]
) -> None:
    league = world.found_league(office, plays=False, format="swiss", **dominoes)
    for name in ("ana", "beto", "carla", "dora", "eva"):
        world.enter_league(league, world.account(name))
    draw_next_swiss(league=league, by=office, at=NOW)
    first, second = Fixture.objects.order_by("number")
    everybody = {player.name for player in swap_candidates(first)}
    assert {player.name for player in seated(second)} < everybody
    one = seated(second)[0]
    handed_in(open_match(fixture=second, by=one, at=NOW), one, {"totals": [102, 3]})
    left = {player.name for player in swap_candidates(first)}
    assert left == everybody - {player.name for player in seated(second)}
    assert swap_candidates(second) == []
    ana = seated(first)[0]
    opening = f"{reverse('new_table')}?fixture={first.pk}"
    assert opening in text(browser(ana), "fixture", league.slug, first.pk)
    create_table(host=ana, at=NOW, fixture=first)
    assert swap_candidates(first) == []
    assert opening not in text(browser(ana), "fixture", league.slug, first.pk)


def test_scoresheets_are_offered_only_for_games_that_have_them(
    organiser: Client, robin: League
) -> None:
    fixture = world.first_fixture(robin)
    page = text(organiser, "league_fixtures", robin.slug)
    assert reverse("round_scoresheets", args=[robin.slug, 1]) not in page
    page = text(organiser, "fixture", robin.slug, fixture.pk)
    assert "Enter result" in page
    assert "Print scoresheet" not in page


def test_rematch_is_not_offered_against_a_player_who_left(office: Player) -> None:
    league = world.found_league(office)
    ana = world.account("ana")
    world.enter_league(league, ana)
    match = world.played(league, [office, ana], [10, 4])
    assert may_rematch(match, office)
    withdraw(league=league, player=ana, by=ana, at=NOW, handling=FixtureHandling.FORFEIT)
    assert not may_rematch(match, office)


GONE = "This fixture no longer exists, because its draw has been undone."


@pytest.mark.parametrize("what", ["postpone", "forfeit", "void", "restore", "replace"])
def test_change_of_a_fixture_reports_that_its_draw_was_undone(
    organiser: Client, office: Player, robin: League, what: str
) -> None:
    fixture = world.first_fixture(robin)
    undraw(league=robin, by=office, at=NOW)
    address = reverse("fixture_change", args=[robin.slug, fixture.pk, what])
    given = {"deadline": "2099-01-01T10:00", "reason": "x", "seats": "1", "handling": "bye"}
    answer = organiser.post(address, given, follow=True)
    assert answer.redirect_chain == [(reverse("league_fixtures", args=[robin.slug]), 302)]
    assert GONE in answer.content.decode()


@pytest.mark.slow
def test_pages_of_a_fixture_report_that_its_draw_was_undone(
    organiser: Client, office: Player, robin: League
) -> None:
    fixture = world.first_fixture(robin)
    ana = browser(seated(fixture)[0])
    undraw(league=robin, by=office, at=NOW)
    for client, method, address in (
        (organiser, "get", reverse("fixture", args=[robin.slug, fixture.pk])),
        (organiser, "get", reverse("fixture_opponent", args=[robin.slug, fixture.pk])),
        (ana, "post", reverse("fixture_match", args=[fixture.pk])),
        (ana, "get", f"{reverse('new_table')}?fixture={fixture.pk}"),
    ):
        answer = getattr(client, method)(address, follow=True)
        assert answer.status_code == 200, address
        assert GONE in answer.content.decode(), address
    printed = organiser.post(
        reverse("round_scoresheets", args=[robin.slug, 1]), follow=True
    ).content.decode()
    assert "This round no longer exists, because its draw was undone." in printed
    # An unknown number is not found, nor is a fixture of a league that the user cannot see.
    assert organiser.get(reverse("fixture", args=[robin.slug, 10**6])).status_code == 404
    League.objects.filter(pk=robin.pk).update(visibility="private")
    stranger = browser(world.account("stranger"))
    assert stranger.post(reverse("fixture_match", args=[fixture.pk])).status_code == 404


@pytest.mark.slow
def test_draw_undone_between_two_queries_causes_no_error(
    organiser: Client, office: Player, swiss: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    fixture = world.first_fixture(swiss)
    ana, other = seated(fixture)[0], seated(Fixture.objects.order_by("number")[1])[0]
    found = Fixture.objects.select_related("round__league").get(pk=fixture.pk)

    def undone_meanwhile(_league: League, _pk: int) -> Fixture:
        Fixture.objects.filter(round__league=swiss).delete()
        return found

    for view in ("views", "opponents"):
        monkeypatch.setattr(f"leagues.pages.fixtures.{view}.fixture_of", undone_meanwhile)
    for name in ("fixture", "fixture_opponent"):
        answer = organiser.get(reverse(name, args=[swiss.slug, fixture.pk]), follow=True)
        assert GONE in answer.content.decode(), name
    gone: list[Callable[[], object]] = [
        *(partial(act, found, office) for act in ACTS.values()),
        lambda: preview_swap(fixture=found, player=ana, other=other),
        lambda: fill_vacancy(fixture=found, replacement=Replacement.BYE, by=office, at=NOW),
        lambda: open_match(fixture=found, by=ana, at=NOW),
        lambda: create_table(host=ana, at=NOW, fixture=found),
        lambda: fixture_queries.fixture_line(found),
    ]
    for act in gone:
        with pytest.raises(FixtureGone):
            act()


def test_entering_a_match_is_the_first_button_of_a_ladder(office: Player) -> None:
    league = world.found_league(office, visibility="public")
    entering = f'href="{reverse("league_new_match", args=[league.slug])}"'
    main = text(browser(office), "league", league.slug).split("<main")[1]
    assert re.findall(r'<(?:a|button)[^>]*class="btn[^>]*>', main)[0].find(entering) > 0
    assert main.index(entering) < main.index('id="standings-h"')
    assert main.count(entering) == 1
    assert entering not in text(Client(), "league", league.slug)
    close_league(league=league, by=office, at=NOW)
    assert entering not in text(browser(office), "league", league.slug)


def test_next_match_to_play_comes_first_in_a_league_with_rounds(robin: League) -> None:
    fixture = world.first_fixture(robin)
    ana = seated(fixture)[0]
    address = f'href="{reverse("fixture", args=[robin.slug, fixture.pk])}"'
    main = text(browser(ana), "league", robin.slug).split("<main")[1]
    assert main.index(address) < main.index('id="standings-h"')
    assert "Play your match" in main
    play(fixture, 10, 4)
    assert "Play your match" not in text(browser(ana), "league", robin.slug)


def test_list_of_matches_to_play_names_game_and_league(robin: League) -> None:
    fixture = world.first_fixture(robin)
    ana = seated(fixture)[0]
    page = text(browser(ana), "leagues").split("To be played")[1].split("</section>")[0]
    line = page.split("</li>")[0]
    assert f'<a href="{reverse("league", args=[robin.slug])}">Robin</a>' in line
    assert "Highest card" in line


@pytest.mark.slow
def test_deadlines_have_weekday_and_time_zone_of_the_league(office: Player, robin: League) -> None:
    fixture = world.first_fixture(robin)
    deadline = dt.datetime(2099, 7, 3, 23, 30, tzinfo=ZoneInfo("Europe/Madrid"))
    postpone_fixture(fixture=fixture, by=office, at=NOW, deadline=deadline)
    robin.rounds.filter(number=1).update(deadline=deadline)
    ana = browser(seated(fixture)[0])
    page = text(ana, "leagues").split("To be played")[1]
    # The list of leagues has no single time zone, so each deadline names that of its league.
    assert "Friday 3 Jul, 23:30 (Europe/Madrid)" in page
    for name, args in (
        ("league", [robin.slug]),
        ("league_fixtures", [robin.slug]),
    ):
        page = text(ana, name, *args)
        assert "deadline: Friday 3 Jul, 23:30" in " ".join(page.split())
        assert "Europe/Madrid)" not in page
    # A visitor with another time zone sees the league's time as well.
    ana.cookies[settings.ZONE_COOKIE_NAME] = "America/New_York"
    assert "Friday 3 Jul, 23:30 (Europe/Madrid)" in text(ana, "league_fixtures", robin.slug)
    page = text(ana, "fixture", robin.slug, fixture.pk)
    assert "Friday 3 July 2099, 23:30 (Europe/Madrid)" in page


def test_new_deadline_is_entered_in_the_time_zone_of_the_league(
    organiser: Client, robin: League
) -> None:
    fixture = world.first_fixture(robin)
    organiser.cookies[settings.ZONE_COOKIE_NAME] = "America/New_York"
    assert "Time zone: Europe/Madrid" in text(organiser, "fixture", robin.slug, fixture.pk)
    address = reverse("fixture_change", args=[robin.slug, fixture.pk, "postpone"])
    assert organiser.post(address, {"deadline": "2099-07-03T21:00"}).status_code == 302
    fixture.refresh_from_db()
    assert fixture.deadline == dt.datetime(2099, 7, 3, 21, tzinfo=ZoneInfo("Europe/Madrid"))
