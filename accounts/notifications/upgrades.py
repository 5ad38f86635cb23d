"""Kinds of notifications about what an upgrade of the site has changed or found."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.models import SAME_USERNAME_KIND
from accounts.notifications.kinds import NotificationKind

# Sent by migrations that change a slug because the site now uses that address for a page.
ADDRESS_CHANGED: Final = NotificationKind(
    key="address",
    label=_("The address of one of my pages has changed"),
    text=_(
        "%(name)s has moved to %(address)s, because this site now uses the old address "
        "for one of its own pages."
    ),
)

# Sent by the migration that first compares usernames regardless of case.
SAME_USERNAME: Final = NotificationKind(
    key=SAME_USERNAME_KIND,
    label=_("Another username is spelled like yours"),
    text=_(
        "Another account’s username differs from yours only in upper and lower case. When you "
        "sign in, spell yours exactly like this: %(name)s"
    ),
)
