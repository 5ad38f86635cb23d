"""Display names, and the applications that store them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db import transaction

if TYPE_CHECKING:
    from accounts.models import User

MAX_NAME_LENGTH: Final = 60


class NameRefusedError(ValueError):
    """A name cannot be borne; the text says why, politely."""


@dataclass(frozen=True, kw_only=True)
class NameProvider:
    """Who keeps names: `read` gives a person's (None where there is none yet), `write` changes it.

    `write` raises `NameRefusedError`. `address` leads to the page that others see, if there is one.
    """

    read: Callable[[User], str | None]
    write: Callable[[User, str], None]
    address: Callable[[User], str | None]


_providers: list[NameProvider] = []


def register_name_provider(bearer: NameProvider) -> None:
    """Declare who keeps names, once."""
    if bearer not in _providers:
        _providers.append(bearer)


def display_name(user: User) -> str:
    """What others call the person: the public name, else the one of the account."""
    borne = (bearer.read(user) for bearer in _providers)
    return next(filter(None, borne), user.get_full_name() or user.get_username())


def public_page(user: User) -> str | None:
    """The page of the person that others see; None before there is one."""
    return next(filter(None, (bearer.address(user) for bearer in _providers)), None)


@transaction.atomic
def rename(user: User, name: str) -> None:
    """Call the person something else everywhere; `NameRefusedError` where that cannot be."""
    for bearer in _providers:
        bearer.write(user, name)
    user.first_name, user.last_name = name[:MAX_NAME_LENGTH], ""
    user.save(update_fields=["first_name", "last_name"])
