"""The home page of the dominoes game and the page with its rules."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from dominoes.engine import Hand, MoveKind, Rules, bits, domino_set
from dominoes.game import GAME
from dominoes.stage import draw_tile
from dominoes.stage.picture import draw_train
from dominoes.stage.sentences import ends_sentence
from fairness import Seed
from leagues.pages.games.views import described_profiles, game_home_context


@require_safe
def home_page(request: HttpRequest) -> HttpResponse:
    return render(request, "dominoes/front.html", game_home_context(request, GAME))


# Seed, number of players and length of the train of the example on the rules page.
EXAMPLE_SEED: Final = Seed(b"matador".ljust(32, b"\0"))
EXAMPLE_PLAYERS: Final = 3
EXAMPLE_TILES: Final = 6


def _example_scene() -> dict[str, object]:
    """Return the train of an example hand as drawn on the page of a game table, with its ends in
    words.
    """
    hand = Hand.deal(Rules(), EXAMPLE_PLAYERS, EXAMPLE_SEED.chance("hand/1"), leader=0)
    while len(hand.view(None).train) < EXAMPLE_TILES:
        moves = hand.legal()
        played = [move for move in moves if move.kind not in (MoveKind.DRAW, MoveKind.PASS)]
        hand.play((played or moves)[0])
    view = hand.view(None)
    assert view.ends is not None
    return {"train": draw_train(view), "ends": ends_sentence(view.ends)}


@require_safe
def rules_page(request: HttpRequest) -> HttpResponse:
    usual = Rules()
    matadors = [draw_tile(usual, tile) for tile in bits(domino_set(usual.highest).matadors)]
    context = {
        "game": GAME,
        "profiles": described_profiles(GAME),
        "matadors": matadors,
        "scene": _example_scene(),
    }
    return render(request, "dominoes/rules.html", context)
