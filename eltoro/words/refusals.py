"""Why a move is refused, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import DECK, IllegalMove
from eltoro.words.cards import card_name

SENTENCES: Final[Mapping[str, str]] = {
    "over": gettext_noop("The game is over."),
    "not_your_turn": gettext_noop("It is not your turn."),
    "ask_start": gettext_noop("It is morning: place your 1s first."),
    "ask_card": gettext_noop("Play a card now."),
    "ask_discard": gettext_noop("It is evening: put away what you like, or keep all your cards."),
    "no_card": gettext_noop("There is no card “%(card)s”."),
    "not_held": gettext_noop("You do not hold the card “%(card)s”."),
    "no_targets": gettext_noop("“%(card)s” is aimed at nothing in particular."),
    "too_many": gettext_noop("“%(card)s” is for %(most)s at most: choose fewer."),
    "bad_target": gettext_noop("“%(card)s” cannot be aimed at that (%(target)s)."),
    "twice": gettext_noop("One thing is chosen twice (%(target)s): once is enough."),
    "no_runner": gettext_noop("There is no runner %(runner)s today."),
    "trampled": gettext_noop("The runner %(runner)s is trampled and out for the day."),
    "not_own": gettext_noop("Choose one of your own runners (not %(runner)s)."),
    "not_other": gettext_noop("Choose a runner of another player (%(runner)s is yours)."),
    "past_end": gettext_noop("A die that shows %(face)s cannot be turned past it (%(target)s)."),
    "no_bull": gettext_noop("There is no bull %(bull)s in town."),
    "ten_bulls": gettext_noop("All ten bulls are out already."),
    "no_space": gettext_noop("There is no roundabout “%(space)s” in town."),
    "not_in_row": gettext_noop("“%(space)s” is not in the row where they stand now."),
    "not_neighbour": gettext_noop("“%(space)s” is not next to where that bull (%(bull)s) stands."),
    "no_sign": gettext_noop("There is no sign “%(sign)s” in town."),
    "own_sign": gettext_noop("One of your tokens lies on that sign already (%(sign)s)."),
    "token_left": gettext_noop("You have tokens left: none is moved."),
    "no_token_left": gettext_noop("You have no token left: say which of yours is moved."),
    "not_your_token": gettext_noop("None of your tokens lies on that sign (%(sign)s)."),
    "no_token": gettext_noop("No token lies on that sign (%(sign)s)."),
    "not_a_one": gettext_noop("The runner %(runner)s is no 1 of yours to be placed."),
    "ones_left": gettext_noop("Each of your 1s needs a place (%(runner)s has none yet)."),
    "no_start": gettext_noop("“%(space)s” is no starting space."),
}
"""The sentences of the engine's refusals of moves, by their code."""


def refusal(error: IllegalMove) -> str:
    """Why a move is refused, in the language of who reads; a card by its name."""
    params = dict(error.params)
    named = {card.key: card_name(card) for card in DECK}
    if "card" in params:
        params["card"] = named.get(str(params["card"]), params["card"])
    return _(SENTENCES[error.code]) % params
