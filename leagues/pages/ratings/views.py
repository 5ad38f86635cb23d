"""The leaderboard of a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from leagues.games import games
from leagues.ratings.calculation import rating_span
from leagues.ratings.queries import site_leaderboard


@require_safe
def leaderboard(request: HttpRequest, key: str) -> HttpResponse:
    game = games.find_game(key)
    if game is None:
        raise Http404("no such game")
    lines = site_leaderboard(key)
    context = {"game": game, "lines": lines, "span": rating_span([line.rating for line in lines])}
    return render(request, "leagues/leaderboard.html", context)
