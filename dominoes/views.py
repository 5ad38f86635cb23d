"""The home page of the dominoes and the page with their rules."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dominoes.engine import Rules, bits, domino_set
from dominoes.game import GAME
from dominoes.stage import draw_tile
from leagues.games.views import described_profiles, game_home_context


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    return render(request, "dominoes/front.html", game_home_context(request, GAME))


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    usual = Rules()
    matadors = [draw_tile(usual, tile) for tile in bits(domino_set(usual.highest).matadors)]
    context = {"game": GAME, "profiles": described_profiles(GAME), "matadors": matadors}
    return render(request, "dominoes/rules.html", context)
