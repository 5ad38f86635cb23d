"""Reasons why a move is refused, and errors in a board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from eltoro.engine import DECK, DataError, IllegalMove
from eltoro.stage.sentences.cards import card_name

REFUSAL_SENTENCES: Final[Mapping[str, str]] = {
    "over": gettext_noop("The game is over."),
    "not_your_turn": gettext_noop("It is not your turn."),
    "ask_start": gettext_noop("It is morning: place your 1s first."),
    "ask_card": gettext_noop("Play a card now."),
    "ask_discard": gettext_noop(
        "It is evening: discard the cards you don’t want, or keep them all."
    ),
    "no_card": gettext_noop("The game has no card “%(card)s”."),
    "not_held": gettext_noop("You don’t have the card “%(card)s”."),
    "no_targets": gettext_noop("“%(card)s” does not need a target."),
    "too_many": gettext_noop("“%(card)s” can have at most %(most)s targets. Choose fewer."),
    "bad_target": gettext_noop("“%(card)s” can’t be used on that target (%(target)s)."),
    "twice": gettext_noop("You have chosen the same target twice (%(target)s)."),
    "no_runner": gettext_noop("Runner %(runner)s is not in play today."),
    "trampled": gettext_noop("Runner %(runner)s has been trampled and is out for the day."),
    "not_own": gettext_noop("Choose one of your own runners (not %(runner)s)."),
    "not_other": gettext_noop("Choose another player’s runner (%(runner)s is yours)."),
    "past_end": gettext_noop(
        "A die showing %(face)s can’t be turned any further in that direction (%(target)s)."
    ),
    "no_bull": gettext_noop("Bull %(bull)s is not in town."),
    "ten_bulls": gettext_noop("All ten bulls are already on the board."),
    "no_space": gettext_noop("The town has no roundabout “%(space)s”."),
    "not_in_row": gettext_noop("“%(space)s” is not in the row where the dice are now."),
    "not_neighbour": gettext_noop("“%(space)s” is not next to that bull (%(bull)s)."),
    "no_sign": gettext_noop("The town has no sign “%(sign)s”."),
    "own_sign": gettext_noop("You already have a token on that sign (%(sign)s)."),
    "token_left": gettext_noop("You still have tokens to lay, so you can’t move one."),
    "no_token_left": gettext_noop(
        "You have no tokens left to lay. Say which of your tokens to move."
    ),
    "not_your_token": gettext_noop("You have no token on that sign (%(sign)s)."),
    "no_token": gettext_noop("There is no token on that sign (%(sign)s)."),
    "not_a_one": gettext_noop("Runner %(runner)s is not one of your 1s waiting to be placed."),
    "ones_left": gettext_noop("Place each of your 1s (%(runner)s has not been placed yet)."),
    "no_start": gettext_noop("“%(space)s” is not a starting space."),
}
# By the code of the engine's refusal.


def refusal_sentence(error: IllegalMove) -> str:
    """Return why a move is refused, in the active language."""
    params = dict(error.params)
    named = {card.key: card_name(card) for card in DECK}
    if "card" in params:
        params["card"] = named.get(str(params["card"]), params["card"])
    return _(REFUSAL_SENTENCES[error.code]) % params


DATA_ERROR_SENTENCES: Final[Mapping[str, str]] = {
    "columns": gettext_noop("The first line must contain these column names: %(wanted)s."),
    "cells": gettext_noop("There are more cells than columns."),
    "empty_file": gettext_noop("There are no rows below the column names."),
    "key": gettext_noop(
        "“%(key)s” is not a valid key. Use only lower-case letters, digits and hyphens."
    ),
    "key_twice": gettext_noop("Two spaces have the key “%(key)s”."),
    "number": gettext_noop("“%(value)s” is not a whole number (%(column)s)."),
    "row": gettext_noop("Rows must be numbered from 0 without gaps. Check row %(row)s."),
    "starts": gettext_noop("Row 0 must contain the starts 2, 3, 4, 5 and 6, in this order."),
    "ends": gettext_noop("The last row must contain d1, d2, d3, d4 and d5, in this order."),
    "rows": gettext_noop(
        "A board must have at least one row of starts and one row of destinations."
    ),
    "spaces": gettext_noop("A board can have at most %(most)s spaces."),
    "way": gettext_noop(
        "A fork must have one even and one odd path; any other space must have a single path."
    ),
    "no_way": gettext_noop("No path leads on from “%(space)s”."),
    "way_from_end": gettext_noop("A destination can’t have a path leading on from it."),
    "same_ways": gettext_noop(
        "The even and odd paths lead to the same space, but a fork must lead to two "
        "different spaces."
    ),
    "way_to": gettext_noop("A path leads to the space “%(space)s”, which does not exist."),
    "way_rows": gettext_noop("“%(space)s” is not in the next row down: a path can’t skip a row."),
    "unreachable": gettext_noop("No path leads to “%(space)s”."),
}
# By the code of the engine's error in a board.


def data_error_sentence(error: DataError) -> str:
    """Return the line, the error and the ruling in the active language."""
    sentence = (
        _(DATA_ERROR_SENTENCES[error.code]) % error.params
        if error.code in DATA_ERROR_SENTENCES
        else ""
    )
    told = {"line": error.line, "sentence": sentence or error.sentence, "ruling": error.ruling}
    if error.line:
        return _("Line %(line)s: %(sentence)s (Ruling %(ruling)s)") % told
    return _("%(sentence)s (Ruling %(ruling)s)") % told
