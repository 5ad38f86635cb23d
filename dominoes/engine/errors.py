"""What can be wrong with what the engine is given; each names the ruling that decides it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Something that cannot be played with; the message is fit to be shown to a person."""


class RulesError(EngineError):
    """An option that does not exist, or a value it does not take.

    `field` is the name of the option, `ruling` the one it comes from.
    """

    def __init__(self, field: str, ruling: str, sentence: str) -> None:
        self.field = field
        self.ruling = ruling
        self.sentence = sentence
        super().__init__(f"{sentence} (Ruling {ruling})")


class DealError(EngineError):
    """Hands that cannot have been dealt, or a leader who cannot lead (Rulings D-2 and D-3)."""


class MatchOver(EngineError):  # noqa: N818  the field's word for it
    """A hand counted after the match was won (Ruling D-8)."""


class NotationError(EngineError):
    """Something written that is no tile, move, train or hand."""


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
"""Why a move can be refused: by its stable code the ruling, and the sentence to be filled with
`%` and the params of the refusal; the site translates that sentence."""


class IllegalMove(EngineError):  # noqa: N818  the field's word for it
    """A move that the rules refuse; what was played stands unchanged.

    `code` is one of `REASONS`, `params` fills its sentence (tiles in notation), `ruling` decides.
    """

    def __init__(self, code: str, **params: str | int) -> None:
        self.code = code
        self.params = params
        self.ruling, template = REASONS[code]
        self.sentence = template % params
        super().__init__(f"{self.sentence} (Ruling {self.ruling})")

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by code and params, from which the rest follows."""
        return _illegal_move, (self.code, self.params)


def _illegal_move(code: str, params: dict[str, str | int]) -> IllegalMove:
    return IllegalMove(code, **params)
