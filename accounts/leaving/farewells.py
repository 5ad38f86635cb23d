"""What each application does when somebody leaves for good."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One line of the page that says what leaving does: goes (`kept` False), or stays."""

    text: str
    kept: bool


@dataclass(frozen=True, kw_only=True)
class Parting:
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
class Farewell:
    """An application's share.

    `part` runs in the transaction that deletes the account, before its row goes. `hindrances` are
    sentences that say why somebody may not leave yet, `effects` what will go and stay, `names`
    what else the person is called.
    """

    part: Callable[[Parting], None]
    hindrances: Callable[[User], Iterable[str]] = _nothing
    effects: Callable[[User], Iterable[Effect]]
    names: Callable[[User], Iterable[str]] = _nothing


farewells: list[Farewell] = []


def register(farewell: Farewell) -> None:
    """Declare what an application does."""
    if farewell not in farewells:
        farewells.append(farewell)
