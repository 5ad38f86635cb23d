"""What league pages draw again and again: ratings, evidence, states, signed numbers."""

from __future__ import annotations

from datetime import datetime
from fractions import Fraction
from typing import Any, Final

from django import template
from django.template.defaultfilters import floatformat
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from leagues.fixtures.queries import FixtureLine
from leagues.games import games
from leagues.models import Player, Sheet
from leagues.ratings.calculation import DisplayedRating

register = template.Library()

WIDTH: Final = 144.0
"""Units across the drawing of a rating."""
MINUS: Final = "\N{MINUS SIGN}"
HALVES: Final = {Fraction(1, 2): "½", Fraction(1, 3): "⅓", Fraction(2, 3): "⅔", Fraction(1, 4): "¼"}


@register.inclusion_tag("leagues/_rating.html")
def rating(shown: DisplayedRating | None, span: tuple[int, int]) -> dict[str, Any]:
    """A rating with its interval on a line from `span[0]` to `span[1]`; a dash without one."""
    if shown is None:
        return {"shown": None}
    low, high = span
    scale = WIDTH / max(1, high - low)

    def across(value: int) -> float:
        return min(WIDTH, max(0.0, (value - low) * scale))

    left, right = across(shown.low), across(shown.high)
    return {
        "shown": shown,
        "left": f"{left:.2f}",
        "right": f"{right:.2f}",
        "wide": f"{right - left:.2f}",
        "middle": f"{across(shown.rating):.2f}",
    }


EVIDENCE: Final = {
    Sheet.Evidence.SCORE: (1, _("result only")),
    Sheet.Evidence.OPEN: (2, _("sheet, not contradicted")),
    Sheet.Evidence.SHEET: (2, _("scoresheet")),
    Sheet.Evidence.LOG: (3, _("record of all moves")),
}


@register.inclusion_tag("leagues/_evidence.html")
def evidence(kind: str) -> dict[str, Any]:
    """How much of a result could be worked out anew: one, two or three coins."""
    count, word = EVIDENCE[Sheet.Evidence(kind)]
    return {"coins": [(8 + 13 * number, number < count) for number in range(3)], "word": word}


@register.filter
def signed(value: float) -> str:
    """A whole number with its sign, the minus as wide as the plus."""
    if value == 0:
        return "0"
    return f"{'+' if value > 0 else MINUS}{number_format(abs(value), use_l10n=True)}"


@register.filter
def score(value: Fraction | int | float) -> str:
    """A league score, whole or with the fraction that a shared win brings."""
    exact = Fraction(value)
    whole, rest = divmod(exact, 1)
    if not rest:
        return str(whole)
    if rest in HALVES:
        return f"{whole or ''}{HALVES[rest]}"
    return floatformat(float(exact), 2)


@register.filter
def involves(line: FixtureLine, player: Player) -> bool:
    """Whether a player, under whichever name, sits at a fixture."""
    return line.involves(player.person_id)


@register.filter
def overdue(line: FixtureLine, at: datetime) -> bool:
    """Whether the deadline of a fixture has passed and it is still to be played."""
    return line.overdue(at)


@register.filter
def game_name(key: str) -> str:
    """What a game is called; its key where it is not on the site any more."""
    game = games.find(key)
    return str(game.name) if game else key
