"""Template filters of the entry form."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from leagues.models import MatchSeat

register = template.Library()


@register.filter
def seat_at(seats: Sequence[MatchSeat], number: int) -> MatchSeat:
    return seats[number]
