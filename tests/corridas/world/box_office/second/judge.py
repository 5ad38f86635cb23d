"""The town's mark, the bar, trust and the career (section 5)."""

from collections.abc import Sequence
from fractions import Fraction

from tests.corridas.world.box_office.second.whole import between, nearest

RENEWED, NOT_RENEWED, DISMISSED = "renewed", "not renewed", "dismissed"


def unit(sd: int) -> int:
    """Pars: unit = R(3 sd/4), from the rounded sd; hundredths."""
    return nearest(Fraction(3 * sd, 4))


def taquilla(houses: Sequence[int], usual_houses: Sequence[int]) -> int:
    """Line T in hundredths, not limited; h and u of n afternoons, thousandths of the seats."""
    n = len(houses)
    return nearest(Fraction(100 * (sum(houses) - sum(usual_houses)), 160 * n))


def aficion(seen: Sequence[int], asked: Sequence[int], par_seen: int, unit: int) -> int:
    """Line A in hundredths, not limited; seen and asked of n afternoons, in hundredths."""
    n = len(seen)
    return nearest(Fraction(100 * (sum(seen) - sum(asked) - n * par_seen), n * unit))


def cuentas(kept: Sequence[int], full: int) -> int:
    """Line C in hundredths, not limited; the duros kept in n afternoons and the full house F."""
    n = len(kept)
    return nearest(Fraction(100 * (1_000 * sum(kept) - 50 * n * full), 60 * n * full))


def limited(line: int) -> int:
    """A line in hundredths, limited to -200 to +100."""
    return between(-200, line, 100)


def mark(t: int, a: int, c: int) -> int:
    """The town's mark in tenths (0-100), from the three lines in hundredths, limited or not."""
    total = limited(t) + limited(a) + limited(c)
    return between(0, 50 + nearest(Fraction(total, 6)), 100)


def above_the_bar(my_mark: int, bar_mark: int) -> int:
    """Your mark minus the mark of the bar, in tenths."""
    return my_mark - bar_mark


def trust_line(old: int, line: int) -> int:
    """One line of the trust after a season, in hundredths; starts at 0."""
    return min(100, nearest(Fraction(70 * old, 100)) + nearest(Fraction(50 * limited(line), 100)))


def outcome(trust: Sequence[int], first_season: bool, term_ends: bool) -> str:
    """What the sum of the three lines of trust means at a season's end."""
    if sum(trust) < -100 and not first_season:
        return DISMISSED
    if sum(trust) < 0 and term_ends:
        return NOT_RENEWED
    return RENEWED


def reputation(
    old: int, mark: int, bankrupt: bool = False, dismissed: bool = False, left_early: bool = False
) -> int:
    """Reputation after a season, in tenths (0-1,000, starts at 200); the mark in tenths."""
    change = nearest(Fraction(16 * (mark - 50), 10))
    if bankrupt:
        change -= 200
    if dismissed:
        change -= 80
    if left_early:
        change -= 50
    return between(0, old + change, 1_000)


def step(reputation: int) -> int:
    """The highest rung that a reputation (in tenths) opens.

    0 third category, 1 second, 2 first, 3 the four largest of the first, 4 the greatest of them.
    """
    rung = 0
    for number, needed in ((1, 300), (2, 500), (3, 650), (4, 800)):
        if reputation >= needed:
            rung = number
    return rung
