"""Tags and filters of league pages: ratings, evidence, states, signed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django import template
from django.utils.translation import gettext_lazy as _

from accounts.wording import ordinal
from leagues.fixtures.queries import FixtureLine
from leagues.games import games
from leagues.matches_read import SeatResult, by_side
from leagues.models import Player, Sheet
from leagues.ratings.calculation import DisplayedRating
from leagues.text import and_word, score, signed

register = template.Library()
register.filter(score)
register.filter(signed)
register.filter(and_word)
register.filter(by_side)
register.filter(ordinal)

# Width of the drawing of a rating, in SVG units.
WIDTH: Final = 144.0


@register.inclusion_tag("leagues/_standings.html#rating")
def rating(displayed_rating: DisplayedRating | None, span: tuple[int, int]) -> dict[str, object]:
    if displayed_rating is None:
        return {"rating": None}
    low, high = span
    scale = WIDTH / max(1, high - low)

    def across(value: int) -> float:
        return min(WIDTH, max(0.0, (value - low) * scale))

    left, right = across(displayed_rating.low), across(displayed_rating.high)
    return {
        "rating": displayed_rating,
        "left": f"{left:.2f}",
        "right": f"{right:.2f}",
        "wide": f"{right - left:.2f}",
        "middle": f"{across(displayed_rating.rating):.2f}",
    }


EVIDENCE: Final = {
    Sheet.Evidence.SCORE: (1, _("result only")),
    Sheet.Evidence.OPEN: (2, _("sheet, not contradicted")),
    Sheet.Evidence.SHEET: (2, _("scoresheet")),
    Sheet.Evidence.LOG: (3, _("record of all moves")),
}


@register.inclusion_tag("leagues/_evidence.html")
def evidence(kind: str) -> dict[str, object]:
    count, word = EVIDENCE[Sheet.Evidence(kind)]
    return {"coins": [(8 + 13 * number, number < count) for number in range(3)], "word": word}


@register.filter
def involves(line: FixtureLine, player: Player) -> bool:
    return line.involves(player.person_id)


@register.filter
def overdue(line: FixtureLine, at: datetime) -> bool:
    return line.overdue(at)


@register.filter
def side_points(points: Sequence[int], seats: Sequence[SeatResult]) -> str:
    """Write the points of a version of a sheet, one total a side in the order of `seats`."""
    numbers = [side.seats[0].number for side in by_side(seats)]
    return " : ".join(str(points[number]) for number in numbers if number < len(points))


@register.filter
def played_in(player: Player | None, seats: Sequence[SeatResult]) -> bool:
    return player is not None and player.person_id in {seat.player.pk for seat in seats}


@register.filter
def game_name(key: str) -> str:
    game = games.find(key)
    return str(game.name) if game else key
