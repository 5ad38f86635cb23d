"""The rules of the world's tables, where translators find them: the world itself speaks none."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_noop as _

RULES: Final = frozenset(
    {
        _("%(column)s “%(value)s” is no whole number from %(low)s to %(high)s"),
        _("%(column)s “%(value)s” is none of %(words)s"),
        _("%(column)s is empty"),
        _("%(column)s “%(value)s” stands on line %(before)s already"),
        _("%(column)s “%(value)s” is not a-z, 0-9 and single hyphens"),
        _("%(column)s “%(value)s” is no date; write YYYY-MM-DD"),
        _("%(column)s “%(value)s”: there is no such day"),
        _("born, alternativa and died do not follow each other"),
        _("%(column)s “%(value)s” is neither yes nor no"),
    }
)
