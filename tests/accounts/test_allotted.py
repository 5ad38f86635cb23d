"""Concurrent requests for a username, for the last API key and for the count of unread
notifications.
"""

from __future__ import annotations

import datetime as dt
import time
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from accounts.models import Notice, User
from accounts.notifications.operations import recount_unread
from api.keys import operations as keys
from api.keys.operations import TooManyKeys, make_token
from tests.databases import opened
from tests.scratch import HESITATION, at_once

NOW = dt.datetime(2027, 3, 1, 3, tzinfo=dt.UTC)
PASSWORD = "long enough for anybody"


def test_of_two_concurrent_sign_ups_with_one_username_one_fails_with_a_message(shared: str) -> None:
    form = {"username": "eva", "password1": PASSWORD, "password2": PASSWORD}

    def sign_up() -> Any:
        return Client().post("/accounts/signup/", form)

    came = at_once(shared, sign_up, sign_up, reading='"username_key" IS NULL')
    assert sorted(answer.status_code for answer in came) == [302, 409], came
    with opened(shared):
        (refused,) = [answer for answer in came if answer.status_code == 409]
        page = refused.content.decode()
        assert "A user with that username already exists." in page
        assert 'value="eva"' in page
        assert User.objects.filter(username="eva").count() == 1


@pytest.mark.slow
def test_concurrent_requests_create_no_more_api_keys_than_allowed(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "MAX_KEYS", 1)
    with opened(shared):
        user = User.objects.create_user("ana")

    def make() -> object:
        return make_token(user=user, name="key", scope="read", at=NOW)

    came = at_once(shared, make, make, reading='COUNT.* FROM "api_token"')
    assert sorted(type(one).__name__ for one in came) == [TooManyKeys.__name__, "tuple"], came


@pytest.mark.slow
def test_recount_of_unread_notifications_waits_for_a_concurrent_transaction(shared: str) -> None:
    """Another transaction holds the row of the user and adds a notification, which must
    be counted.
    """
    with opened(shared):
        user = User.objects.create_user("ana")

    def add() -> None:
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).get(pk=user.pk)
            time.sleep(HESITATION)
            Notice.objects.create(user=user, kind="test", at=NOW, on_site=True)

    def count() -> None:
        time.sleep(HESITATION / 2)
        recount_unread([user.pk])

    assert at_once(shared, add, count) == [None, None]
    with opened(shared):
        user.refresh_from_db()
        assert user.unread == 1
