"""The boards that somebody keeps, and how to begin one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from eltoro.queries import GAME, begun_by
from leagues.views.visiting import visitor


@require_safe
def hall(request: HttpRequest) -> HttpResponse:
    """Matches that wait to be written, each with the way to its board."""
    player = visitor(request)
    begun = begun_by(player) if player else []
    return render(request, "eltoro/keepers.html", {"begun": begun, "game_key": GAME})
