"""Navigation between the pages of the account."""

from __future__ import annotations

from typing import Any, Final

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext_lazy as _

register = template.Library()

# URL names of the account pages, with their labels. Pages whose URL does not exist on this site are
# left out.
ACCOUNT_PAGES: Final = (
    ("account", _("My account")),
    ("profile", _("Profile")),
    ("notices", _("Notifications")),
    ("account_email", _("Email addresses")),
    ("account_change_password", _("Password")),
    ("mfa_index", _("Second factor and passkeys")),
    ("usersessions_list", _("Active sessions")),
    ("tokens", _("API keys")),
    ("account_export", _("Your data")),
    ("account_leave", _("Delete account")),
    ("account_logout", _("Sign out")),
)


@register.simple_tag(takes_context=True)
def account_doors(context: dict[str, Any]) -> list[tuple[str, object, bool]]:
    path = context["request"].path
    links: list[tuple[str, object, bool]] = []
    for name, label in ACCOUNT_PAGES:
        try:
            address = reverse(name)
        except NoReverseMatch:
            continue
        here = path == address or (name != "account" and path.startswith(address))
        links.append((address, label, here))
    return links
