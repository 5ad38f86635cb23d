"""The rules of the world's tables, where translators find them: the world itself speaks none."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

RULES: Final = frozenset(
    {
        _("%(column)s “%(value)s” is not a whole number from %(low)s to %(high)s"),
        _("%(column)s “%(value)s” is not one of %(words)s"),
        _("%(column)s is empty"),
        _("%(column)s “%(value)s” is already on line %(before)s"),
        _("%(column)s “%(value)s” may only contain a–z, 0–9 and single hyphens"),
        _("%(column)s “%(value)s” is not a date. Enter YYYY-MM-DD."),
        _("%(column)s “%(value)s” is not a valid date"),
        _("the dates of birth, alternativa and death are not in order"),
        _("%(column)s “%(value)s” is neither yes nor no"),
    }
)
