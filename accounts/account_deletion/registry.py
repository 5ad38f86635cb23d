"""What each application does when an account is deleted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.contrib.admin.models import LogEntry
from django.utils.translation import gettext as _

from accounts.models import SAME_USERNAME_KIND, Export, Notice, User

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One line of the deletion page: something that is kept or deleted (`kept` False)."""

    text: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """A deletion in progress: the alias for what is kept, and the names to replace.

    `names` are the username, email addresses and public names, longest first. `longer_names` are
    those of other people in which one of them stands, such as Ana María for Ana: they stay. A
    handler that changes the slug of a page adds it to `moves`: folder and old slug to new slug.
    """

    user: User
    alias: str
    names: tuple[str, ...]
    at: dt.datetime
    longer_names: tuple[str, ...] = ()
    moves: dict[tuple[str, str], str] = field(default_factory=dict)


def _ignore(deletion: Deletion, keys: list[Any]) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class StoredText:
    """Columns with text or JSON in which the name of a deleted user may stand.

    `rows` are the rows to search. It is called before anything of the account has changed, so
    that it can find them by the user; its result must not depend on the user any more.
    `links`: texts may be addresses of pages. `members` of a JSON column: only these members of its
    objects hold text that people write; others hold keys and notation, which somebody may be
    called (`dominoes`, `final`), so a name in them stays. `encoded`: a text column holds JSON.
    `slug` is a column with an address that was made of a name and may outlive it. `changed` is
    called with the keys of the rows in which a name was replaced, or is part of the address.
    """

    model: type[Model]
    columns: tuple[str, ...]
    rows: Callable[[User], QuerySet[Any]]
    links: bool = False
    members: tuple[str, ...] = ()
    encoded: bool = False
    slug: str = ""
    changed: Callable[[Deletion, list[Any]], None] = _ignore


def _nothing(user: User) -> Iterable[str]:
    return ()


@dataclass(frozen=True, kw_only=True)
class DeletionHandler:
    """What one application does when an account is deleted.

    `part` runs in the transaction that deletes the account, before its row is deleted.
    `hindrances` are sentences that say why the account cannot be deleted yet, `effects` what
    is deleted and kept, `names` further names of the user, and `names_of_others` all names of other
    people that may stand in texts.
    """

    part: Callable[[Deletion], None]
    hindrances: Callable[[User], Iterable[str]] = _nothing
    effects: Callable[[User], Iterable[Effect]]
    names: Callable[[User], Iterable[str]] = _nothing
    names_of_others: Callable[[User], Iterable[str]] = _nothing


handlers: list[DeletionHandler] = []


def register_handler(handler: DeletionHandler) -> None:
    if handler not in handlers:
        handlers.append(handler)


texts: list[StoredText] = []


def register_texts(*more: StoredText) -> None:
    """Register where names are replaced after all handlers have run.

    A test fails for a column with text that is neither here nor among its exceptions.
    """
    texts.extend(text for text in more if text not in texts)


def register_account_handler() -> None:
    register_handler(
        DeletionHandler(
            part=_delete_account_data, effects=_account_effects, names_of_others=_other_usernames
        )
    )
    register_texts(*_TEXTS)


# Members of the data of notifications that hold names and prose, whatever their kind.
NOTICE_TEXTS: Final = (
    *("address", "by", "circuit", "guest", "league", "name", "names", "result", "season", "where"),
)


def _log_entries(user: User) -> QuerySet[LogEntry]:
    """Return what administrators did to rows that people name."""
    return LogEntry.objects.filter(content_type__app_label__in=("accounts", "account", "leagues"))


_TEXTS: Final = (
    StoredText(model=LogEntry, columns=("object_repr",), rows=_log_entries),
    StoredText(
        model=LogEntry,
        columns=("change_message",),
        rows=_log_entries,
        members=("object",),
        encoded=True,
    ),
    StoredText(
        model=Notice,
        columns=("link",),
        rows=lambda user: Notice.objects.exclude(user=user.pk),
        links=True,
    ),
    StoredText(
        model=Notice,
        columns=("data",),
        rows=lambda user: Notice.objects.exclude(user=user.pk).exclude(kind=SAME_USERNAME_KIND),
        members=NOTICE_TEXTS,
    ),
    StoredText(
        model=Export,
        columns=("error",),
        rows=lambda user: Export.objects.exclude(user=user.pk).exclude(error=""),
    ),
)


def _delete_account_data(deletion: Deletion) -> None:
    """Do nothing: `operations.delete_account` deletes the row and its dependants last."""


def _other_usernames(user: User) -> Iterable[str]:
    others = User.objects.exclude(pk=user.pk).order_by()
    return others.values_list("username", flat=True).iterator()


def _account_effects(user: User) -> Iterable[Effect]:
    yield Effect(
        text=_(
            "Your username, email addresses, password, passkeys and recovery codes will be deleted."
        ),
        kept=False,
    )
    yield Effect(
        text=_("Your notifications, preferences, sessions and API keys will be deleted."),
        kept=False,
    )
