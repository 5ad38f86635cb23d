"""Errors of the engine. Each names the ruling that it is based on."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Invalid input to the engine. The message can be shown to users."""


class RulesError(EngineError):
    """An unknown option or an invalid value.

    `field` is the name of the option, `ruling` the one that defines it.
    """

    def __init__(self, field: str, ruling: str, sentence: str) -> None:
        self.field = field
        self.ruling = ruling
        self.sentence = sentence
        super().__init__(f"{sentence} (Ruling {ruling})")


class DealError(EngineError):
    """Hands that cannot have been dealt, or an impossible leader (Rulings D-2 and D-3)."""


class MatchOver(EngineError):
    """A hand was added after the match was won (Ruling D-8)."""


class NotationError(EngineError):
    """A text is not a tile, move, train or hand."""


# By code, the ruling and the sentence of a refusal. The params fill its `%` placeholders, and the
# site translates it.
REASONS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "over": ("D-6", "The hand is over."),
        "not_your_turn": ("D-2", "It is not your turn."),
        "no_tile": ("D-1", "There is no such tile in this set."),
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
    """A move that the rules forbid. The hand is unchanged.

    `code` is a key of `REASONS`, `params` fill its sentence (tiles in notation), `ruling` is
    the reason.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        self.code = code
        self.params = params
        self.ruling, template = REASONS[code]
        self.sentence = template % params
        super().__init__(f"{self.sentence} (Ruling {self.ruling})")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by code and params."""
        return _illegal_move, (self.code, self.params)


def _illegal_move(code: str, params: dict[str, str | int]) -> IllegalMove:
    return IllegalMove(code, **params)
