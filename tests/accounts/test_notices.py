"""Notifications: stored in the transaction, sent through the chosen channels, deleted
after a time.
"""

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
    """Configure a site that sends email."""
    settings.EMAIL_HOST = "mail.example.org"
    settings.SITE_URL = "https://temporada.example.org"
    return settings


def notify_users(*users: User, kind: NotificationKind = MATCH_WAITING, **more: Any) -> int:
    return notifications.notify([user.pk for user in users], kind, at=NOW, data=DATA, **more)


def test_notification_appears_in_the_list_and_in_the_page_header(
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


def test_notification_of_another_user_is_not_found(ana: User, client: Client) -> None:
    notify_users(ana)
    client.force_login(User.objects.create_user("blas"))
    assert client.get(reverse("notice", args=[Notice.objects.get().pk])).status_code == 404


def test_notifying_many_users_takes_as_many_queries_as_notifying_one(
    ana: User, django_assert_num_queries: Queries
) -> None:
    others = [User.objects.create_user(f"u{number}") for number in range(3)]
    with django_assert_num_queries(4):  # two of them for the savepoint
        assert notify_users(ana) == 1
    with django_assert_num_queries(4):
        assert notify_users(*others) == 3


def test_unread_count_in_the_page_header_takes_no_query(
    ana: User, client: Client, django_assert_num_queries: Queries
) -> None:
    with django_assert_num_queries(0):
        client.get(reverse("preferences"))
    client.force_login(ana)
    with django_assert_num_queries(2):  # session and user
        client.get(reverse("preferences"))


def test_rolled_back_transaction_stores_no_notification(ana: User) -> None:
    with transaction.atomic():
        notify_users(ana)
        transaction.set_rollback(True)
    assert not Notice.objects.exists()


def test_database_error_in_a_notification_does_not_reach_the_caller(
    ana: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_rows: object) -> None:
        raise DatabaseError("the disk is full")

    monkeypatch.setattr(Notice.objects, "bulk_create", broken)
    assert notify_users(ana) == 0
    assert User.objects.filter(pk=ana.pk).exists()


def test_email_is_sent_later_if_the_message_broker_is_unreachable(
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


def test_notification_email_contains_its_link_and_an_unsubscribe_link(
    ana: User, posted: Settings
) -> None:
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


def test_notification_email_is_tried_three_times_if_the_mail_server_fails(
    ana: User, posted: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_asked: object) -> None:
        raise smtplib.SMTPServerDisconnected("gone")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", away)
    notify_users(ana)
    assert [emails.send_due() for _try in range(4)] == [0, 0, 0, 0]
    row = Notice.objects.get()
    assert (row.mail, row.tries) == (Notice.Mail.FAILED, emails.MAX_ATTEMPTS)


def test_no_email_is_scheduled_on_a_site_without_mail_server(ana: User, settings: Settings) -> None:
    settings.EMAIL_HOST = ""
    notify_users(ana)
    assert Notice.objects.get().mail == Notice.Mail.NONE


def test_chosen_channels_of_notifications_are_saved_and_used(
    ana: User, client: Client, posted: Settings
) -> None:
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


def test_notification_with_once_is_not_repeated_until_it_is_read(ana: User) -> None:
    assert [notify_users(ana, link="/tables/1/", once=True) for _time in range(2)] == [1, 0]
    assert notify_users(ana, link="/tables/2/", once=True) == 1
    notifications.mark_all_read(ana, at=NOW)
    assert notify_users(ana, link="/tables/1/", once=True) == 1


def test_secret_calendar_and_feed_urls_work_without_sign_in_until_renewed(
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


def test_old_notifications_are_deleted(ana: User, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_notification_of_an_unknown_kind_or_with_missing_data_is_shown(
    ana: User, client: Client
) -> None:
    Notice.objects.create(user=ana, kind="of_yore", at=NOW)
    Notice.objects.create(user=ana, kind=MATCH_WAITING.key, data={}, at=NOW)
    client.force_login(ana)
    page = client.get(reverse("notices")).content.decode()
    assert "This notification can no longer be shown." in page
    assert "– has entered a result" in page


def test_every_notification_kind_has_a_label_and_text() -> None:
    for kind in kinds.registered_kinds.values():
        assert str(kind.label)
        assert "%(" not in kind.sentence({})
