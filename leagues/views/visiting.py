"""Who visits, and what of a league they may see."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.time_zones import show_in
from leagues.models import League, Player
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.players import guest_of, player_of
from leagues.rules import may_organise, viewable_league


def visitor(request: HttpRequest) -> Player | None:
    """The player who looks; a guest only where this browser holds one."""
    return player_of(request) if request.user.is_authenticated else guest_of(request)


def league_of(request: HttpRequest, slug: str) -> tuple[League, Player | None]:
    """The league at this address and who looks at it.

    A league by link lives at an address that cannot be guessed: who has it may look. 404 for
    everybody else, so that nobody learns of a league they are not in.
    """
    player = visitor(request)
    league = viewable_league(player, slug)
    if league is None:
        raise Http404("no such league")
    show_in(request, league.zone)
    return league, player


def organised(request: HttpRequest, slug: str) -> tuple[League, Player]:
    """The league, for who organises it; 404 for who may not even see it."""
    league, player = league_of(request, slug)
    if player is None or not may_organise(player, league):
        raise Http404("not for you")
    return league, player


def tell_refusal(request: HttpRequest, error: OperationError) -> None:
    """Let the next page say why something was refused; louder where it was because of who asked."""
    level = messages.ERROR if isinstance(error, NotAllowed) else messages.WARNING
    messages.add_message(request, level, str(error))


def attempt(request: HttpRequest, act: Callable[[], object], done: str, to: str) -> HttpResponse:
    """Do it and go on to `to`, saying that it is done, or why it is refused."""
    try:
        act()
    except OperationError as error:
        tell_refusal(request, error)
    else:
        messages.success(request, done)
    return redirect(to)
