"""What each application does when an account is deleted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One line of the page that says what leaving does: goes (`kept` False), or stays."""

    text: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """Somebody leaves: under which alias what stays is kept, and the names that must go.

    `names` are user name, mail addresses and public names, longest first.
    """

    user: User
    alias: str
    names: tuple[str, ...]
    at: dt.datetime


def _nothing(user: User) -> Iterable[str]:
    return ()


@dataclass(frozen=True, kw_only=True)
class DeletionHandler:
    """An application's share.

    `part` runs in the transaction that deletes the account, before its row goes. `hindrances` are
    sentences that say why somebody may not leave yet, `effects` what will go and stay, `names`
    what else the person is called.
    """

    part: Callable[[Deletion], None]
    hindrances: Callable[[User], Iterable[str]] = _nothing
    effects: Callable[[User], Iterable[Effect]]
    names: Callable[[User], Iterable[str]] = _nothing


handlers: list[DeletionHandler] = []


def register_handler(farewell: DeletionHandler) -> None:
    """Declare what an application does."""
    if farewell not in handlers:
        handlers.append(farewell)


def register_account_handler() -> None:
    """Declare it."""
    register_handler(DeletionHandler(part=_delete_account_data, effects=_account_effects))


def _delete_account_data(parting: Deletion) -> None:
    """The row and all that hangs on it go last; see `operations.delete_account`."""


def _account_effects(user: User) -> Iterable[Effect]:
    yield Effect(
        text=_(
            "Your username, email addresses, password, passkeys and recovery codes are deleted."
        ),
        kept=False,
    )
    yield Effect(
        text=_("Your notifications, preferences, sessions and API keys are deleted."), kept=False
    )
