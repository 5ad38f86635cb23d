"""Read and change users' public names, which other applications store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction

from core.names.fields import with_keys
from core.names.text import shorten

if TYPE_CHECKING:
    from accounts.models import User

MAX_NAME_LENGTH: Final = 60


class NameRefusedError(ValueError):
    """The chosen public name is not allowed. The message says why."""


@dataclass(frozen=True, kw_only=True)
class NameProvider:
    """Functions with which an application reads and writes the public names of users.

    `read` returns None if the user has no public name. `write` raises `NameRefusedError`. `address`
    returns the path of the user's public page, or None.
    """

    read: Callable[[User], str | None]
    write: Callable[[User, str], None]
    address: Callable[[User], str | None]


_providers: list[NameProvider] = []


def register_name_provider(provider: NameProvider) -> None:
    """Register the functions with which an application reads and writes users' public names."""
    if provider not in _providers:
        _providers.append(provider)


def display_name(user: User) -> str:
    names = (provider.read(user) for provider in _providers)
    return next(filter(None, names), user.get_full_name() or user.get_username())


def public_page(user: User) -> str | None:
    return next(filter(None, (provider.address(user) for provider in _providers)), None)


@transaction.atomic
def rename(user: User, name: str) -> None:
    """Change the user's public name in every application. Raises `NameRefusedError`."""
    for provider in _providers:
        provider.write(user, name)
    user.first_name, user.last_name = shorten(name, MAX_NAME_LENGTH), ""
    user.save(update_fields=with_keys(user._meta.model, ["first_name", "last_name"]))
