"""What leaving does to the account itself."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from accounts.leaving.farewells import Effect, Farewell, Parting, register

if TYPE_CHECKING:
    from accounts.models import User


def offer() -> None:
    """Declare it."""
    register(Farewell(part=_part, effects=_effects))


def _part(parting: Parting) -> None:
    """The row and all that hangs on it go last; see `executing`."""


def _effects(user: User) -> Iterable[Effect]:
    yield Effect(
        text=_(
            "Your username, email addresses, password, passkeys and recovery codes are deleted."
        ),
        kept=False,
    )
    yield Effect(
        text=_("Your notifications, preferences, sessions and API keys are deleted."), kept=False
    )
