"""What the account itself keeps about a person."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry

from accounts.exports.parts import Table, register
from accounts.models import Choice, Departure, Export, Notice, User

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Model, QuerySet


def offer() -> None:
    """Declare them."""
    register(
        Table(
            name="profile",
            model=User,
            rows=lambda user: User.objects.filter(pk=user.pk),
            without=frozenset({"password", "secrets_version"}),
        ),
        _of_user("mail-addresses", EmailAddress),
        _of_user("passkeys-and-codes", Authenticator, "data"),
        _of_user("sessions", UserSession, "session_key"),
        _of_user("notices", Notice),
        _of_user("notice-choices", Choice),
        _of_user("departure", Departure),
        _of_user("exports", Export),
        _of_user("history/office", LogEntry),
    )


def _of_user(name: str, model: type[Model], *without: str) -> Table:
    """Rows with a column `user`."""
    return Table(name=name, model=model, rows=_chosen(model), without=frozenset(without))


def _chosen(model: type[Model]) -> Callable[[User], QuerySet[Any]]:
    return lambda user: model._default_manager.filter(user=user)
