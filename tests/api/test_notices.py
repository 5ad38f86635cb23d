"""Notifications over the API: the user's own, in the user's language, marked as read together."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notice, User
from api.keys.operations import make_token
from api.models import Token

pytestmark = pytest.mark.django_db
NOTICES = "/api/v1/me/notices/"


def notice_for(user: User, **fields: object) -> Notice:
    data = {"league": "Peña", "round": 2}
    fields = {"kind": "fixture_drawn", "data": data, "link": "/x/", "at": timezone.now()} | fields
    return Notice.objects.create(user=user, **fields)


def key_of(user: User, scope: str = Token.Scope.WRITE) -> dict[str, str]:
    _row, text = make_token(user=user, name="m", scope=scope, at=timezone.now())
    return {"authorization": f"Bearer {text}"}


def test_api_lists_own_notifications_and_marks_them_as_read(client: Client) -> None:
    ana, eva = (User.objects.create_user(name) for name in ("ana", "eva"))
    other, hidden = notice_for(eva), notice_for(ana, on_site=False)
    mine = [notice_for(ana).pk, notice_for(ana).pk]
    head = key_of(ana)
    listed = client.get(NOTICES, headers=head).json()["results"]
    assert [one["id"] for one in listed] == mine[::-1]
    assert {other.pk, hidden.pk}.isdisjoint(one["id"] for one in listed)
    assert (listed[0]["unread"], listed[0]["link"]) == (True, "/x/")
    assert "Peña" in listed[0]["text"]
    done = client.post(
        f"{NOTICES}read/", content_type="application/json", headers=head | {"idempotency-key": "k"}
    )
    assert (done.status_code, done.json()) == (200, {"unread": 0})
    assert not any(one["unread"] for one in client.get(NOTICES, headers=head).json()["results"])
    assert Notice.objects.get(pk=other.pk).read_at is None


def test_notifications_require_a_key_and_read_keys_cannot_mark_them(client: Client) -> None:
    assert client.get(NOTICES).status_code == 401
    assert client.post(f"{NOTICES}read/").status_code == 401
    reading = key_of(User.objects.create_user("ana"), Token.Scope.READ)
    assert client.get(NOTICES, headers=reading).status_code == 200
    assert client.post(f"{NOTICES}read/", headers=reading).status_code == 403


def test_list_of_notifications_takes_as_many_queries_for_three_as_for_one(client: Client) -> None:
    ana = User.objects.create_user("ana")
    head, counts = key_of(ana), []
    for more in (1, 2):
        for _row in range(more):
            notice_for(ana)
        client.get(NOTICES, headers=head)
        with CaptureQueriesContext(connection) as asked:
            client.get(NOTICES, headers=head)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 4
