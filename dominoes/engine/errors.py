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


def gettext_noop(message: str) -> str:
    """Mark a message for translation. The engine itself does not import Django."""
    return message


# Reasons why a move is illegal: by code, the ruling and the English message. The params of the
# error fill the `%` placeholders. The site translates the message.
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("D-6", gettext_noop("The hand is over.")),
        "not_your_turn": ("D-2", gettext_noop("It is not your turn.")),
        "no_tile": ("D-1", gettext_noop("This domino set does not include the chosen tile.")),
        "not_held": ("D-2", gettext_noop("You don’t have the %(tile)s in your hand.")),
        "must_lead": ("D-3", gettext_noop("The player who leads must lay the first tile.")),
        "led": ("D-3", gettext_noop("The first tile has already been laid.")),
        "highest_double": (
            "D-3",
            gettext_noop(
                "The player who leads must lay the %(tile)s, the highest double in the hand."
            ),
        ),
        "no_sum": (
            "D-4",
            gettext_noop(
                "The %(tile)s does not fit: %(inward)s and %(end)s do not add up to %(sum)s."
            ),
        ),
        "blank": ("D-4", gettext_noop("Only matadors fit next to a blank.")),
        "no_sum_across": (
            "D-9",
            gettext_noop(
                "The %(tile)s does not fit: %(inward)s does not add up to %(sum)s with either half "
                "of the crosswise matador."
            ),
        ),
        "matador_only": ("D-9", gettext_noop("Only matadors fit next to a crosswise 0-0.")),
        "blank_inward": (
            "D-9",
            gettext_noop("A tile laid next to a crosswise matador must touch it with its blank."),
        ),
        "only_matadors_across": (
            "D-9",
            gettext_noop("Only a matador may be laid crosswise in the train."),
        ),
        "never_across": (
            "D-9",
            gettext_noop("Under these rules, the %(tile)s must be laid in line here."),
        ),
        "inline_after_across": (
            "D-9",
            gettext_noop("A tile laid next to a crosswise matador must be in line."),
        ),
        "must_lie_across": (
            "D-9",
            gettext_noop("A matador laid next to a blank must be placed crosswise."),
        ),
        "must_play": (
            "D-5",
            gettext_noop("You must play: the %(tile)s fits and is not a matador."),
        ),
        "must_draw": ("D-5", gettext_noop("You can’t pass while you can still draw a tile.")),
        "no_drawing": ("D-5", gettext_noop("These rules don’t allow drawing tiles.")),
        "boneyard_closed": (
            "D-5",
            gettext_noop("You can’t draw any more tiles: the last two must stay in the boneyard."),
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
