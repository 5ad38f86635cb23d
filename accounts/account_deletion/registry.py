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
    """One line of the deletion page: something that is kept or deleted (`kept` False)."""

    text: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """A deletion in progress: the alias for what is kept, and the names to replace.

    `names` are the username, email addresses and public names, longest first.
    """

    user: User
    alias: str
    names: tuple[str, ...]
    at: dt.datetime


def _nothing(user: User) -> Iterable[str]:
    return ()


@dataclass(frozen=True, kw_only=True)
class DeletionHandler:
    """What one application does when an account is deleted.

    `part` runs in the transaction that deletes the account, before its row is deleted.
    `hindrances` are sentences that say why the account cannot be deleted yet, `effects` what
    is deleted and kept, and `names` further names of the user.
    """

    part: Callable[[Deletion], None]
    hindrances: Callable[[User], Iterable[str]] = _nothing
    effects: Callable[[User], Iterable[Effect]]
    names: Callable[[User], Iterable[str]] = _nothing


handlers: list[DeletionHandler] = []


def register_handler(handler: DeletionHandler) -> None:
    if handler not in handlers:
        handlers.append(handler)


def register_account_handler() -> None:
    register_handler(DeletionHandler(part=_delete_account_data, effects=_account_effects))


def _delete_account_data(deletion: Deletion) -> None:
    """Do nothing: `operations.delete_account` deletes the row and its dependants last."""


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
