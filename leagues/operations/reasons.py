"""Why these meet, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from leagues.pairing import Because, Reason

SENTENCES: Final = {
    Because.ROUND_ROBIN: _("Everyone plays everyone else: round %(round)s of %(rounds)s."),
    Because.SAME_SCORE: _("All these players have %(score)s points."),
    Because.NEAR_SCORE: _("These players’ scores are between %(low)s and %(high)s."),
    Because.NOT_MET: _("These players have not met before."),
    Because.MET_NOBODY_LEFT: ngettext_lazy(
        "These players have met once before; no draw could avoid it.",
        "These players have met %(times)s times before; no draw could avoid it.",
        "times",
    ),
    Because.MET_FEWEST: _(
        "Some of these players have met before, but the draw keeps repeats to a minimum."
    ),
    Because.PARTNERS_NEW: _("These partners have not played together before."),
    Because.PARTNERS_BEFORE: ngettext_lazy(
        "These partners have played together once before.",
        "These partners have played together %(times)s times before.",
        "times",
    ),
    Because.BYE_LOWEST: _("Sits out this round: the lowest-placed player who has not sat out yet."),
    Because.BYE_FEWEST: _(
        "Sits out this round: every player has sat out before, and none less often."
    ),
    Because.BYE_TURN: _("Sits out this round: all players take turns."),
    Because.LED_LEAST: ngettext_lazy(
        "The first seat goes to the player who has had it least often (once).",
        "The first seat goes to the player who has had it least often (%(led)s times).",
        "led",
    ),
    Because.LED_LEVEL: _("The first seat is drawn among the players who have had it least often."),
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
