"""The front page of Matador dominoes, and the game explained."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dominoes.engine import Rules, bits, domino_set
from dominoes.game import BOTS, GAME, KEY
from dominoes.stage import one
from leagues.queries import boards, leagues, tables
from leagues.ratings import span
from leagues.views.visiting import visitor

TOP = 8
LISTED = 6


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Sit down at once, who is strongest, tables to watch, leagues."""
    lines = boards.site_board(KEY, TOP)
    player = visitor(request)
    context: dict[str, Any] = {
        "game": GAME,
        "lines": lines,
        "span": span([line.shown for line in lines]),
        "leagues": leagues.listed(KEY, LISTED),
        "watchable": tables.to_watch(KEY)[:LISTED],
        "yours": tables.of_player(player, KEY)[:LISTED],
        "bots": BOTS,
        "player": player,
    }
    return render(request, "dominoes/front.html", context)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The game in our own words, with its tiles; every profile beside the rulebook's."""
    profiles = [(profile, GAME.describe(profile.options)) for profile in GAME.profiles]
    usual = Rules()
    matadors = [one(usual, tile) for tile in bits(domino_set(usual.highest).matadors)]
    context = {"game": GAME, "profiles": profiles, "matadors": matadors}
    return render(request, "dominoes/rules.html", context)
