"""Time zones: pages use the reader's zone, deadlines use the league's zone."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo, available_timezones

import pytest
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts.models import Notice, User
from accounts.notifications.emails import build_email
from accounts.notifications.kinds import notification_text
from accounts.time_zones import (
    REGIONS,
    TimeZoneMiddleware,
    ZoneField,
    ZoneSelect,
    activate_default_zone,
    is_zone,
    zone_choices,
)
from leagues.exceptions import OperationError
from leagues.fixtures.operations import draw_round_robin
from leagues.league.operations import LeagueSettings, validated_columns
from leagues.models import Fixture, League, Player
from leagues.templatetags import standings
from tests.html_forms import sent_by
from tests.leagues import game, world

pytestmark = pytest.mark.django_db

# In London it is late evening, in Madrid and Tokyo the next day. On this date Madrid has winter
# time.
DEADLINE = dt.datetime(2027, 1, 31, 22, 30, tzinfo=dt.UTC)
# The moment at which summer time begins in Madrid.
CHANGE = dt.datetime(2027, 3, 28, 1, tzinfo=dt.UTC)


@pytest.fixture
def office() -> Player:
    game.register()
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    """Return a public round robin in Madrid's time zone, whose fixtures are all due at
    `DEADLINE`.
    """
    made = world.round_robin(office, ["ana", "beto"])
    League.objects.filter(pk=made.pk).update(zone="Europe/Madrid", visibility="public")
    Fixture.objects.update(deadline=DEADLINE)
    made.rounds.update(deadline=DEADLINE)
    return League.objects.get(pk=made.pk)


def browser(zone: str = "") -> Client:
    client = Client()
    if zone:
        client.cookies[settings.ZONE_COOKIE_NAME] = zone
    return client


@pytest.mark.slow
@pytest.mark.parametrize(
    ("zone", "seen"),
    [
        ("", "31 Jan, 23:30"),  # the league's time zone
        ("UTC", "31 Jan, 23:30 (Europe/Madrid)"),
        ("Asia/Tokyo", "31 Jan, 23:30 (Europe/Madrid)"),
        ("America/Mexico_City", "31 Jan, 23:30 (Europe/Madrid)"),
        ("Nowhere/City", "31 Jan, 23:30"),
        ("../../etc/passwd", "31 Jan, 23:30"),
        ("x" * 4000, "31 Jan, 23:30"),
    ],
)
def test_deadlines_are_shown_in_the_time_zone_of_the_league(
    league: League, zone: str, seen: str
) -> None:
    """This also holds for cached pages that a visitor with another time zone requested first."""
    for path in ("league", "league_fixtures"):
        for other in ("x", "", "Asia/Tokyo", "UTC", zone):
            text = browser(other).get(reverse(path, args=[league.slug])).text
        assert seen in text
    assert timezone.get_current_timezone_name() == "UTC", "afterwards it is the site's again"


@pytest.mark.parametrize(
    ("zone", "winter", "summer"),
    [
        ("Europe/Madrid", False, False),
        ("Europe/Paris", False, False),  # same time as Madrid all year
        ("Africa/Algiers", False, True),  # has no summer time
        ("Africa/Johannesburg", True, False),
        ("America/New_York", True, True),
        ("UTC", True, True),
    ],
)
def test_deadline_names_its_zone_if_the_readers_clock_differs_at_that_time(
    zone: str, winter: bool, summer: bool
) -> None:
    """The clocks are compared at the deadline and not today, because summer time may begin in
    between.
    """
    league = League(zone="Europe/Madrid")
    with timezone.override(ZoneInfo(zone)):
        for at, day, month, hour, named in (
            (DEADLINE, "Sunday 31", "January", "23:30", winter),
            (DEADLINE + dt.timedelta(days=181, hours=-1), "Saturday 31", "July", "23:30", summer),
            (CHANGE - dt.timedelta(minutes=1), "Sunday 28", "March", "01:59", winter),
            (CHANGE, "Sunday 28", "March", "03:00", summer),
        ):
            place = " (Europe/Madrid)" if named else ""
            assert standings.deadline(at, league) == f"{day} {month[:3]}, {hour}{place}"
            assert standings.deadline_with_year(at, league) == f"{day} {month} 2027, {hour}{place}"


@pytest.mark.parametrize(
    ("zone", "said"),
    [("", "UTC"), ("Europe/Madrid", "Europe/Madrid"), ("Nowhere/City", "UTC")],
)
def test_every_page_names_the_time_zone_of_its_times(zone: str, said: str) -> None:
    text = browser(zone).get("/leagues/").text
    assert f"Times on this page are in the time zone {said}." in text
    assert reverse("preferences") in text


def test_league_page_names_the_time_zone_of_the_league(league: League) -> None:
    text = browser().get(reverse("league", args=[league.slug])).text
    assert "Times on this page are in the time zone Europe/Madrid." in text


def test_api_returns_times_in_utc_whatever_the_chosen_zone(league: League) -> None:
    address = reverse("api_fixtures", args=[league.slug])
    for zone in ("", "Asia/Tokyo"):
        assert browser(zone).get(address).json()["results"][0]["deadline"] == "2027-01-31T22:30:00Z"


def test_chosen_time_zone_is_stored_with_the_account_and_in_a_cookie() -> None:
    user = User.objects.create_user("ana", password="olé-olé-olé")
    client = Client()
    client.force_login(user)
    sent = {"language": "", "theme": "system", "zone": "Asia/Tokyo"}
    answer = client.post(reverse("preferences"), sent)
    assert answer.cookies[settings.ZONE_COOKIE_NAME].value == "Asia/Tokyo"
    user.refresh_from_db()
    assert user.zone == "Asia/Tokyo"
    assert '<option value="Asia/Tokyo" selected>' in client.get(reverse("preferences")).text
    client.post(reverse("preferences"), sent | {"zone": ""})
    user.refresh_from_db()
    assert user.zone == ""
    assert settings.ZONE_COOKIE_NAME not in {
        name for name, kept in client.cookies.items() if kept.value
    }


def test_preferences_reject_an_unknown_time_zone() -> None:
    answer = Client().post(reverse("preferences"), {"theme": "system", "zone": "Nowhere/City"})
    assert "Nowhere/City is not one of the available choices" in answer.text
    assert settings.ZONE_COOKIE_NAME not in answer.cookies


def test_sign_in_restores_the_time_zone_of_the_account() -> None:
    User.objects.create_user("ana", password="olé-olé-olé", zone="Asia/Tokyo")
    client = Client()
    client.post(reverse("account_login"), {"login": "ana", "password": "olé-olé-olé"})
    assert client.cookies[settings.ZONE_COOKIE_NAME].value == "Asia/Tokyo"


@pytest.mark.parametrize(
    ("day", "hour", "deadline"),
    [
        ("2027-03-20T12:00", None, "2027-03-27T12:00"),
        ("2027-03-20T12:00", "20:00", "2027-03-27T19:00"),  # winter time, UTC+1
        ("2027-03-22T12:00", "20:00", "2027-03-29T18:00"),  # summer time, UTC+2
        ("2027-03-20T23:30", "20:00", "2027-03-28T18:00"),  # already the 21st in Madrid
    ],
)
def test_round_deadlines_have_the_chosen_hour_in_the_leagues_time_zone(
    office: Player, day: str, hour: str | None, deadline: str
) -> None:
    made = world.found_league(office, zone="Europe/Madrid", format="round_robin")
    for name in ("ana", "beto"):
        world.enter_league(made, world.account(name))
    at = dt.datetime.fromisoformat(day).replace(tzinfo=dt.UTC)
    asked = dt.time.fromisoformat(hour) if hour else None
    rounds = draw_round_robin(league=made, by=office, at=at, hour=asked)
    assert rounds[0].deadline == dt.datetime.fromisoformat(deadline).replace(tzinfo=dt.UTC)


def test_draw_form_lets_the_organiser_choose_the_hour_of_the_deadline(office: Player) -> None:
    made = world.found_league(office, zone="Europe/Madrid", format="swiss", rounds_planned=3)
    for name in ("ana", "beto"):
        world.enter_league(made, world.account(name))
    client = Client()
    assert office.user is not None
    client.force_login(office.user)
    address = reverse("league_draw", args=[made.slug])
    assert 'value="23:59"' in client.get(address).text
    made.refresh_from_db()
    refused = client.post(address, {"edition": made.edition, "hour": "noon"})
    assert refused.status_code == 422
    assert not made.rounds.exists()
    client.post(address, {"edition": made.edition, "hour": "21:30"})
    deadline = made.rounds.get().deadline.astimezone(ZoneInfo("Europe/Madrid"))
    assert deadline.time() == dt.time(21, 30)
    made.rounds.update(closed_at=timezone.now())
    Fixture.objects.update(state="void")
    assert 'value="21:30"' in client.get(address).text, "as the round before"


def test_league_settings_reject_an_unknown_time_zone() -> None:
    game.register()
    with pytest.raises(OperationError, match="not a time zone") as refused:
        validated_columns(
            LeagueSettings(name="A", game=game.KEY, profile="plain", zone="Nowhere/City")
        )
    assert refused.value.field == "zone"


@pytest.mark.parametrize(
    ("zone", "said"),
    [("", "31 Jan 2027, 22:30 (UTC)"), ("Asia/Tokyo", "1 Feb 2027, 07:30 (JST)")],
)
def test_notification_email_shows_times_in_the_recipients_zone(zone: str, said: str) -> None:
    user = User.objects.create_user("ana", email="ana@example.org", zone=zone)
    data = {"league": "Thursday", "game": "x", "names": "ana, beto", "until": DEADLINE.isoformat()}
    row = Notice(user=user, kind="fixture_postponed", data=data, at=DEADLINE)
    assert said in build_email(row, user).body


def test_notification_whose_time_was_stored_as_text_is_readable() -> None:
    data = {"league": "Thursday", "until": "2026-11-01 20:00 UTC"}
    assert notification_text("fixture_postponed", data).endswith("until 2026-11-01 20:00 UTC.")


def test_every_offered_time_zone_is_valid() -> None:
    assert all(is_zone(zone) for zone, _said in zone_choices())
    assert not is_zone("")


@pytest.mark.parametrize("zone", ["localtime", "Factory", "posixrules", "../etc/passwd", "UTC\n"])
def test_invalid_time_zone_names_are_rejected(zone: str) -> None:
    assert not is_zone(zone)


@pytest.mark.parametrize("region", ["Antarctica", "Arctic", "Indian"])
def test_time_zone_choices_contain_all_places_of_small_regions(region: str) -> None:
    places = {zone for zone in available_timezones() if zone.startswith(f"{region}/")}
    assert places
    assert places <= {zone for zone, _said in zone_choices()}


@pytest.mark.parametrize("zone", ["", "UTC", "Europe/Madrid", "America/New_York"])
def test_list_of_time_zones_contains_a_chosen_zone_that_it_offers_once(zone: str) -> None:
    """This also holds for names with an underscore, and if no time zone is chosen."""
    offered = [("", "No time zone"), *zone_choices()]
    html = ZoneSelect(choices=offered).render("zone", zone)
    options = re.findall(r'<option value="([^"]*)"( selected)?>', html)
    assert [name for name, _chosen in options] == [name for name, _said in offered]
    assert [name for name, chosen in options if chosen] == [zone]


@pytest.mark.parametrize(
    "zone", ["Indian/Reunion", "Arctic/Longyearbyen", "US/Pacific", "Etc/GMT+3"]
)
def test_league_settings_keep_a_time_zone_that_the_form_does_not_offer(
    office: Player, zone: str
) -> None:
    """The API accepts more time zones than the form lists.

    Saving the form must not change such a zone.
    """
    made = world.found_league(office, zone=zone)
    client, user = Client(), office.user
    assert user is not None
    client.force_login(user)
    address = reverse("league_settings", args=[made.slug])
    page = client.get(address)
    assert f'<option value="{zone}" selected>' in page.text
    sent = sent_by(page.text, having="zone")
    assert sent["zone"] == [zone]
    assert client.post(address, sent | {"name": "Renamed"}).status_code == 302
    made.refresh_from_db()
    assert (made.name, made.zone) == ("Renamed", zone)


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Indian/Mauritius", "EST5EDT"])
def test_profile_and_preferences_keep_a_zone_that_the_form_does_not_offer(zone: str) -> None:
    user = User.objects.create_user("ana", password="olé-olé-olé", zone=zone)
    client = Client()
    client.force_login(user)
    for page in ("profile", "preferences"):
        answer = client.get(reverse(page))
        assert f'<option value="{zone}" selected>' in answer.text
        sent = sent_by(answer.text, having="zone")
        client.post(reverse(page), sent | {"language": "es"})
        user.refresh_from_db()
        assert (user.zone, user.language) == (zone, "es")
        User.objects.update(language="")
        client.cookies.clear()
        client.force_login(user)


def test_time_zones_are_offered_by_region_with_readable_names() -> None:
    choices = zone_choices()
    assert choices[0] == ("UTC", "UTC")
    assert [name for name, _said in choices[1:]] == sorted(name for name, _said in choices[1:])
    assert ("America/New_York", "America/New York") in choices
    regions = {name.split("/")[0] for name, _said in choices[1:]}
    assert regions == {*REGIONS}


def test_field_offers_no_time_zone_first_and_only_if_it_may_be_empty() -> None:
    """A zone that is added to the list for one page is not on the next page."""
    field, required = ZoneField(empty="No time zone"), ZoneField()
    widget = field.widget
    assert isinstance(widget, ZoneSelect)
    assert isinstance(required.widget, ZoneSelect)
    first = re.compile(r'<option value="([^"]*)"')
    assert first.findall(widget.render("zone", "UTC"))[:2] == ["", "UTC"]
    assert first.findall(required.widget.render("zone", "UTC"))[0] == "UTC"
    assert field.clean("") == ""
    with pytest.raises(ValidationError):
        required.clean("")
    assert '<option value="EST5EDT" selected>' in widget.render("zone", "EST5EDT")
    assert "EST5EDT" not in widget.render("zone", "UTC")


@pytest.mark.parametrize(
    ("path", "chosen", "active"),
    [
        ("/", "", "Europe/Madrid"),
        ("/", "Asia/Tokyo", "Asia/Tokyo"),
        ("/", "Nowhere/City", "Europe/Madrid"),
        ("/api/v1/", "Asia/Tokyo", "Europe/Madrid"),
    ],
)
def test_chosen_zone_comes_before_that_of_the_page(path: str, chosen: str, active: str) -> None:
    request = RequestFactory().get(path)
    request.COOKIES[settings.ZONE_COOKIE_NAME] = chosen

    def view(request: HttpRequest) -> HttpResponse:
        activate_default_zone(request, "Europe/Madrid")
        return HttpResponse(timezone.get_current_timezone_name())

    assert TimeZoneMiddleware(view)(request).content.decode() == active
    kept = request.COOKIES.get(settings.ZONE_COOKIE_NAME, "")
    assert kept == ("" if chosen == "Nowhere/City" else chosen)
