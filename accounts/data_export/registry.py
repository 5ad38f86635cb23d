"""The tables and files that go into a data export."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.db import models

from accounts.models import Choice, Departure, Export, Notice, User
from core.names.fields import is_derived

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

# Number of rows that an export holds in memory at a time.
CHUNK_SIZE: Final = 500


@dataclass(frozen=True, kw_only=True)
class ExportTable:
    """Rows of one model that are about a user, exported as a JSON file.

    `name` is the path in the archive without its extension. `rows` selects the rows. `without`
    names columns that are left out because they are secret or about other people.
    """

    name: str
    model: type[models.Model]
    rows: Callable[[User], models.QuerySet[Model]]
    without: frozenset[str] = frozenset()

    def count(self, user: User) -> int:
        return self.rows(user).count()

    def iterate_rows(self, user: User) -> Iterator[dict[str, object]]:
        columns = [
            field.attname
            for field in self.model._meta.concrete_fields
            if field.name not in self.without and not is_derived(field)
        ]
        return self.rows(user).order_by("pk").values(*columns).iterator(chunk_size=CHUNK_SIZE)


@dataclass(frozen=True, kw_only=True)
class ExportFiles:
    """Whole files in an export, such as rosters of matadors and bulls.

    `each` yields pairs of file name and content. `weigh` returns how many database rows take about
    as long to export as these files. The progress display counts them as that many rows.
    """

    each: Callable[[User], Iterable[tuple[str, bytes]]]
    weigh: Callable[[User], int]


export_parts: list[ExportTable | ExportFiles] = []
# Models (`app.Model`) with user data that no export contains, and the reason for each.
excluded_models: dict[str, str] = {}


def register_tables(*declared: ExportTable | ExportFiles) -> None:
    export_parts.extend(part for part in declared if part not in export_parts)


def exclude_models(**reasons: str) -> None:
    """Exclude models from data exports, with the reason: `app__Model="reason"`."""
    excluded_models.update({name.replace("__", ".", 1): reason for name, reason in reasons.items()})


def register_account_tables() -> None:
    register_tables(
        ExportTable(
            name="profile",
            model=User,
            rows=lambda user: User.objects.filter(pk=user.pk),
            without=frozenset({"password", "secrets_version"}),
        ),
        _table_of_user("mail-addresses", EmailAddress),
        _table_of_user("passkeys-and-codes", Authenticator, "data"),
        _table_of_user("sessions", UserSession, "session_key"),
        _table_of_user("notices", Notice),
        _table_of_user("notice-choices", Choice),
        _table_of_user("departure", Departure),
        _table_of_user("exports", Export),
        _table_of_user("history/office", LogEntry),
    )


def _table_of_user(name: str, model: type[Model], *without: str) -> ExportTable:
    def rows(user: User) -> QuerySet[Model]:
        return model._default_manager.filter(user=user)

    return ExportTable(name=name, model=model, rows=rows, without=frozenset(without))
