"""Notices: told in the transaction, by the ways a person chose, and never more than is kept."""

from __future__ import annotations

import datetime as dt
import smtplib
from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from icalendar import Calendar
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from accounts.models import Notice, User
from accounts.notifications import emails, kinds, queries, tokens
from accounts.notifications import operations as notifications
from accounts.notifications.kinds import Channel, NotificationKind
from accounts.tasks import send_letters, sweep_people
from config.celery import app as celery_app
from leagues.notifications import MATCH_WAITING

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 1, 20, tzinfo=dt.UTC)
DATA = {"by": "Blas <b>", "where": "Jueves"}
Queries = Callable[[int], Any]


@pytest.fixture
def posted(settings: Settings) -> Settings:
    """A site that sends mail."""
    settings.EMAIL_HOST = "mail.example.org"
    settings.SITE_URL = "https://temporada.example.org"
    return settings


def notify_users(*users: User, kind: NotificationKind = MATCH_WAITING, **more: Any) -> int:
    return notifications.notify([user.pk for user in users], kind, at=NOW, data=DATA, **more)


def test_what_is_told_stands_in_the_list_and_in_the_header(
    ana: User, client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        notify_users(ana, link="/matches/7/")
    client.force_login(ana)
    page = client.get(reverse("notices")).content.decode()
    assert "Blas &lt;b&gt; has entered a result (Jueves)" in page
    assert "1 unread notification" in page
    answer = client.get(reverse("notice", args=[Notice.objects.get().pk]))
    assert answer["Location"] == "/matches/7/"
    assert "unread notifications" not in client.get(reverse("notices")).content.decode()


def test_a_notice_of_somebody_else_is_not_there(ana: User, client: Client) -> None:
    notify_users(ana)
    client.force_login(User.objects.create_user("blas"))
    assert client.get(reverse("notice", args=[Notice.objects.get().pk])).status_code == 404


def test_many_are_told_in_two_queries(ana: User, django_assert_num_queries: Queries) -> None:
    others = [User.objects.create_user(f"u{number}") for number in range(3)]
    with django_assert_num_queries(4):  # with the savepoint's two
        assert notify_users(ana) == 1
    with django_assert_num_queries(4):
        assert notify_users(*others) == 3


def test_the_header_asks_no_query_of_its_own(
    ana: User, client: Client, django_assert_num_queries: Queries
) -> None:
    with django_assert_num_queries(0):
        client.get(reverse("preferences"))
    client.force_login(ana)
    with django_assert_num_queries(2):  # session and user
        client.get(reverse("preferences"))


def test_what_was_rolled_back_was_never_told(ana: User) -> None:
    with transaction.atomic():
        notify_users(ana)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


def test_telling_never_fails_who_tells(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_rows: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(Notice.objects, "bulk_create", broken)
    assert notify_users(ana) == 0
    assert User.objects.filter(pk=ana.pk).exists()


def test_with_the_broker_away_the_letter_waits_for_the_sweep(
    ana: User,
    posted: Settings,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    monkeypatch.setattr(celery_app.conf, "broker_url", "redis://127.0.0.1:1/0")
    with django_capture_on_commit_callbacks(execute=True):
        notify_users(ana)
    assert mail.outbox == []
    send_letters()
    assert len(mail.outbox) == 1
    send_letters()
    assert len(mail.outbox) == 1


def test_a_letter_says_what_and_how_to_get_no_more(ana: User, posted: Settings) -> None:
    ana.language = "es"
    ana.save()
    notify_users(ana, link="/matches/7/")
    emails.send_due()
    (sent,) = mail.outbox
    way_out = sent.extra_headers["List-Unsubscribe"].strip("<>")
    assert sent.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert way_out in str(sent.body)
    assert "https://temporada.example.org/matches/7/" in sent.body
    assert "\n" not in sent.subject

    stranger = Client(enforce_csrf_checks=True)  # a mail program has no cookie and no token
    address = way_out.removeprefix("https://temporada.example.org")
    assert stranger.get(address).status_code == 200
    assert Channel.MAIL in queries.channels_of_users([ana.pk], MATCH_WAITING)[ana.pk]
    assert stranger.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert queries.channels_of_users([ana.pk], MATCH_WAITING)[ana.pk] == {Channel.SITE}
    assert stranger.post(address[:-3] + "x/").status_code == 404


def test_a_mail_server_that_is_away_is_tried_three_times(
    ana: User, posted: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_asked: object) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", away)
    notify_users(ana)
    assert [emails.send_due() for _try in range(4)] == [0, 0, 0, 0]
    row = Notice.objects.get()
    assert (row.mail, row.tries) == (Notice.Mail.FAILED, emails.MAX_ATTEMPTS)


def test_where_no_mail_is_sent_none_is_due(ana: User, settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    notify_users(ana)
    assert Notice.objects.get().mail == Notice.Mail.NONE


def test_choices_are_kept_and_followed(ana: User, client: Client, posted: Settings) -> None:
    client.force_login(ana)
    client.post(
        reverse("notices_choices"), {MATCH_WAITING.key: ["mail", "smoke"], "no_kind": ["site"]}
    )
    notify_users(ana)
    row = Notice.objects.get()
    assert (row.on_site, row.mail) == (False, Notice.Mail.DUE)
    assert "Blas" not in client.get(reverse("notices")).content.decode()
    client.post(reverse("notices_choices"), {})
    assert notify_users(ana) == 0


def test_once_means_once_until_it_is_read(ana: User) -> None:
    assert [notify_users(ana, link="/tables/1/", once=True) for _time in range(2)] == [1, 0]
    assert notify_users(ana, link="/tables/2/", once=True) == 1
    notifications.mark_all_read(ana, at=NOW)
    assert notify_users(ana, link="/tables/1/", once=True) == 1


def test_secret_addresses_open_without_signing_in_until_they_are_renewed(
    ana: User, client: Client
) -> None:
    notify_users(ana, link="/matches/7/")
    stranger = Client()
    calendar = reverse("calendar", args=[tokens.make_token(ana, tokens.CALENDAR)])
    feed = reverse("notices_feed", args=[tokens.make_token(ana, tokens.FEED)])
    assert Calendar.from_ical(stranger.get(calendar).content)["version"] == "2.0"
    answer = stranger.get(feed)
    assert "Blas &lt;b&gt;" in answer.content.decode()
    assert answer["Referrer-Policy"] == "no-referrer"
    swapped = reverse("calendar", args=[tokens.make_token(ana, tokens.FEED)])
    assert stranger.get(swapped).status_code == 404
    assert stranger.get(calendar.replace(f"/{ana.pk}-", f"/{ana.pk + 1}-")).status_code == 404
    client.force_login(ana)
    client.post(reverse("notices_renew"))
    assert {stranger.get(one).status_code for one in (calendar, feed)} == {404}


def test_nothing_is_kept_for_ever(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notifications, "MAX_PER_USER", 3)
    for day in range(5):
        notifications.notify([ana.pk], MATCH_WAITING, at=NOW + dt.timedelta(days=day), data=DATA)
    notifications.delete_old_notifications(at=NOW + dt.timedelta(days=5))
    ana.refresh_from_db()
    assert (Notice.objects.count(), ana.unread) == (3, 3)
    notifications.delete_old_notifications(at=NOW + dt.timedelta(days=5) + notifications.RETENTION)
    ana.refresh_from_db()
    assert (Notice.objects.count(), ana.unread) == (0, 0)
    sweep_people()


def test_a_notice_whose_kind_is_gone_is_still_readable(ana: User, client: Client) -> None:
    Notice.objects.create(user=ana, kind="of_yore", at=NOW)
    Notice.objects.create(user=ana, kind=MATCH_WAITING.key, data={}, at=NOW)
    client.force_login(ana)
    page = client.get(reverse("notices")).content.decode()
    assert "This notification can no longer be shown." in page
    assert "– has entered a result" in page


def test_every_kind_can_be_said_in_words() -> None:
    for kind in kinds.registered_kinds.values():
        assert str(kind.label)
        assert "%(" not in kind.sentence({})
