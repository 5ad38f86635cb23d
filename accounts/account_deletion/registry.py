"""Registry of what each application does when an account is deleted."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.utils.translation import gettext as _

from accounts.models import SAME_USERNAME_KIND, Export, Notice, User

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet


@dataclass(frozen=True, kw_only=True)
class Effect:
    """A line of the deletion page about something that the site keeps (`kept`) or deletes."""

    text: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Deletion:
    """A deletion in progress, with the alias that replaces the user's names.

    `names` are the username, email addresses and public names, longest first. `longer_names` are
    other people's names that contain one of these names, such as Ana María for Ana. They are not
    replaced. A handler that changes the slug of a page adds an item to `moves`: it maps the pair of
    folder and old slug to the new slug.
    """

    user: User
    alias: str
    names: tuple[str, ...]
    at: dt.datetime
    longer_names: tuple[str, ...] = ()
    moves: dict[tuple[str, str], str] = field(default_factory=dict)


def _ignore(deletion: Deletion, keys: list[object]) -> None:
    pass


@dataclass(frozen=True, kw_only=True)
class StoredText:
    """Columns with text or JSON that may contain the name of a deleted user.

    `rows` returns the rows to search. It is called before any data of the account has changed, so
    it may filter the rows by the user. Its result must not depend on the user any more. With
    `links`, texts may be addresses of pages. `members` restricts a JSON column to the members of
    its objects that contain text written by people. Other members hold keys and notation such as
    `dominoes` or `final`, which could also be somebody's name, and stay unchanged. With `encoded`,
    a text column contains JSON. `slug` is a column with a slug that was made from a name and may
    outlive the account. `changed` is called with the keys of rows in which a name was replaced or
    whose slug contains a name.
    """

    model: type[Model]
    columns: tuple[str, ...]
    rows: Callable[[User], QuerySet[Model]]
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

    `part` is a function that deletes or anonymises the application's data. It runs in the
    transaction that deletes the account, before the user's row is deleted. `hindrances` returns
    sentences that say why the account cannot be deleted yet. `effects` returns what is deleted and
    kept. `names` returns further names of the user. `names_of_others` returns all names of other
    people that may appear in texts.
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
    """Register columns in which a user's names are replaced after all handlers have run.

    A test fails if a text column is neither registered here nor listed in the test as an exception.
    """
    texts.extend(text for text in more if text not in texts)


models_with_own_names: list[type[Model]] = []


def register_models_with_own_names(*models: type[Model]) -> None:
    """Register models whose rows have names of their own, such as matadors.

    The admin log keeps the names of their rows. Otherwise, the deletion of the user Pedro would
    change what the log says about the matador Pedro Romero.
    """
    models_with_own_names.extend(model for model in models if model not in models_with_own_names)


def register_account_handler() -> None:
    register_handler(
        DeletionHandler(
            part=_delete_account_data, effects=_account_effects, names_of_others=_other_usernames
        )
    )
    register_texts(*_TEXTS)


# Keys of `Notice.data` whose values contain names or text written by people, for all kinds of
# notifications.
NOTICE_TEXTS: Final = (
    *("address", "by", "circuit", "guest", "league", "name", "names", "result", "season", "where"),
)


def _log_entries(user: User) -> QuerySet[LogEntry]:
    """Return the admin log entries about rows that may be named after a user.

    The text of a season, for example, contains the name of its circuit.
    """
    own = ContentType.objects.get_for_models(*models_with_own_names).values()
    return LogEntry.objects.exclude(content_type__in=own)


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
    """Do nothing: `operations.delete_account` deletes the row of the user after all handlers."""


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
