"""Browsers of people who have just proved who they are."""

from __future__ import annotations

import time

from allauth.account.internal.flows import login as flow
from django.test import Client

from accounts.models import User


def signed_in(user: User) -> Client:
    """A browser in which the user has just given the password once more."""
    client = Client()
    client.force_login(user)
    session = client.session
    session[flow._AUTHENTICATION_METHODS_USER_SESSION_KEY] = str(user.pk)
    session[flow.AUTHENTICATION_METHODS_SESSION_KEY] = [
        {"method": "password", "at": time.time(), "reauthenticated": True}
    ]
    session.save()
    return client
