"""The front page of Running with the Bulls, and the game explained."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from eltoro.engine import PROFILES, Game, Rules, random_move
from eltoro.game import GAME
from eltoro.stage.town import Picture, picture
from eltoro.views.gallery import boards, cards, destinations
from fairness import Seed
from leagues.games.views import described_profiles, game_home_context

SHOWN_SEED: Final = Seed(bytes(range(32)))
SHOWN_PLAYERS: Final = 3
SHOWN_MOVES: Final = 9
"""How far the evening on the front page's map has come."""


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """Sit down at once, the town, who is strongest, tables to watch, leagues, cards."""
    context = {
        **game_home_context(request, GAME),
        "stand_in": GAME.stand_in,
        "map": _town(get_language() or "en"),
        "cards": cards(PROFILES["el-toro"]),
        "destinations": destinations(PROFILES["el-toro"]),
        "boards": boards(),
    }
    return render(request, "eltoro/front.html", context)


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """The game in our own words, with every card and destination; every profile by name."""
    usual = PROFILES["el-toro"]
    context = {
        "game": GAME,
        "profiles": described_profiles(GAME),
        "cards": cards(usual),
        "destinations": destinations(usual),
    }
    return render(request, "eltoro/rules.html", context)


@lru_cache(maxsize=8)
def _town(_language: str) -> Picture:
    """The town on a day of an evening that nobody played, told in this language."""
    rules = Rules()
    game = Game.new(rules, SHOWN_PLAYERS, SHOWN_SEED)
    chance = SHOWN_SEED.chance("front page")
    for _move in range(SHOWN_MOVES):
        game.play(random_move(game.view(game.turn), chance))
    names = [_("player %(number)s") % {"number": seat + 1} for seat in range(SHOWN_PLAYERS)]
    return picture(game.town(), rules, names=names)
