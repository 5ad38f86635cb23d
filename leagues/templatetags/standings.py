"""Template tags and filters of league pages: ratings, evidence, states, signed numbers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.wording import ordinal
from leagues.fixtures.queries import FixtureLine
from leagues.games import Game, Profile, games
from leagues.matches_read import SeatResult, by_side
from leagues.models import League, Player, Sheet
from leagues.pages.forms import players_of_profile
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
    Sheet.Evidence.OPEN: (2, _("scoresheet without contradictions")),
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
    """Return the points of a scoresheet version as text, one number per side in the order of
    `seats`.
    """
    numbers = [side.seats[0].number for side in by_side(seats)]
    return " : ".join(str(points[number]) for number in numbers if number < len(points))


@register.filter
def played_in(player: Player | None, seats: Sequence[SeatResult]) -> bool:
    return player is not None and player.person_id in {seat.player.pk for seat in seats}


@register.filter
def deadline(time: datetime, league: League) -> str:
    """Return a deadline as text with its weekday, in the time zone of the league.

    The name of the time zone is added if the visitor has chosen a different zone, in which clocks
    show a different time.
    """
    return _in_zone_of(league, time, "l j M, H:i")


@register.filter
def deadline_with_year(time: datetime, league: League) -> str:
    return _in_zone_of(league, time, "l j F Y, H:i")


def _in_zone_of(league: League, time: datetime, form: str) -> str:
    local = time.astimezone(ZoneInfo(league.zone))
    words = date_format(local, form)
    if local.utcoffset() == timezone.localtime(time).utcoffset():
        return words
    return f"{words} ({league.zone.replace('_', ' ')})"


@register.filter
def players_in(profile: Profile, game: Game) -> str:
    return players_of_profile(game, profile)


@register.filter
def game_name(key: str) -> str:
    game = games.find_game(key)
    return str(game.name) if game else key
