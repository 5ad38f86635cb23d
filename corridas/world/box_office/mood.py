"""The mood of a plaza's town, in hundredths of a point: 0 to 10,000, at the beginning 5,000."""

from __future__ import annotations

from collections.abc import Mapping

from corridas.world.box_office import tables
from corridas.world.box_office.pars import Pars
from corridas.world.box_office.rounding import limited, rounded


def mood_factor(mood: int) -> int:
    """Return how many people come in this mood, in thousandths."""
    return 700 + rounded(6 * mood, 100)


def surprise(seen: int, asked: int, pars: Pars) -> int:
    """Return how far an afternoon was above what the town expects.

    The result is in hundredths of a standard deviation of a usual afternoon. `seen` and `asked` are
    in hundredths of a point per bull.
    """
    return rounded(100 * (seen - pars.seen - asked), pars.sd)


def mood_after(mood: int, surprise: int, missed: int) -> int:
    """Return the mood after an afternoon.

    `missed` is the number of announced matadors who were replaced by smaller names.
    """
    faded = mood - rounded(tables.FADES * (mood - tables.MOOD), 100)
    after = faded + tables.MOOD_GAIN * surprise - tables.MISSED * missed
    return limited(after, 0, tables.MOST_MOOD)


def mood_after_winter(mood: int) -> int:
    return mood - rounded(tables.FADES_IN_WINTER * (mood - tables.MOOD), 100)


def missed(announced: Mapping[str, int], fought: Mapping[str, int]) -> int:
    """Return how many announced matadors were replaced by smaller names.

    Both map the matadors to their standing here on the day. The announced ones who did not come
    and the newcomers are compared in pairs, the largest names first.
    """
    absent = sorted((announced[man] for man in announced.keys() - fought.keys()), reverse=True)
    newcomers = sorted((fought[man] for man in fought.keys() - announced.keys()), reverse=True)
    return sum(new < old for old, new in zip(absent, newcomers, strict=False))
