"""Pages of a league: who can see them, what can be done there, and that no input is lost."""

from __future__ import annotations

import datetime as dt
import re
from fractions import Fraction

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from icalendar import Calendar
from pytest_django import DjangoAssertNumQueries

from leagues.fixtures.operations import draw_round_robin
from leagues.models import Fixture, League, Match, Member, Player
from leagues.templatetags.qr import qr
from leagues.text import score
from tests.leagues import game
from tests.leagues.world import NOW, account, enter_league, found_league, guest, played, round_robin

pytestmark = pytest.mark.django_db


def seat(client: Client, player: Player) -> Client:
    assert player.user is not None
    client.force_login(player.user)
    return client


@pytest.fixture
def ana() -> Player:
    return account("ana")


@pytest.fixture
def berta() -> Player:
    return account("berta")


@pytest.fixture
def ladder(ana: Player, berta: Player) -> League:
    league = found_league(ana, visibility=League.Visibility.PUBLIC)
    enter_league(league, berta)
    return league


def page(client: Client, name: str, *args: object) -> str:
    answer = client.get(reverse(name, args=args))
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


READABLE = (
    "league",
    "league_results",
    "league_fixtures",
    "league_matrix",
    "league_history",
    "league_rules",
    "league_members",
)


@pytest.mark.parametrize("name", READABLE)
def test_strangers_can_open_every_page_of_a_public_league(
    client: Client, ladder: League, name: str
) -> None:
    assert "Thursday" in page(client, name, ladder.slug)


@pytest.mark.parametrize("name", [*READABLE, "league_calendar"])
def test_pages_of_a_private_league_are_not_found_by_strangers(
    client: Client, ana: Player, name: str
) -> None:
    league = found_league(ana, visibility=League.Visibility.PRIVATE)
    assert client.get(reverse(name, args=[league.slug])).status_code == 404
    assert seat(client, ana).get(reverse(name, args=[league.slug])).status_code == 200


def test_unlisted_league_can_be_opened_but_is_not_listed(client: Client, ana: Player) -> None:
    league = found_league(ana, name="Quiet", visibility=League.Visibility.LINK)
    assert "Quiet" in page(client, "league", league.slug)
    assert "Quiet" not in page(client, "leagues")
    assert len(league.slug) > len("quiet-") + 10


def test_standings_change_with_a_confirmed_result_and_mark_ties(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    before = page(client, "league", ladder.slug)
    assert (
        "No results count yet. The first result counts as soon as a second player confirms it."
        in before
    )
    played(ladder, [ana, berta], [10, 3])
    after = page(client, "league", ladder.slug)
    assert "after 1 match" in after
    assert "+7" in after
    assert after.index(">ana<") < after.index(">berta<") or after.index("ana") < after.index(
        "berta"
    )


def test_league_page_of_a_stranger_is_cached_until_the_league_changes(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    first = client.get(reverse("league", args=[ladder.slug]))
    again = client.get(
        reverse("league", args=[ladder.slug]), headers={"if-none-match": first["ETag"]}
    )
    assert again.status_code == 304
    played(ladder, [ana, berta], [10, 3])
    fresh = client.get(
        reverse("league", args=[ladder.slug]), headers={"if-none-match": first["ETag"]}
    )
    assert fresh.status_code == 200


def test_cached_league_page_shows_fixtures_overdue_after_their_deadline(
    client: Client, ana: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing else has changed in between. At the exact deadline, a fixture is not overdue yet."""
    league = round_robin(ana, ["berta", "carla"])
    deadline = Fixture.objects.get().deadline.replace(minute=0, second=0, microsecond=0)
    Fixture.objects.update(deadline=deadline)
    for seconds, overdue in ((-1, False), (0, False), (3600, True)):
        now = deadline + dt.timedelta(seconds=seconds)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        for _visit in range(2):
            assert ("overdue:" in page(client, "league", league.slug)) is overdue


def test_history_page_shows_the_standings_of_a_day(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    played(ladder, [ana, berta], [10, 3], at=NOW)
    address = reverse("league_history", args=[ladder.slug])
    before = client.get(address, {"day": (NOW - dt.timedelta(days=1)).date().isoformat()})
    assert "No matches that count had been played by that date." in before.content.decode()
    after = client.get(address, {"day": NOW.date().isoformat()})
    assert "These standings are calculated from 1 match" in after.content.decode()
    assert "not rated yet" not in after.content.decode()
    assert "prov." in after.content.decode()
    played(ladder, [ana, berta], [3, 10], at=NOW + dt.timedelta(days=1))
    assert client.get(address, {"day": NOW.date().isoformat()}).text == after.text


@pytest.mark.parametrize(
    ("now", "zone", "day"),
    [
        ("2026-03-05T22:59:59Z", "America/New_York", "2026-03-05"),
        ("2026-03-05T23:00:00Z", "America/New_York", "2026-03-06"),
        ("2026-03-05T23:00:00Z", "Asia/Tokyo", "2026-03-06"),
        ("2026-03-05T22:59:59Z", "Asia/Tokyo", "2026-03-05"),
        ("2026-03-05T23:00:00Z", "", "2026-03-06"),
    ],
)
def test_history_page_starts_with_the_present_day_in_the_leagues_time_zone(
    client: Client,
    ladder: League,
    ana: Player,
    berta: Player,
    monkeypatch: pytest.MonkeyPatch,
    now: str,
    zone: str,
    day: str,
) -> None:
    """Days end in the league's time zone, so the latest matches are in the standings."""
    League.objects.filter(pk=ladder.pk).update(zone="Europe/Madrid")
    at = dt.datetime.fromisoformat(now)
    played(ladder, [ana, berta], [10, 3], at=at - dt.timedelta(seconds=1))
    monkeypatch.setattr(timezone, "now", lambda: at)
    client.cookies[settings.ZONE_COOKIE_NAME] = zone
    text = client.get(reverse("league_history", args=[ladder.slug])).text
    assert f'name="day" value="{day}"' in text
    assert "These standings are calculated from 1 match" in text
    why = reverse("league_standing", args=[ladder.slug, ana.slug])
    assert f'href="{why}?day={day}"' in text
    assert client.get(why, {"day": ""}).context["day"] == dt.date.fromisoformat(day)


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "0001-01-01", "9999-99-99", "x" * 500])
def test_history_page_rejects_an_invalid_day_with_a_message(
    client: Client, ladder: League, day: str
) -> None:
    answer = client.get(reverse("league_history", args=[ladder.slug]), {"day": day})
    assert answer.status_code == 422
    assert "” is not a valid date. Choose another date." in answer.content.decode()


@pytest.mark.parametrize("number", ["0", "-1", "x", "99999999999", "1e9", "²"])
def test_results_page_with_an_invalid_number_opens(
    client: Client, ladder: League, number: str
) -> None:
    answer = client.get(reverse("league_results", args=[ladder.slug]), {"page": number})
    assert answer.status_code == 200


SETTINGS = {
    "name": "Tuesday",
    "profile": "plain",
    "seats": "2",
    "format": "ladder",
    "days_a_round": "7",
    "visibility": "public",
    "scoring": "three",
    "first_tie_break": "margin",
    "hours_to_object": "48",
    "zone": "Europe/Madrid",
    "plays": "on",
}


def test_league_is_created_with_one_form(client: Client, ana: Player) -> None:
    seat(client, ana)
    address = f"{reverse('league_new')}?game={game.KEY}"
    assert client.get(address).status_code == 200
    answer = client.post(address, SETTINGS)
    league = League.objects.get(name="Tuesday")
    assert answer["Location"] == reverse("league_members", args=[league.slug])
    assert league.scoring["by_place"] == ["3"]
    assert league.tie_breaks == ["margin"]
    assert league.zone == "Europe/Madrid"
    assert Member.objects.get(league=league).role == Member.Role.ORGANISER


@pytest.mark.slow
@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", ""),
        ("name", "\u200b"),
        ("profile", "nonsense"),
        ("seats", "7"),
        ("seats", "-2"),
        ("format", "knockout"),
        ("visibility", "all"),
        ("hours_to_object", "1000000"),
        ("first_tie_break", "luck"),
        ("cut", "0"),
        ("rounds_planned", "999"),
    ],
)
def test_invalid_setting_is_rejected_and_no_league_is_created(
    client: Client, ana: Player, field: str, value: str
) -> None:
    answer = seat(client, ana).post(
        f"{reverse('league_new')}?game={game.KEY}", {**SETTINGS, field: value}
    )
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
    assert not League.objects.exists()


def test_settings_page_cannot_change_rules_after_a_match(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    played(ladder, [ana, berta], [10, 3])
    address = reverse("league_settings", args=[ladder.slug])
    seat(client, ana).post(
        address, {**SETTINGS, "seats": "3", "format": "swiss", "rounds_planned": "4"}
    )
    ladder.refresh_from_db()
    assert (ladder.seats, ladder.format) == (2, League.Format.LADDER)
    assert client.post(address, {**SETTINGS, "name": "Friday"}).status_code in {302, 422}


ORGANISERS = ("league_settings", "league_draw")


@pytest.mark.parametrize("name", ORGANISERS)
def test_pages_for_organisers_are_not_found_by_others(
    client: Client, ladder: League, berta: Player, name: str
) -> None:
    address = reverse(name, args=[ladder.slug])
    assert client.get(address).status_code == 404
    assert seat(client, berta).get(address).status_code == 404
    assert client.post(address, SETTINGS).status_code == 404


def test_guest_joins_by_link_with_only_a_name(client: Client, ladder: League) -> None:
    address = reverse("league_join", args=[ladder.invitation])
    assert "Join as a guest" in client.get(address).content.decode()
    client.post(address, {"name": "  Carmen "})
    carmen = Player.objects.get(name="Carmen")
    assert carmen.is_guest
    assert Member.objects.filter(league=ladder, player=carmen, withdrawn_at=None).exists()
    assert "You are already in this league." in client.get(address).content.decode()


def test_old_invitation_link_is_not_found(client: Client, ladder: League, ana: Player) -> None:
    old = reverse("league_join", args=[ladder.invitation])
    seat(client, ana).post(reverse("league_renew", args=[ladder.slug]))
    assert client.get(old).status_code == 404
    assert client.post(old, {"name": "Late"}).status_code == 404


def test_second_guest_of_a_name_is_rejected_at_the_field(
    client: Client, ladder: League, ana: Player
) -> None:
    address = reverse("league_guest", args=[ladder.slug])
    assert seat(client, ana).post(address, {"name": "Dora"}).status_code == 302
    again = client.post(address, {"name": "dora"})
    assert again.status_code == 422
    assert "The league already has a player" in again.content.decode()


def test_members_of_other_leagues_are_not_found_under_this_league(
    client: Client, ladder: League, ana: Player
) -> None:
    other = found_league(account("eva"), name="Other")
    theirs = Member.objects.get(league=other)
    seat(client, ana)
    for name in ("member_role", "member_return", "member_link", "member_merge"):
        answer = client.post(reverse(name, args=[ladder.slug, theirs.pk]), {"role": "player"})
        assert answer.status_code == 404
    assert client.get(reverse("member_leave", args=[ladder.slug, theirs.pk])).status_code == 404


def test_last_organiser_cannot_give_up_the_role(
    client: Client, ladder: League, ana: Player
) -> None:
    mine = Member.objects.get(league=ladder, player=ana)
    answer = seat(client, ana).post(
        reverse("member_role", args=[ladder.slug, mine.pk]), {"role": "player"}, follow=True
    )
    assert "A league needs at least one organiser." in answer.content.decode()
    mine.refresh_from_db()
    assert mine.role == Member.Role.ORGANISER


@pytest.fixture
def robin(ana: Player) -> League:
    league = found_league(
        ana, name="Robin", format=League.Format.ROUND_ROBIN, visibility=League.Visibility.PUBLIC
    )
    for name in ("rosa", "sara", "tina"):
        enter_league(league, account(name))
    draw_round_robin(league=league, by=ana, at=NOW)
    return league


def asked_for(client: Client, name: str, league: League) -> dict[str, str]:
    """Return the fields of the confirmation form of a page."""
    form = page(client, name, league.slug).partition('<form method="post" action=')[2]
    hidden = re.findall(r'<input type="hidden" name="(\w+)" value="(\w*)">', form)
    return {key: value for key, value in hidden if key != "csrfmiddlewaretoken"}


@pytest.mark.slow
def test_closing_a_league_shows_its_consequences_and_needs_confirmation(
    client: Client, robin: League, ana: Player
) -> None:
    seat(client, ana)
    address = reverse("league_close", args=[robin.slug])
    assert f'href="{address}"' in page(client, "league_settings", robin.slug)
    for answer in (client.get(address), client.post(address)):
        assert "6 fixtures have not been played and will be voided." in answer.text
        assert "Keep the league open" in answer.text
    robin.refresh_from_db()
    assert robin.closed_at is None
    form = asked_for(client, "league_close", robin)
    for _twice in range(2):  # a second click does not reopen the league
        client.post(address, form)
        robin.refresh_from_db()
        assert robin.closed_at is not None
    assert "The league is already closed." in client.get(address).text
    client.post(address, {"reopen": "yes"})
    assert set(Fixture.objects.values_list("state", flat=True)) == {"open"}
    stale = client.post(address, form, follow=True)
    assert "Check the draw again" in stale.text
    robin.refresh_from_db()
    assert robin.closed_at is None


def test_undoing_a_draw_shows_its_consequences_and_needs_confirmation(
    client: Client, robin: League, ana: Player
) -> None:
    seat(client, ana)
    address = reverse("league_undraw", args=[robin.slug])
    assert f'href="{address}"' in page(client, "league_draw", robin.slug)
    for answer in (client.get(address), client.post(address)):
        assert "3 rounds will be removed." in answer.text
        assert "6 fixtures will be removed." in answer.text
    assert Fixture.objects.count() == 6
    client.post(address, asked_for(client, "league_undraw", robin))
    assert not Fixture.objects.exists()
    assert "No round has been drawn." in client.get(address).text


def test_league_calendar_contains_every_fixture(client: Client, robin: League) -> None:
    body = client.get(reverse("league_calendar", args=[robin.slug]))
    assert body["Content-Type"].startswith("text/calendar")
    found = list(Calendar.from_ical(body.content).walk("VEVENT"))
    assert len(found) == 6
    assert all(str(one["summary"]).startswith("Match due: ") for one in found)
    assert all(str(one["summary"]).endswith(" (Robin)") for one in found)
    Fixture.objects.update(state=Fixture.State.PLAYED)
    body = client.get(reverse("league_calendar", args=[robin.slug]))
    found = list(Calendar.from_ical(body.content).walk("VEVENT"))
    assert all(str(one["summary"]).startswith("Match: ") for one in found)


@pytest.mark.slow
def test_fixture_page_shows_reasons_and_allows_postponing_and_forfeiting(
    client: Client, robin: League, ana: Player
) -> None:
    fixture = Fixture.objects.filter(round__league=robin)[0]
    assert "Everyone plays everyone else: round" in page(client, "fixture", robin.slug, fixture.pk)
    seat(client, ana)
    past = {"deadline": "2001-01-01T10:00"}
    address = reverse("fixture_change", args=[robin.slug, fixture.pk, "postpone"])
    refused = client.post(address, past)
    assert refused.status_code == 422
    assert "The new deadline is in the past. Choose a later date." in refused.content.decode()
    assert client.post(address, {"deadline": "2099-01-01T10:00"}).status_code == 302
    lost = reverse("fixture_change", args=[robin.slug, fixture.pk, "forfeit"])
    assert client.post(lost, {"seats": ["9", "x", "-1"]}).status_code == 422
    assert not Match.objects.exists()
    assert client.post(lost, {"seats": ["1"]}).status_code == 302
    fixture.refresh_from_db()
    assert fixture.state == Fixture.State.FORFEITED


def test_fixture_is_not_found_under_another_league(
    client: Client, robin: League, ladder: League
) -> None:
    fixture = Fixture.objects.filter(round__league=robin)[0]
    assert client.get(reverse("fixture", args=[ladder.slug, fixture.pk])).status_code == 404


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 5])
def test_league_page_takes_few_queries_for_any_number_of_players(
    client: Client,
    ana: Player,
    players: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    league = found_league(ana, name="Full", visibility=League.Visibility.PUBLIC)
    others = [guest(f"g{number}") for number in range(players)]
    for other in others:
        enter_league(league, other)
        played(league, [ana, other], [10, 3])
    with django_assert_max_num_queries(16):
        page(client, "league", league.slug)


@pytest.mark.slow
def test_player_page_shows_form_and_nemesis(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    for day in range(3):
        played(ladder, [ana, berta], [10, 3], at=NOW + dt.timedelta(days=day))
    told = page(client, "player", berta.slug)
    assert "Nemesis" in told
    assert "lost to this player 3 times" in told
    assert "+7" in page(client, "player", ana.slug)


def test_guest_of_a_private_league_is_hidden_from_strangers(client: Client, ana: Player) -> None:
    league = found_league(ana, visibility=League.Visibility.PRIVATE)
    dora = guest("Dora")
    enter_league(league, dora)
    assert client.get(reverse("player", args=[dora.slug])).status_code == 404
    assert "Dora" in page(seat(client, ana), "player", dora.slug)


def test_player_can_change_only_their_own_name(
    client: Client, ana: Player, berta: Player, ladder: League
) -> None:
    seat(client, berta)
    assert client.post(reverse("player_change", args=[ana.slug]), {"name": "X"}).status_code == 404
    client.post(reverse("player_change", args=[berta.slug]), {"name": "Berta B", "public": "on"})
    berta.refresh_from_db()
    assert berta.name == "Berta B"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "This field is required."),
        ("\u200b\u202e", "This field is required."),
        ("x" * 10_000, "Ensure this value has at most 60 characters (it has 10000)."),
    ],
)
def test_invalid_new_name_is_rejected_at_the_field_and_stays_there(
    client: Client, berta: Player, ladder: League, name: str, sentence: str
) -> None:
    seat(client, berta)
    answer = client.post(reverse("player_change", args=[berta.slug]), {"name": name})
    assert answer.status_code == 422
    text = answer.content.decode()
    assert sentence in text
    assert not name or f'value="{name}"' in text
    berta.refresh_from_db()
    assert (berta.name, berta.public) == ("berta", True)


def test_new_name_of_a_player_is_cleaned(client: Client, berta: Player, ladder: League) -> None:
    seat(client, berta)
    sent = {"name": " Be\u0301rta\u200b \u202eB ", "public": "on"}
    client.post(reverse("player_change", args=[berta.slug]), sent)
    berta.refresh_from_db()
    assert (berta.name, berta.public) == ("Bérta B", True)


@pytest.mark.slow
def test_claim_is_decided_by_the_organiser_and_can_be_undone(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    dora = guest("Dora")
    enter_league(ladder, dora)
    played(ladder, [ana, dora], [10, 3])
    seat(client, berta)
    assert "Are you Dora?" in page(client, "player_claim", dora.slug)
    client.post(reverse("player_claim", args=[dora.slug]))
    seat(client, ana)
    members = page(client, "league_members", ladder.slug)
    assert "claims to be the guest" in members
    claim = dora.claims.get()
    client.post(reverse("claim_answer", args=[ladder.slug, claim.pk]), {"granted": "yes"})
    dora.refresh_from_db()
    assert dora.merged_into == berta
    assert client.get(reverse("player", args=[dora.slug]))["Location"].endswith(berta.slug + "/")
    client.post(reverse("merge_undo", args=[dora.merges.get().pk]))
    dora.refresh_from_db()
    assert dora.merged_into is None


def test_members_page_offers_the_invitation_as_link_and_qr_code(
    client: Client, ladder: League, berta: Player
) -> None:
    link = f"http://testserver{reverse('league_join', args=[ladder.invitation])}"
    told = page(seat(client, berta), "league_members", ladder.slug)
    assert f'id="invitation" href="{link}"' in told
    assert 'data-copy="invitation"' in told
    assert 'data-share="invitation"' in told
    assert str(qr(link)) in told
    assert "qr" not in page(Client(), "league_members", ladder.slug)


@pytest.mark.slow
def test_organiser_merges_two_guests_after_a_preview_and_undoes_it(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    dora, dorita = guest("Dora"), guest("Dorita")
    for one in (dora, dorita):
        enter_league(ladder, one)
        played(ladder, [berta, one], [3, 10])
    seat(client, ana)
    member = Member.objects.get(league=ladder, player=dorita)
    address = reverse("member_merge", args=[ladder.slug, member.pk])
    assert address in page(client, "league_members", ladder.slug)
    choice = client.get(address).content.decode()
    assert f'value="{dora.slug}"' in choice
    assert f'value="{berta.slug}"' not in choice, "who has an account speaks for themselves"
    seen = client.get(address, {"into": dora.slug})
    assert "Merge guest into Dora" in seen.content.decode()
    assert not seen.context["consequences"].empty
    assert client.post(address, {"into": berta.slug}).status_code == 422
    done = client.post(address, {"into": dora.slug}, follow=True)
    dorita.refresh_from_db()
    assert dorita.merged_into == dora
    undo = reverse("merge_undo", args=[dorita.merges.get().pk])
    assert undo in done.content.decode()
    assert undo not in page(seat(Client(), berta), "player", dora.slug)
    client.post(undo)
    dorita.refresh_from_db()
    assert dorita.merged_into is None


def test_two_guests_of_one_match_cannot_be_merged(
    client: Client, ladder: League, ana: Player
) -> None:
    dora, dorita = guest("Dora"), guest("Dorita")
    for one in (dora, dorita):
        enter_league(ladder, one)
    played(ladder, [dora, dorita], [10, 3])
    member = Member.objects.get(league=ladder, player=dorita)
    address = reverse("member_merge", args=[ladder.slug, member.pk])
    for answer in (
        seat(client, ana).get(address, {"into": dora.slug}),
        client.post(address, {"into": dora.slug}),
    ):
        assert answer.status_code == 422
        assert (
            "have played in the same match, so they must be two different people."
            in answer.content.decode()
        )


@pytest.mark.slow
def test_people_who_may_undo_a_merge_see_how(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    dora = guest("Dora")
    enter_league(ladder, dora)
    enter_league(ladder, account("carla"))
    seat(client, berta).post(reverse("player_claim", args=[dora.slug]))
    seat(client, ana).post(
        reverse("claim_answer", args=[ladder.slug, dora.claims.get().pk]), {"granted": "yes"}
    )
    undo = reverse("merge_undo", args=[dora.merges.get().pk])
    assert undo in page(client, "player", berta.slug), "the organiser can undo the merge"
    assert undo in page(seat(Client(), berta), "player", berta.slug), "and the merged player"
    carla = Player.objects.get(name="carla")
    assert undo not in page(seat(Client(), carla), "player", berta.slug)
    assert undo not in page(Client(), "player", berta.slug)


def test_guest_link_works_in_another_browser(client: Client, ladder: League, ana: Player) -> None:
    dora = guest("Dora")
    enter_league(ladder, dora)
    member = Member.objects.get(league=ladder, player=dora)
    answer = seat(client, ana).post(reverse("member_link", args=[ladder.slug, member.pk]))
    link = answer.context["link"].partition("testserver")[2]
    other = Client()
    told = answer.content.decode()
    assert 'data-copy="guest-link"' in told
    assert str(qr(answer.context["link"])) in told
    assert "Continue as Dora" in other.get(link).content.decode()
    other.post(link)
    assert "Dora" in page(other, "player", dora.slug)
    broken = other.get(reverse("guest_claim", args=["nonsense"]))
    assert broken.status_code == 410


@pytest.mark.slow
def test_leaderboard_ranks_players_with_enough_matches(
    client: Client, ladder: League, ana: Player, berta: Player
) -> None:
    assert "Nobody is ranked yet" in page(client, "leaderboard", game.KEY)
    for day in range(3):
        played(ladder, [ana, berta], [10, 3], at=NOW + dt.timedelta(days=day))
    board = page(client, "leaderboard", game.KEY)
    assert board.index(">ana<" if ">ana<" in board else "ana") < board.index("berta")
    assert client.get(reverse("leaderboard", args=["chess"])).status_code == 404


@pytest.mark.slow
def test_guest_who_signs_in_keeps_the_played_matches(
    client: Client, ladder: League, ana: Player
) -> None:
    client.post(reverse("league_join", args=[ladder.invitation]), {"name": "Carmen"})
    carmen = Player.objects.get(name="Carmen")
    played(ladder, [ana, carmen], [10, 3])
    eva = account("eva")
    session = dict(client.session)
    seat(client, eva)
    kept = client.session
    kept.update({"guest_player": session["guest_player"]})
    kept.save()
    assert "played in this browser as <b>Carmen</b>" in page(client, "leagues")
    client.post(reverse("guest_take"))
    carmen.refresh_from_db()
    assert carmen.merged_into == eva
    assert "played in this browser as <b>Carmen</b>" not in page(client, "leagues")
    assert "<dd>1</dd>" in page(client, "player", eva.slug)


@pytest.mark.parametrize(
    ("value", "english", "spanish"),
    [
        (Fraction(3), "3", "3"),
        (Fraction(5, 2), "2½", "2½"),
        (Fraction(16, 5), "3.20", "3,20"),
        (Fraction(1, 8), "0.13", "0,13"),
    ],
)
def test_scores_are_formatted_for_the_language_of_the_page(
    value: Fraction, english: str, spanish: str
) -> None:
    for language, shown in (("en", english), ("es", spanish)):
        with translation.override(language):
            assert score(value) == shown
