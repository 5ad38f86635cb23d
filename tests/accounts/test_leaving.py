"""Leaving for good: a week to come back, then nothing is left but results under an alias."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Iterator

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.urls import reverse
from django.utils.formats import date_format

from accounts.account_deletion import operations as account_deletion
from accounts.adapter import DELETION_SESSION_KEY
from accounts.models import Departure, User
from accounts.notifications import operations as notifications
from fairness import Seed
from leagues.draws import draw_rounds
from leagues.matches.operations.corrections import DisputeVerdict, dispute_match, settle_dispute
from leagues.models import League, Member, Place, Player, Pool, Rating
from leagues.notifications import MATCH_WAITING
from leagues.players import new_player
from leagues.ratings.pools import rating_differences
from leagues.ratings.queries import site_leaderboard
from leagues.results import counts_for_site
from leagues.standings.queries import standings_basis
from tests.accounts.people import signed_in
from tests.leagues import game, world

pytestmark = pytest.mark.django_db
NAME, MAIL = "Zenobia", "zenobia@example.org"
WORD = "una tarde de abril"
LATER = world.NOW + dt.timedelta(days=30)


@pytest.fixture(autouse=True, scope="module")
def _highest_card() -> None:
    game.register()


@pytest.fixture
def zenobia() -> Player:
    """Somebody who has been everywhere on the site."""
    user = User.objects.create_user(NAME.lower(), MAIL, WORD, first_name=NAME)
    EmailAddress.objects.create(user=user, email=MAIL, primary=True, verified=True)
    Authenticator.objects.create(user=user, type="totp", data={"secret": NAME})
    return new_player(name=NAME, at=world.NOW, user=user)


def user_of(player: Player) -> User:
    user = User.objects.get(player=player)
    assert isinstance(user, User)
    return user


def delete_account_of(player: Player) -> None:
    """Ask, and let the week go by."""
    user = user_of(player)
    departure = account_deletion.request_deletion(user, at=world.NOW)
    assert account_deletion.delete_account(departure.pk, at=departure.due_at)


def texts() -> Iterator[tuple[str, str]]:
    """Every text in every column of every table."""
    for model in apps.get_models():
        columns = [
            field.attname
            for field in model._meta.concrete_fields
            if isinstance(field, models.CharField | models.TextField | models.JSONField)
        ]
        for row in model._default_manager.values_list(*columns) if columns else ():
            for column, value in zip(columns, row, strict=True):
                yield f"{model._meta.label}.{column}", str(value)


def lived(player: Player) -> League:
    """A season of a league with everything in which a name can be written."""
    ana, blas = world.account("ana"), world.account("blas")
    league = world.found_league(
        ana, visibility=League.Visibility.PUBLIC, name=f"Cup of {NAME}", about=MAIL
    )
    Member.objects.create(
        league=league, player=player, role=Member.Role.ORGANISER, joined_at=world.NOW
    )
    world.enter_league(league, blas)
    for number, (one, other) in enumerate(((player, ana), (ana, player), (blas, player))):
        at = world.NOW + dt.timedelta(hours=number)
        match = world.played(league, [one, other], [10, 3 + number], at=at)
    match.refresh_from_db()
    argued = dispute_match(
        match=match, version=match.version, by=ana, at=at, reason=f"{NAME} was not there"
    )
    settle_dispute(
        match=argued, version=argued.version, by=ana, at=at, verdict=DisputeVerdict.STANDS,
        settlement=f"{NAME.upper()} was",
    )  # fmt: skip
    merged = world.guest(f"{NAME} II")
    Player.objects.filter(pk=merged.pk).update(merged_into=player)
    notifications.notify([user_of(ana).pk], MATCH_WAITING, at=at, data={"by": NAME, "where": "x"})
    LogEntry.objects.create(
        user=user_of(ana),
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(player.user_id),
        object_repr=NAME.lower(),
        action_flag=2,
        change_message=f"renamed to {NAME}",
    )
    return league


def test_after_a_deletion_no_row_anywhere_holds_the_name(zenobia: Player) -> None:
    lived(zenobia)
    signed_in(user_of(zenobia))
    assert any(NAME.lower() in text.lower() for _column, text in texts())
    delete_account_of(zenobia)
    held = {column for column, text in texts() if NAME.lower() in text.lower()}
    assert held == set()
    zenobia.refresh_from_db()
    assert zenobia.name.startswith("Former player ")
    assert (zenobia.user_id, zenobia.is_guest) == (None, False)
    assert Client().get(reverse("player", args=[NAME.lower()])).status_code == 404
    assert Client().get(reverse("player", args=[zenobia.slug])).status_code == 200


def test_what_counts_stays_to_the_digit(zenobia: Player) -> None:
    league = lived(zenobia)

    def counted() -> list[object]:
        return [
            list(Rating.objects.order_by("pk").values_list("player", "mu", "sigma", "matches")),
            list(Place.objects.order_by("pk").values_list("player", "place", "points")),
            [
                (line.place, line.player.pk, line.rating)
                for line in site_leaderboard(game.KEY, fewest=1)
            ],
            standings_basis(league).rows(),
        ]

    before = counted()
    delete_account_of(zenobia)
    assert counted() == before
    assert [rating_differences(pool) for pool in Pool.objects.all()] == [[]] * Pool.objects.count()
    assert all(counts_for_site(place.result.match) for place in site_places())
    again = draw_rounds(league, Seed(bytes(league.seed)), attempt=0)
    pairings = [pairing for drawn in again for pairing in drawn.pairings]
    assert zenobia.pk not in {player for pairing in pairings for player in pairing.seats}


def site_places() -> list[Place]:
    rows = Place.objects.filter(result__site=True).select_related("result__match__league")
    return list(rows.select_related("result__match__confirmed_by"))


def test_a_stranger_cannot_claim_what_is_left(zenobia: Player) -> None:
    lived(zenobia)
    delete_account_of(zenobia)
    assert not Player.objects.guests().filter(pk=zenobia.pk).exists()


def test_who_asks_is_locked_at_once_and_signed_out_everywhere(zenobia: Player) -> None:
    user = user_of(zenobia)
    Authenticator.objects.all().delete()  # signing in twice is enough for one test
    here, there = signed_in(user), Client()
    there.post(reverse("account_login"), {"login": user.username, "password": WORD})
    assert there.get(reverse("account")).status_code == 200
    answer = here.post(reverse("account_leave"), {"username": user.username})
    assert "deleted on" in answer.content.decode()
    assert there.get(reverse("account")).status_code == 302
    assert not [
        session
        for session in Session.objects.all()
        if session.get_decoded().get("_auth_user_id") == str(user.pk)
    ]


def test_who_signs_in_within_the_week_may_stay(zenobia: Player) -> None:
    user = user_of(zenobia)
    account_deletion.request_deletion(user, at=world.NOW)
    client = Client()
    undo = reverse("account_leave_undo")
    assert client.post(undo)["Location"] == reverse("account_login")  # unproved
    answer = client.post(reverse("account_login"), {"login": MAIL, "password": WORD})
    assert answer["Location"] == undo
    assert client.get(reverse("account")).status_code == 302  # nobody is signed in by that
    client.post(undo)
    Authenticator.objects.all().delete()  # the second factor is asked for after that
    user.refresh_from_db()
    assert user.is_active
    assert not Departure.objects.exists()
    client.post(reverse("account_login"), {"login": MAIL, "password": WORD})
    assert client.get(reverse("account")).status_code == 200


def test_the_day_of_a_deletion_is_told_in_utc_in_every_zone(zenobia: Player) -> None:
    """It is an hour of the site, whatever the clock of who reads it shows."""
    user, client = user_of(zenobia), Client()
    due = dt.datetime(2026, 3, 12, 23, 30, tzinfo=dt.UTC)
    departure = Departure.objects.create(user=user, asked_at=world.NOW, due_at=due)
    session = client.session
    session[DELETION_SESSION_KEY] = [departure.pk, time.time()]
    session.save()
    client.cookies[settings.ZONE_COOKIE_NAME] = "Asia/Tokyo"
    page = client.get(reverse("account_leave_undo")).text
    assert "It will be deleted on 12 March 2026, 23:30 (UTC)." in page
    departure.delete()
    client = signed_in(user)
    client.cookies[settings.ZONE_COOKIE_NAME] = "Asia/Tokyo"
    page = client.post(reverse("account_leave"), {"username": user.username}).text
    day = date_format(Departure.objects.get().due_at.astimezone(dt.UTC), "j F Y, H:i")
    assert f"Your account is locked and will be deleted on {day} (UTC)." in page


def test_a_wrong_password_leads_to_no_departure(zenobia: Player) -> None:
    account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    client = Client()
    answer = client.post(reverse("account_login"), {"login": MAIL, "password": "guessed"})
    assert answer.status_code == 200
    assert client.get(reverse("account_leave_undo"))["Location"] == reverse("account_login")


def test_nothing_goes_before_the_week_is_over(zenobia: Player) -> None:
    departure = account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    early = world.NOW + account_deletion.GRACE_PERIOD - dt.timedelta(seconds=1)
    assert account_deletion.delete_due_accounts(at=early) == 0
    assert account_deletion.delete_due_accounts(at=world.NOW + account_deletion.GRACE_PERIOD) == 1
    assert not User.objects.filter(pk=departure.user_id).exists()
    assert not account_deletion.delete_account(departure.pk, at=LATER)


def test_leaving_asks_for_the_password_and_the_own_name(zenobia: Player) -> None:
    user, plain = user_of(zenobia), Client()
    plain.force_login(user)
    answer = plain.post(reverse("account_leave"), {"username": user.username})
    assert "/reauthenticate/" in answer["Location"]
    answer = signed_in(user).post(reverse("account_leave"), {"username": "somebody"})
    assert answer.status_code == 422
    assert not Departure.objects.exists()


def test_the_last_of_the_office_stays(zenobia: Player) -> None:
    user = user_of(zenobia)
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    user.refresh_from_db()
    with pytest.raises(
        account_deletion.DeletionBlockedError,
        match=r"You are the only superuser of this site\. Make someone else a superuser first",
    ):
        account_deletion.request_deletion(user, at=world.NOW)
    assert (
        "You are the only superuser of this site. Make someone else a superuser first."
        in signed_in(user).get(reverse("account_leave")).content.decode()
    )
    other = User.objects.create_superuser("other")
    departure = account_deletion.request_deletion(user, at=world.NOW)
    other.delete()
    assert not account_deletion.delete_account(departure.pk, at=LATER)


def test_a_league_is_not_left_without_an_organiser(zenobia: Player) -> None:
    league = world.found_league(zenobia)
    ana = world.account("ana")
    world.enter_league(league, ana)
    with pytest.raises(
        account_deletion.DeletionBlockedError, match="the only organiser of Thursday"
    ):
        account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    world.give_role(league, ana, Member.Role.ORGANISER)
    departure = account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    world.give_role(league, ana, Member.Role.PLAYER)  # meanwhile
    assert account_deletion.delete_account(departure.pk, at=LATER)
    assert world.roles(league)["ana"] == Member.Role.ORGANISER


def test_a_league_of_nobody_else_is_closed(zenobia: Player) -> None:
    league = world.found_league(zenobia)
    delete_account_of(zenobia)
    league.refresh_from_db()
    assert league.closed_at is not None
