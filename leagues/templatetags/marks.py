"""Template tags for marks of players: shape, colour and letter.

Nothing is shown by colour alone, so that colour-blind players can distinguish the marks.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from leagues.members.marks import MARK_COUNT, mark_of_player, mark_of_seat, marks_of_seats
from leagues.models import Player

register = template.Library()


@register.simple_tag
def mark(seat: int, name: str = "") -> SafeString:
    return _drawn(shape(seat), name[:1].upper())


@register.simple_tag
def mark_among(players: Sequence[int | None], seat: int, name: str) -> SafeString:
    return _drawn(marks_of_seats(players)[seat] + 1, name[:1].upper())


@register.simple_tag
def player_mark(player: Player) -> SafeString:
    return _drawn(mark_of_player(player.person_id) + 1, player.name[:1].upper())


@register.filter
def shape(seat: int) -> int:
    """Return the mark of a seat (from 0) as a number from 1, for CSS classes such as `mk-1`."""
    return mark_of_seat(seat) + 1


@register.simple_tag
def dot(seat: int) -> SafeString:
    return _dots(shape(seat))


@lru_cache(MARK_COUNT)
def _dots(shape: int) -> SafeString:
    return render_to_string("leagues/_marks.html#small", {"shape": shape})


@lru_cache(1024)
def _drawn(shape: int, letter: str) -> SafeString:
    """Render a mark.

    The result is cached, because pages contain many marks but few different ones.
    """
    return render_to_string("leagues/_marks.html#mark", {"shape": shape, "letter": letter})
