"""Errors of the dominoes engine. Most of them name the ruling that they are based on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Base class of errors caused by invalid input to the engine.

    Messages can be shown to users.
    """


class RulesError(EngineError):
    """Error: an unknown option of the rules or an invalid value.

    `field` is the name of the option. `ruling` is the ruling that defines the option.
    """

    def __init__(self, field: str, ruling: str, sentence: str) -> None:
        self.field = field
        self.ruling = ruling
        self.sentence = sentence
        super().__init__(f"{sentence} (Ruling {ruling})")


class DealError(EngineError):
    """Error: hands that cannot have been dealt, or a leader who cannot lead (Rulings D-2
    and D-3).
    """


class MatchOver(EngineError):
    """Error: a hand was added after the match had been won (Ruling D-8)."""


class NotationError(EngineError):
    """Error: a text is not valid notation for a tile, move, train or hand."""


# Reasons why a move is illegal: by code, the ruling and the English message. The params of the
# error fill the `%` placeholders. The site translates the message.
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("D-6", "The hand is over."),
        "not_your_turn": ("D-2", "It is not your turn."),
        "no_tile": ("D-1", "This tile is not in the set."),
        "not_held": ("D-2", "You do not hold the %(tile)s."),
        "must_lead": ("D-3", "The leader sets a tile first."),
        "led": ("D-3", "The first tile has been set already."),
        "highest_double": ("D-3", "The leader must set the %(tile)s, the highest double held."),
        "no_sum": (
            "D-4",
            "The %(tile)s does not fit: %(inward)s and %(end)s do not add up to %(sum)s.",
        ),
        "blank": ("D-4", "At a blank only matadors fit."),
        "no_sum_across": (
            "D-9",
            "The %(tile)s does not fit: with neither half across %(inward)s makes %(sum)s.",
        ),
        "matador_only": ("D-9", "Next to the 0|0 lying across only matadors fit."),
        "blank_inward": (
            "D-9",
            "Next to a matador lying across, the tile must have a blank inward.",
        ),
        "only_matadors_across": ("D-9", "Only a matador may lie across the train."),
        "never_across": ("D-9", "By these rules the %(tile)s lies in line here."),
        "inline_after_across": (
            "D-9",
            "Next to a matador that lies across, the tile must lie in line.",
        ),
        "must_lie_across": ("D-9", "On a blank a matador must lie across."),
        "must_play": ("D-5", "You must play: the %(tile)s fits and is no matador."),
        "must_draw": ("D-5", "You cannot pass while tiles can be drawn."),
        "no_drawing": ("D-5", "By these rules nobody draws."),
        "boneyard_closed": (
            "D-5",
            "Nothing can be drawn: the last two tiles stay in the boneyard.",
        ),
    }
)


class IllegalMove(EngineError):
    """Error: a move that the rules forbid. The hand is unchanged.

    `code` is a key of `REASONS`. `params` fill the message of that reason, with tiles in notation.
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
