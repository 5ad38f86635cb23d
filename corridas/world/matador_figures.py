"""Measures how much the bundled matadors differ by their cards, for the calibration.

Every card is applied to the same fights, which are played once without a matador. Injuries are left
out. The results do not count (Ruling F-3).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, compress, islice
from math import inf
from statistics import StatisticsError, correlation, fmean, linear_regression, pstdev
from typing import NamedTuple

from corridas.engine import (
    AVISO_POINTS,
    AVISOS_TO_STOP,
    BULLS,
    EARS,
    HIGHEST,
    STROKES,
    Deck,
    LidiaRecord,
    MatadorCard,
    Range,
    Rules,
    corridas_without_matador,
    divide,
    final_score,
    modify,
)
from corridas.world.roster import Roster
from corridas.world.winter.ladder import PIVOT, climbed
from fairness import Seed

FIGHTS = 250_000
CATEGORIES = (1, 2, 3)
# Ratings of famous matadors, and of those with whom they are compared.
STARS, OTHERS = range(90, 101), range(65, 81)
# Ratings for which the ladder is exact.
RATINGS = range(40, 100)
STEP = 8
BULLS_AN_AFTERNOON = 2
# Afternoons of a matador in a good season.
AFTERNOONS = 20
# Square of the standard normal quantile of 80 %.
LIKELY = 0.71


@dataclass(frozen=True, slots=True)
class Fights:
    """Fights without a matador, one entry of each column per fight.

    `killed` are the final scores before avisos (time warnings) and division, `spared` those if the
    bull is spared. The other columns are the numbers that were drawn: for the indulto (0 if the
    bull cannot be spared), for the aviso after each stroke, and the final number.
    """

    killed: tuple[int, ...]
    spared: tuple[int, ...]
    indulto: bytes
    avisos: tuple[bytes, ...]
    drawn: bytes


class Ears(NamedTuple):
    """Mean and variance of the ears per bull."""

    mean: float
    variance: float


class MatadorFigure(NamedTuple):
    """A figure about the differences between matadors, as text, and whether it is in its bounds."""

    what: str
    figure: str
    bounds: str
    inside: bool


class Bounds(NamedTuple):
    low: float
    high: float
    decimals: int = 2
    unit: str = ""

    def __str__(self) -> str:
        low, high = f"{self.low:g}", f"{self.high:g}"
        if self.high == inf:
            return f"{low} or more"
        return f"{high} or less" if self.low == -inf else f"{low}-{high}"


def play_fights(deck: Deck, rules: Rules, count: int, seed: Seed) -> Fights:
    """Play at least this many fights. The same arguments always give the same fights."""
    corridas = islice(corridas_without_matador(rules, deck, seed), -(-count // BULLS))
    rows = [_row(lidia, deck, rules) for lidia in chain.from_iterable(corridas)]
    killed, spared, numbers = zip(*rows, strict=True)
    indulto, *avisos, drawn = map(bytes, zip(*numbers, strict=True))
    return Fights(killed, spared, indulto, tuple(avisos), drawn)


def _row(lidia: LidiaRecord, deck: Deck, rules: Rules) -> tuple[int, int, tuple[int, ...]]:
    """Return the score of a fight, its score without the kill, and the numbers drawn in it.

    The last cards of a fight are those for the indulto, for the five strokes, each followed by the
    one for the aviso, and for the final number.
    """
    result, reading = lidia.result, rules.bull_points
    points, bull = result.matador_points, result.bull_points
    digits = [deck.numbers[card] for card in lidia.draws[-2 * (STROKES + 2) :]]
    numbers = [
        10 * tens + units or HIGHEST for tens, units in zip(digits[::2], digits[1::2], strict=True)
    ]
    if bull <= 0:
        numbers[0] = 0
    killed = final_score(points, bull, result.kill_points, reading)
    return killed, final_score(points, bull, 0, reading), tuple(numbers)


# How many fights of each category of plaza end with each number.
FinalNumbers = Mapping[int, Mapping[int, int]]


def final_numbers(fights: Fights, card: MatadorCard) -> FinalNumbers:
    """Return the final numbers of all fights by category; only AVISO and INDULTO of the card
    matter. Fights that are stopped by the third aviso have no number.
    """
    count = len(fights.drawn)
    warned = [column.translate(_marks(card.aviso)) for column in fights.avisos]
    # No sum of five bytes is above 255, so whole columns can be added as single integers.
    avisos = sum(map(int.from_bytes, warned)).to_bytes(count)
    spared = fights.indulto.translate(_marks(card.indulto))
    kept = spared.translate(_marks(Range(0, 0)))
    ends = Counter(
        (score + AVISO_POINTS * penalties, number)
        for score, penalties, number in zip(
            compress(fights.killed, kept),
            compress(avisos, kept),
            compress(fights.drawn, kept),
            strict=True,
        )
        if penalties < AVISOS_TO_STOP
    )
    ends.update(zip(compress(fights.spared, spared), compress(fights.drawn, spared), strict=True))
    found: dict[int, Counter[int]] = {category: Counter() for category in CATEGORIES}
    for (score, number), often in ends.items():
        for category, numbers in found.items():
            numbers[modify(number, divide(score, category))] += often
    return found


def _marks(extent: Range) -> bytes:
    """Return a table for `bytes.translate` that maps the numbers of a range to 1, others to 0."""
    return bytes(extent.low <= number <= extent.high for number in range(256))


def ears(numbers: Mapping[int, int], card: MatadorCard, count: int) -> Ears:
    """Return the ears per bull of a card in `count` fights with these final numbers."""
    total = squares = 0
    for number, often in numbers.items():
        won = EARS[card.outcome(number)[0]]
        total += won * often
        squares += won * won * often
    mean = total / count
    return Ears(mean, squares / count - mean * mean)


class _Man:
    """A matador's results by category: with his card, and with his card at other ratings."""

    def __init__(self, card: MatadorCard, style: str, fights: Fights) -> None:
        self.card, self.style, self.rating = card, style, card.rating
        self.count, self.numbers = len(fights.drawn), final_numbers(fights, card)
        self.ears = {category: self._ears(card, category) for category in CATEGORIES}
        pivot = climbed(card, PIVOT)
        self.at_pivot = {category: self._ears(pivot, category).mean for category in CATEGORIES}

    def _ears(self, card: MatadorCard, category: int) -> Ears:
        return ears(self.numbers[category], card, self.count)

    def gain(self, points: int) -> float:
        """Return the mean change of ears per bull if the rating changes by so many points."""
        card = climbed(self.card, self.rating + points)
        return fmean(
            self._ears(card, category).mean - self.ears[category].mean for category in CATEGORIES
        )


def matador_figures(roster: Roster, fights: Fights) -> list[MatadorFigure]:
    """Return all figures about the differences between the matadors of a roster."""
    styles = {matador.slug: matador.style for matador in roster.matadors}
    men = [_Man(card, styles[slug], fights) for slug, card in roster.cards.items()]
    return [
        *(
            _line(f"ears between men, category {category}", bounds, [_deviation(men, category)])
            for category, bounds in DEVIATIONS.items()
        ),
        *(_line(what, bounds, measure(men)) for what, (bounds, measure) in MEASURES.items()),
        *(_style_line(men, category, best) for category, best in BEST_STYLES.items()),
    ]


def _line(what: str, bounds: Bounds, values: Sequence[float]) -> MatadorFigure:
    texts = [f"{value:.{bounds.decimals}f}" for value in (min(values), max(values))]
    inside = bounds.low <= min(values) and max(values) <= bounds.high
    return MatadorFigure(what, "-".join(dict.fromkeys(texts)) + bounds.unit, str(bounds), inside)


def _style_line(men: Sequence[_Man], category: int, best: Sequence[str]) -> MatadorFigure:
    by_style: dict[str, list[float]] = defaultdict(list)
    for man in men:
        by_style[man.style].append(man.at_pivot[category])
    found = max(by_style, key=lambda style: fmean(by_style[style]))
    what = f"best style at {PIVOT}, category {category}"
    return MatadorFigure(what, found, "/".join(best), found in best)


def _deviation(men: Sequence[_Man], category: int) -> float:
    return pstdev(man.ears[category].mean for man in men)


def rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation, or 0 if it is undefined."""
    try:
        return correlation(_ranks(first), _ranks(second))
    except StatisticsError:
        return 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    """Return the rank of each value; equal values share the mean of their ranks."""
    ascending = sorted(values)
    return [
        (bisect_left(ascending, value) + bisect_right(ascending, value)) / 2 for value in values
    ]


def _each(take: Callable[[Sequence[_Man], int], float]) -> Callable[[Sequence[_Man]], list[float]]:
    return lambda men: [take(men, category) for category in CATEGORIES]


def _correlation(men: Sequence[_Man], category: int) -> float:
    ears_of_men = [man.ears[category].mean for man in men]
    return rank_correlation([man.rating for man in men], ears_of_men)


def _slope(men: Sequence[_Man], category: int) -> float:
    """Return the ears per bull that ten points of rating bring."""
    ears_of_men = [man.ears[category].mean for man in men]
    ratings = [man.rating for man in men]
    return 10 * linear_regression(ratings, ears_of_men).slope if len({*ratings}) > 1 else 0.0


def _mean_card(men: Iterable[_Man], ratings: range, category: int) -> Ears:
    found = [man.ears[category] for man in men if man.rating in ratings]
    if not found:
        return Ears(0.0, 0.0)
    return Ears(fmean(one.mean for one in found), fmean(one.variance for one in found))


def _star_ratio(men: Sequence[_Man]) -> list[float]:
    stars, others = (_mean_card(men, ratings, 1) for ratings in (STARS, OTHERS))
    return [stars.mean / others.mean if others.mean else 0.0]


def _afternoons(men: Sequence[_Man], category: int) -> float:
    """Return after how many afternoons a famous matador leads another in 80 % of all cases."""
    stars, others = (_mean_card(men, ratings, category) for ratings in (STARS, OTHERS))
    lead = stars.mean - others.mean
    if lead <= 0 or not others.mean:
        return inf
    variance = stars.variance + others.variance
    return LIKELY * variance / (BULLS_AN_AFTERNOON * lead * lead)


def _share(bulls: int) -> Callable[[Sequence[_Man], int], float]:
    """Return a function for the percentage of the variance of so many bulls that is the man's."""

    def share(men: Sequence[_Man], category: int) -> float:
        own = bulls * _deviation(men, category) ** 2
        whole = own + fmean(man.ears[category].variance for man in men)
        return 100 * own / whole if whole else 0.0

    return share


def _gain(points: int) -> Callable[[Sequence[_Man]], list[float]]:
    return lambda men: [
        fmean([man.gain(points) for man in men if man.rating + points in RATINGS] or [0.0])
    ]


# Standard deviation of ears per bull between the matadors, by category.
DEVIATIONS = {
    1: Bounds(0.085, 0.13, 3),
    2: Bounds(0.105, 0.155, 3),
    3: Bounds(0.11, 0.165, 3),
}
# Further figures; those with several values are given for the three categories.
MEASURES: dict[str, tuple[Bounds, Callable[[Sequence[_Man]], list[float]]]] = {
    "rank correlation rating, ears": (Bounds(0.6, 0.8), _each(_correlation)),
    "ears for 10 points of rating": (Bounds(0.04, 0.08, 3), _each(_slope)),
    "ears 90+ / 65-80, category 1": (Bounds(1.25, inf), _star_ratio),
    "afternoons until 90+ lead 65-80": (Bounds(12, 25, 0), _each(_afternoons)),
    "the man's share, one bull": (Bounds(2, 5, 1, " %"), _each(_share(1))),
    "the man's share, 20 afternoons": (
        Bounds(40, 65, 0, " %"),
        _each(_share(AFTERNOONS * BULLS_AN_AFTERNOON)),
    ),
    "ears for rating +8": (Bounds(0.035, inf, 3), _gain(STEP)),
    "ears for rating -8": (Bounds(-inf, -0.035, 3), _gain(-STEP)),
}
BEST_STYLES = {1: ("swordsman",), 3: ("showman", "reckless", "artist")}
