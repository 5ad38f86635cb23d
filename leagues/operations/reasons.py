"""Why these meet, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from leagues.pairing import Because, Reason

SENTENCES: Final = {
    Because.ROUND_ROBIN: _("Everybody meets everybody: round %(round)s of %(rounds)s."),
    Because.SAME_SCORE: _("All stand on %(score)s."),
    Because.NEAR_SCORE: _("They stand between %(low)s and %(high)s."),
    Because.NOT_MET: _("They have not met before."),
    Because.MET_NOBODY_LEFT: ngettext_lazy(
        "They met once before; no draw would do with less.",
        "They met %(times)s times before; no draw would do with less.",
        "times",
    ),
    Because.MET_FEWEST: _("Some met before, as few as could be found."),
    Because.PARTNERS_NEW: _("Partners who have not been partners before."),
    Because.PARTNERS_BEFORE: ngettext_lazy(
        "Partners who were partners once before.",
        "Partners who were partners %(times)s times before.",
        "times",
    ),
    Because.BYE_LOWEST: _("Sits out: the lowest of those who have not sat out yet."),
    Because.BYE_FEWEST: _("Sits out: all have, nobody less often."),
    Because.BYE_TURN: _("Sits out: everybody does in turn."),
    Because.LED_LEAST: ngettext_lazy(
        "The first seat goes to who has had it least, once.",
        "The first seat goes to who has had it least, %(led)s times.",
        "led",
    ),
    Because.LED_LEVEL: _("The first seat is drawn among those who have had it as seldom."),
}


def in_words(reasons: Sequence[Reason | Mapping[str, Any]]) -> list[str]:
    """The reasons of a pairing as sentences; one that is not known any more is left out."""
    return [said for reason in reasons if (said := _sentence(reason))]


def _sentence(reason: Reason | Mapping[str, Any]) -> str:
    if isinstance(reason, Reason):
        return _filled(reason.code, reason.params)
    try:
        return _filled(Because(reason["code"]), reason["params"])
    except (KeyError, ValueError, TypeError):
        return ""


def _filled(code: Because, params: Mapping[str, Any]) -> str:
    rounded = {
        name: floatformat(value, -2) if isinstance(value, float) else value
        for name, value in params.items()
    }
    return str(SENTENCES[code] % rounded)
