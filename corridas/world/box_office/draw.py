"""How many people a matador and a cartel draw."""

from __future__ import annotations

from collections.abc import Iterable

from corridas.world.box_office import tables
from corridas.world.box_office.rounding import limited, rounded
from corridas.world.contracts import FORM_COUNTS


def standing(from_rating: int, form: int) -> int:
    """Return a matador's standing with his form.

    `from_rating` is his standing in the market (0 to 100), `form` the value of his form (-100 to
    100). The result is not limited.
    """
    return from_rating + form // FORM_COUNTS


def fresh(earlier: int, *, triumphed: bool = False) -> int:
    """Return how much of his draw a matador has left in a feria, in per cent.

    `earlier` is the number of his earlier afternoons in it. After one with two ears it is 100.
    """
    return tables.FRESH[0 if triumphed else min(earlier, len(tables.FRESH) - 1)]


def draw(standing_here: int, freshness: int = 100) -> int:
    """Return a matador's draw. `standing_here` is his standing with the town's memory."""
    full = tables.DRAW[limited(standing_here, 0, tables.HIGHEST_STANDING)]
    return rounded(full * freshness, 100)


def cartel_draw(draws: Iterable[int]) -> int:
    """Return the draw of a cartel from those of its three matadors, in any order."""
    ordered = sorted(draws, reverse=True)
    weighed = zip(tables.BILL_WEIGHTS, ordered, strict=True)
    return rounded(sum(weight * each for weight, each in weighed), sum(tables.BILL_WEIGHTS))


def pull(cartel: int, usual: int) -> int:
    """Return how many people a cartel draws, in thousandths of a usual one.

    `cartel` is its draw, and `usual` the mean draw of the market's carteles in this category.
    """
    return tables.PULL[min(rounded(100 * cartel, usual), tables.MOST_PULL)]
