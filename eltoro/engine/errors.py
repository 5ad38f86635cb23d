"""Errors of the El Toro engine. Most of them name the ruling that they are based on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Base class of errors caused by invalid input to the engine.

    Messages can be shown to users.
    """


class NotationError(EngineError):
    """Error: a text is not valid notation for a move or a town."""


class RulesError(EngineError):
    """Error: an unknown option of the rules or an invalid value.

    `field` is the name of the option. `ruling` is the ruling that defines the option.
    """

    def __init__(self, field: str, ruling: str, sentence: str) -> None:
        self.field = field
        self.ruling = ruling
        self.sentence = sentence
        super().__init__(f"{sentence} (Ruling {ruling})")


def gettext_noop(message: str) -> str:
    """Mark a message for translation. The engine itself does not import Django."""
    return message


# Reasons for errors: by code, the ruling and the English message. The params of the error fill the
# `%` placeholders. The site translates the message.
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("E-9", gettext_noop("The game is over.")),
        "not_your_turn": ("E-4", gettext_noop("It is not your turn.")),
        "ask_start": ("E-3", gettext_noop("It is morning: place your 1s first.")),
        "ask_card": ("E-4", gettext_noop("Play a card now.")),
        "ask_discard": (
            "E-8",
            gettext_noop("It is evening: discard the cards you don’t want, or keep them all."),
        ),
        "no_card": ("E-4", gettext_noop("The game has no card “%(card)s”.")),
        "not_held": ("E-4", gettext_noop("You don’t have the card “%(card)s”.")),
        "no_targets": ("E-4", gettext_noop("“%(card)s” does not need a target.")),
        "too_many": (
            "E-4",
            gettext_noop("“%(card)s” can have at most %(most)s targets. Choose fewer."),
        ),
        "bad_target": (
            "E-4",
            gettext_noop("“%(card)s” can’t be used on this target (%(target)s)."),
        ),
        "twice": ("E-4", gettext_noop("You have chosen the same target twice (%(target)s).")),
        "no_runner": ("E-1", gettext_noop("Runner %(runner)s is not in play today.")),
        "trampled": (
            "E-6",
            gettext_noop("Runner %(runner)s has been trampled and is out for the day."),
        ),
        "not_own": ("E-4", gettext_noop("Choose one of your own runners (not %(runner)s).")),
        "not_other": ("E-4", gettext_noop("Choose another player’s runner (%(runner)s is yours).")),
        "past_end": (
            "E-6",
            gettext_noop(
                "A die showing %(face)s can’t be turned any further in that direction (%(target)s)."
            ),
        ),
        "no_bull": ("E-1", gettext_noop("Bull %(bull)s is not in town.")),
        "ten_bulls": ("E-1", gettext_noop("All ten bulls are already on the board.")),
        "no_space": ("E-2", gettext_noop("The town has no roundabout “%(space)s”.")),
        "not_in_row": (
            "E-4",
            gettext_noop("“%(space)s” is not in the row where the dice are now."),
        ),
        "not_neighbour": (
            "E-2",
            gettext_noop("“%(space)s” is not next to the chosen bull (%(bull)s)."),
        ),
        "no_sign": ("E-2", gettext_noop("The town has no sign “%(sign)s”.")),
        "own_sign": ("E-5", gettext_noop("You already have a token on this sign (%(sign)s).")),
        "token_left": ("E-5", gettext_noop("You still have tokens to lay, so you can’t move one.")),
        "no_token_left": (
            "E-5",
            gettext_noop("You have no tokens left to lay. Choose which of your tokens to move."),
        ),
        "not_your_token": ("E-5", gettext_noop("You have no token on this sign (%(sign)s).")),
        "no_token": ("E-5", gettext_noop("There is no token on this sign (%(sign)s).")),
        "not_a_one": (
            "E-3",
            gettext_noop("Runner %(runner)s is not one of your 1s waiting to be placed."),
        ),
        "ones_left": (
            "E-3",
            gettext_noop("Place each of your 1s: %(runner)s has not been placed yet."),
        ),
        "no_start": ("E-3", gettext_noop("“%(space)s” is not a starting space.")),
        # The following codes are for errors in data files.
        "columns": (
            "E-2",
            gettext_noop("The first line must contain these column names: %(wanted)s."),
        ),
        "cells": ("E-2", gettext_noop("A row has more cells than there are columns.")),
        "empty_file": ("E-2", gettext_noop("There are no rows below the column names.")),
        "key": (
            "E-2",
            gettext_noop(
                "“%(key)s” is not a valid key. Use only lower-case letters, digits and hyphens."
            ),
        ),
        "key_twice": ("E-2", gettext_noop("Two spaces have the key “%(key)s”.")),
        "number": (
            "E-2",
            gettext_noop("“%(value)s” in the column %(column)s is not a whole number."),
        ),
        "row": (
            "E-2",
            gettext_noop("Rows must be numbered from 0 without gaps. Check row %(row)s."),
        ),
        "starts": (
            "E-2",
            gettext_noop("Row 0 must contain the starts 2, 3, 4, 5 and 6, in this order."),
        ),
        "ends": (
            "E-2",
            gettext_noop("The last row must contain d1, d2, d3, d4 and d5, in this order."),
        ),
        "rows": (
            "E-2",
            gettext_noop(
                "A board must have at least one row of starts and one row of destinations."
            ),
        ),
        "spaces": ("E-2", gettext_noop("A board can have at most %(most)s spaces.")),
        "way": (
            "E-2",
            gettext_noop(
                "A fork must have one even and one odd path; any other space must have a single "
                "path."
            ),
        ),
        "no_way": ("E-2", gettext_noop("No path leads on from “%(space)s”.")),
        "way_from_end": ("E-2", gettext_noop("No path can lead on from a destination.")),
        "same_ways": (
            "E-2",
            gettext_noop(
                "The even and odd paths lead to the same space, but a fork must lead to two "
                "different spaces."
            ),
        ),
        "way_to": (
            "E-2",
            gettext_noop("A path leads to the space “%(space)s”, which does not exist."),
        ),
        "way_rows": (
            "E-2",
            gettext_noop("“%(space)s” is not in the next row down: a path can’t skip a row."),
        ),
        "unreachable": ("E-2", gettext_noop("No path leads to “%(space)s”.")),
        "effect": ("E-10", "There is no effect “%(effect)s”."),
        "amount": ("E-10", "The effect “%(effect)s” needs an amount from %(least)s."),
        "no_amount": ("E-10", "The effect “%(effect)s” takes no amount."),
        "whose": ("E-10", "The effect “%(effect)s” is for %(wanted)s, not “%(value)s”."),
        "round": ("E-10", "Whether a die goes round is “yes” or empty, and for turning only."),
        "cards": ("E-10", "There are %(wanted)s cards, not %(count)s."),
        "count": ("E-10", "There is at least one card of a kind."),
    }
)


class IllegalMove(EngineError):
    """Error: a move that the rules forbid. The game is unchanged.

    `code` is a key of `REASONS`. `params` fill the message of that reason, with pieces in notation.
    `ruling` is the ruling that forbids the move.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        self.code = code
        self.params = params
        self.ruling, template = REASONS[code]
        self.sentence = template % params
        super().__init__(f"{self.sentence} (Ruling {self.ruling})")

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling this error: its code and params."""
        return _illegal_move, (self.code, self.params)


def _illegal_move(code: str, params: dict[str, str | int]) -> IllegalMove:
    return IllegalMove(code, **params)


class DataError(EngineError):
    """Error: a board, deck or set of destinations that the game cannot use (Rulings E-2 and E-10).

    `file`: name of the text. `line`: number of the wrong line from 1, or 0 for the whole file.
    `code` is a key of `REASONS`. `params` fill the message in `sentence`. `ruling` (also `rule`) is
    the ruling that the data violate.
    """

    def __init__(self, code: str, file: str, line: int, **params: str | int) -> None:
        self.code = code
        self.params = params
        self.file = file
        self.line = line
        self.ruling, template = REASONS[code]
        self.rule = self.ruling
        self.sentence = template % params
        where = f"{file}, line {line}" if line else file
        super().__init__(f"{where}: {self.sentence} (Ruling {self.ruling})")

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling this error."""
        return _data_error, (self.code, self.file, self.line, self.params)


def _data_error(code: str, file: str, line: int, params: dict[str, str | int]) -> DataError:
    return DataError(code, file, line, **params)
