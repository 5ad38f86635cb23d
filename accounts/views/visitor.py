"""Who asks."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.models import User


def person(request: HttpRequest) -> User:
    """The signed-in user, behind `login_required`."""
    user = request.user
    assert isinstance(user, User)
    return user
