"""What a match is worth in a league: points for the places reached."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

HALF = Fraction(1, 2)


class Kind(StrEnum):
    """`places`: so much for each place. `beaten`: the share of the other sides left behind, a
    level one counted half, fair between tables of different sizes. `points`: as scored.
    """

    PLACES = "places"
    BEATEN = "beaten"
    POINTS = "points"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """How a league counts; as it stands, 1 for the winner, and who is level shares.

    `by_place`: for the first, the second, ... place, 0 for all further ones; level sides share
    what their places bring together. `draw`: what each of joint winners gets instead of the
    share. `bye`: what a round without a match counts.
    """

    kind: Kind = Kind.PLACES
    by_place: tuple[Fraction, ...] = (Fraction(1),)
    draw: Fraction | None = None
    bye: Fraction = Fraction(0)

    @classmethod
    def from_options(cls, options: Mapping[str, object]) -> Scoring:
        """Read what `options` wrote; `ValueError` where it says something else."""
        places = options.get("by_place", ["1"])
        if isinstance(places, str) or not isinstance(places, Sequence):
            raise ValueError("The points by place are a list.")  # noqa: TRY004 - data, not code
        draw = options.get("draw")
        return cls(
            kind=Kind(str(options.get("kind", Kind.PLACES))),
            by_place=tuple(Fraction(str(place)) for place in places),
            draw=None if draw is None else Fraction(str(draw)),
            bye=Fraction(str(options.get("bye", 0))),
        )

    def options(self) -> dict[str, object]:
        """The same as plain data: numbers as text, so that a third stays a third."""
        return {
            "kind": self.kind.value,
            "by_place": [str(place) for place in self.by_place],
            "draw": None if self.draw is None else str(self.draw),
            "bye": str(self.bye),
        }

    def worth(self, place: int, places: Sequence[int], points: int = 0) -> Fraction:
        """What `place` is worth among the `places` of all sides, the own one included."""
        if self.kind is Kind.POINTS:
            return Fraction(points)
        ahead = sum(other < place for other in places)
        level = sum(other == place for other in places)
        if self.kind is Kind.BEATEN:
            behind = len(places) - ahead - level
            return (behind + HALF * (level - 1)) / max(1, len(places) - 1)
        if self.draw is not None and level > 1 and not ahead:
            return self.draw
        return sum(self.by_place[ahead : ahead + level], Fraction(0)) / level
