"""What the form for a hand needs while it is drawn."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from leagues.models import MatchSeat

register = template.Library()


@register.filter
def seat_at(seats: Sequence[MatchSeat], number: int) -> MatchSeat:
    """The seat with this number."""
    return seats[number]
