"""A page that says what an organiser is about to do to more than one thing, and asks."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leagues.forms.numbers import whole
from leagues.models import League, Player
from leagues.operations.errors import OperationError
from leagues.views.league import shared


def looked_at(request: HttpRequest) -> int | None:
    """The edition of the league that the visitor has seen and said yes to; None asks them."""
    edition = request.POST.get("edition")
    return None if edition is None else whole(edition)


def ask(
    request: HttpRequest,
    league: League,
    player: Player,
    tab: str,
    lines: Callable[[], list[str]],
    *,
    heading: str,
    button: str,
    keep: str,
    back: str,
) -> HttpResponse:
    """Say in `lines` what would happen, with a button and a way back; or why it is refused.

    The button posts to this address, with the league's edition for `looked_at`.
    """
    context = shared(league, player, tab)
    context |= {"heading": heading, "button": button, "keep": keep, "back": back}
    try:
        context["lines"] = lines()
    except OperationError as error:
        context["problem"] = str(error)
    return render(request, "leagues/confirm.html", context)
