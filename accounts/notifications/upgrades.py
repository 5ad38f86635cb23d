"""Kinds of notifications about changes that an upgrade of the site has made to a user's data."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.models import SAME_USERNAME_KIND
from accounts.notifications.kinds import NotificationKind

# Sent by a migration that changes the slug of a row, because the site now uses the row's old
# address for a page of its own.
ADDRESS_CHANGED: Final = NotificationKind(
    key="address",
    label=_("The address of one of my pages has changed"),
    text=_(
        "%(name)s has moved to %(address)s, because this site now uses the old address "
        "for one of its own pages."
    ),
)

# Sent by the migration after which usernames are compared regardless of case, to users with similar
# names.
SAME_USERNAME: Final = NotificationKind(
    key=SAME_USERNAME_KIND,
    label=_("Another username is spelled like yours"),
    text=_(
        "Another account’s username differs from yours only in upper and lower case. When you "
        "sign in, spell yours exactly like this: %(name)s"
    ),
)
