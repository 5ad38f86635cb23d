"""Times for the account tests, and test clients of users who have just confirmed their password."""

from __future__ import annotations

import datetime as dt
import time
from typing import Final

from allauth.account.internal.flows import login as flow
from django.test import Client

from accounts.models import User
from tests.factories import browser_of

NOW: Final = dt.datetime(2026, 11, 1, 20, tzinfo=dt.UTC)
SECOND, DAY = dt.timedelta(seconds=1), dt.timedelta(days=1)


def signed_in(user: User) -> Client:
    """Return a test client in which the user has just confirmed the password."""
    client = browser_of(user.username)
    session = client.session
    session[flow._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session[flow.AUTHENTICATION_METHODS_SESSION_KEY] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session.save()
    return client
