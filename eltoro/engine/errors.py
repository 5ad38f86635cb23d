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


# Reasons for errors: by code, the ruling and the English message. The params of the error fill the
# `%` placeholders. The site translates the message.
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("E-9", "The game is over."),
        "not_your_turn": ("E-4", "It is not your turn."),
        "ask_start": ("E-3", "It is morning: place your 1s first."),
        "ask_card": ("E-4", "A card is to be played now."),
        "ask_discard": ("E-8", "It is evening: discard what you like, or keep all."),
        "no_card": ("E-4", "There is no card “%(card)s”."),
        "not_held": ("E-4", "You do not hold the card “%(card)s”."),
        "no_targets": ("E-4", "The card “%(card)s” is aimed at nothing."),
        "too_many": ("E-4", "The card “%(card)s” reaches %(most)s at most."),
        "bad_target": ("E-4", "The card “%(card)s” cannot be aimed at “%(target)s”."),
        "twice": ("E-4", "%(target)s is named twice."),
        "no_runner": ("E-1", "There is no runner %(runner)s today."),
        "trampled": ("E-6", "The runner %(runner)s is trampled, and out for the day."),
        "not_own": ("E-4", "The runner %(runner)s is not one of your own."),
        "not_other": ("E-4", "The runner %(runner)s is one of your own: name another player's."),
        "past_end": ("E-6", "%(target)s shows %(face)s and cannot be turned past it."),
        "no_bull": ("E-1", "There is no bull %(bull)s in town."),
        "ten_bulls": ("E-1", "All ten bulls are out."),
        "no_space": ("E-2", "There is no space “%(space)s” in town."),
        "not_in_row": ("E-4", "The space “%(space)s” is not in the row where they stand now."),
        "not_neighbour": ("E-2", "“%(space)s” is not next to where %(bull)s stands."),
        "no_sign": ("E-2", "There is no path sign “%(sign)s”."),
        "own_sign": ("E-5", "Your own token is on the sign %(sign)s already."),
        "token_left": ("E-5", "You have tokens left: none is moved."),
        "no_token_left": ("E-5", "You have no token left: say which of your own is moved."),
        "not_your_token": ("E-5", "No token of yours is on the sign %(sign)s."),
        "no_token": ("E-5", "No token is on the sign %(sign)s."),
        "not_a_one": ("E-3", "The runner %(runner)s is no 1 of yours to be placed."),
        "ones_left": ("E-3", "The runner %(runner)s shows a 1 and is not placed yet."),
        "no_start": ("E-3", "“%(space)s” is no starting space."),
        # The following codes are for errors in data files.
        "columns": ("E-2", "The columns are %(wanted)s."),
        "cells": ("E-2", "The line has more cells than there are columns."),
        "empty_file": ("E-2", "There is nothing in it."),
        "key": ("E-2", "“%(key)s” is no name: small letters, digits and hyphens."),
        "key_twice": ("E-2", "“%(key)s” appears twice."),
        "number": ("E-2", "The %(column)s “%(value)s” is no whole number."),
        "row": ("E-2", "The rows are numbered from 0, none is left out: %(row)s is wrong."),
        "starts": ("E-2", "Row 0 holds the starting spaces 2, 3, 4, 5, 6, in this order."),
        "ends": ("E-2", "The last row holds the destinations d1, d2, d3, d4, d5, in this order."),
        "rows": ("E-2", "There are at least a row of starts and a row of destinations."),
        "spaces": ("E-2", "A town has %(most)s spaces at most."),
        "way": ("E-2", "A space has one way down, or an even and an odd one."),
        "no_way": ("E-2", "“%(space)s” has no way down."),
        "way_from_end": ("E-2", "From a destination no way leads on."),
        "same_ways": ("E-2", "The even and the odd sign lead to two different spaces."),
        "way_to": ("E-2", "There is no space “%(space)s” to lead to."),
        "way_rows": ("E-2", "The way to “%(space)s” does not lead one row down."),
        "unreachable": ("E-2", "No way leads to “%(space)s”."),
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
