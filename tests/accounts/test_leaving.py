"""Account deletion: a week's grace period, then only results under an alias remain."""

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
    """Create an account with a player, an email address and a second factor."""
    user = User.objects.create_user(NAME.lower(), MAIL, WORD, first_name=NAME)
    EmailAddress.objects.create(user=user, email=MAIL, primary=True, verified=True)
    Authenticator.objects.create(user=user, type="totp", data={"secret": NAME})
    return new_player(name=NAME, at=world.NOW, user=user)


def user_of(player: Player) -> User:
    user = User.objects.get(player=player)
    assert isinstance(user, User)
    return user


def delete_account_of(player: Player) -> None:
    """Request the deletion of an account, and delete it after the grace period."""
    user = user_of(player)
    departure = account_deletion.request_deletion(user, at=world.NOW)
    assert account_deletion.delete_account(departure.pk, at=departure.due_at)


def texts() -> Iterator[tuple[str, str]]:
    """Yield every text in every column of every table, with the column's name."""
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
    """Create a league with matches, a dispute, a merge and other rows that contain the name."""
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


@pytest.mark.slow
def test_deleted_account_leaves_its_name_in_no_row(zenobia: Player) -> None:
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


@pytest.mark.slow
def test_deletion_changes_no_ratings_places_or_standings(zenobia: Player) -> None:
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


@pytest.mark.slow
def test_player_of_a_deleted_account_cannot_be_claimed(zenobia: Player) -> None:
    lived(zenobia)
    delete_account_of(zenobia)
    assert not Player.objects.guests().filter(pk=zenobia.pk).exists()


def test_deletion_request_locks_the_account_and_ends_all_its_sessions(zenobia: Player) -> None:
    user = user_of(zenobia)
    Authenticator.objects.all().delete()  # no second factor, because this test is about sessions
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


def test_deletion_can_be_cancelled_after_signing_in_within_the_week(zenobia: Player) -> None:
    user = user_of(zenobia)
    account_deletion.request_deletion(user, at=world.NOW)
    client = Client()
    undo = reverse("account_leave_undo")
    assert client.post(undo)["Location"] == reverse("account_login")  # not signed in yet
    answer = client.post(reverse("account_login"), {"login": MAIL, "password": WORD})
    assert answer["Location"] == undo
    assert client.get(reverse("account")).status_code == 302  # this does not sign the user in
    client.post(undo)
    Authenticator.objects.all().delete()  # the next sign-in needs no second factor
    user.refresh_from_db()
    assert user.is_active
    assert not Departure.objects.exists()
    client.post(reverse("account_login"), {"login": MAIL, "password": WORD})
    assert client.get(reverse("account")).status_code == 200


def test_date_of_a_deletion_is_shown_in_utc_whatever_the_readers_time_zone(zenobia: Player) -> None:
    """Every reader sees the same day, because the day is calculated in the site's time zone."""
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


def test_wrong_password_gives_no_access_to_a_pending_deletion(zenobia: Player) -> None:
    account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    client = Client()
    answer = client.post(reverse("account_login"), {"login": MAIL, "password": "guessed"})
    assert answer.status_code == 200
    assert client.get(reverse("account_leave_undo"))["Location"] == reverse("account_login")


def test_account_is_not_deleted_before_the_grace_period_ends(zenobia: Player) -> None:
    departure = account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    early = world.NOW + account_deletion.GRACE_PERIOD - dt.timedelta(seconds=1)
    assert account_deletion.delete_due_accounts(at=early) == 0
    assert account_deletion.delete_due_accounts(at=world.NOW + account_deletion.GRACE_PERIOD) == 1
    assert not User.objects.filter(pk=departure.user_id).exists()
    assert not account_deletion.delete_account(departure.pk, at=LATER)


def test_deletion_requires_the_password_and_their_own_username(zenobia: Player) -> None:
    user, plain = user_of(zenobia), Client()
    plain.force_login(user)
    answer = plain.post(reverse("account_leave"), {"username": user.username})
    assert "/reauthenticate/" in answer["Location"]
    answer = signed_in(user).post(reverse("account_leave"), {"username": "somebody"})
    assert answer.status_code == 422
    assert not Departure.objects.exists()


def test_last_superuser_cannot_delete_the_account(zenobia: Player) -> None:
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


def test_deletion_never_leaves_a_league_without_an_organiser(zenobia: Player) -> None:
    league = world.found_league(zenobia)
    ana = world.account("ana")
    world.enter_league(league, ana)
    with pytest.raises(
        account_deletion.DeletionBlockedError, match="the only organiser of Thursday"
    ):
        account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    world.give_role(league, ana, Member.Role.ORGANISER)
    departure = account_deletion.request_deletion(user_of(zenobia), at=world.NOW)
    world.give_role(league, ana, Member.Role.PLAYER)  # during the grace period
    assert account_deletion.delete_account(departure.pk, at=LATER)
    assert world.roles(league)["ana"] == Member.Role.ORGANISER


def test_deletion_closes_a_league_without_other_members(zenobia: Player) -> None:
    league = world.found_league(zenobia)
    delete_account_of(zenobia)
    league.refresh_from_db()
    assert league.closed_at is not None
