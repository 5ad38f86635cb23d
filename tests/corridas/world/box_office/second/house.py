"""How many people come: from a man's standing to the house of an afternoon (section 4)."""

from collections.abc import Sequence
from fractions import Fraction

from tests.corridas.world.box_office.second.whole import between, nearest, power

TICKET = {1: 8, 2: 5, 3: 4}
SEATS_OF_THE_CATEGORY = {1: 12_000, 2: 9_500, 3: 5_000}
BASE = {1: 640, 2: 600, 3: 560}
GOOD, USUAL, BAD = 0, 1, 2
POPULAR, NORMAL, HIGH = 85, 100, 120
OPEN_PLACE = 22
FERIA_WITH_TICKETS = 3


def seats_or_default(seats: int | None, category: int) -> int:
    """Row "full house F": the seats of the roster, or 12,000 / 9,500 / 5,000 if it gives none."""
    if seats is None:
        return SEATS_OF_THE_CATEGORY[category]
    return seats


def full_house(seats: int, category: int) -> int:
    """Row "full house F": duros, seats x ticket."""
    return seats * TICKET[category]


def standing(market_standing: int, form: int) -> int:
    """Row "standing n": the market's standing + form // 6, rounded down also if form is below 0."""
    return market_standing + form // 6


def standing_here(n: int, triumphs: Sequence[bool], disgraces: Sequence[bool]) -> int:
    """Row "standing n": n + 5 after two ears or more here, else n - 6 after a disgrace here.

    One entry in each list for each afternoon here in this season and the two before: whether he
    cut two ears or more, whether he had a bronca or a third aviso. A bad afternoon does not
    cancel a good one, whichever is newer.
    """
    if any(triumphs):
        return n + 5
    if any(disgraces):
        return n - 6
    return n


def fresh(earlier: int, two_ears: bool) -> int:
    """Row "fresh": per cent; `earlier` is the number of his earlier afternoons in this feria."""
    if two_ears:
        return 100
    if earlier == 0:
        return 100
    if earlier == 1:
        return 72
    if earlier == 2:
        return 50
    return 40


def table_draw(n: int) -> int:
    """Row "draw d": DRAW[n] = 10,000 (n/100)^1.5, n limited to 0-112."""
    return power(10_000, Fraction(between(0, n, 112), 100), 3, 2)


def draw(n_here: int, fresh_percent: int) -> int:
    """Row "draw d": ten-thousandths, R(DRAW[n here] x fresh / 100)."""
    return nearest(Fraction(table_draw(n_here) * fresh_percent, 100))


def cartel(draws: Sequence[int]) -> int:
    """Row "cartel A": from three draws in any order; the largest counts 10, then 7, then 5."""
    d3, d2, d1 = sorted(draws)
    return nearest(Fraction(10 * d1 + 7 * d2 + 5 * d3, 22))


def pull(a: int, par_draw: int) -> int:
    """Row "pull": thousandths, PULL[R(100 A / par_draw)], from the cartel A and the par."""
    x = min(400, nearest(Fraction(100 * a, par_draw)))
    return 300 + power(700, Fraction(x, 100), 3, 4)


def mood_factor(mood: int) -> int:
    """Row "mood factor": thousandths, from the mood M in hundredths (0-10,000)."""
    return 700 + nearest(Fraction(6 * mood, 100))


def price_factor(level: int, harvest: int) -> int:
    """Row "price factor": thousandths, 1,000 level^-e; level 85, 100 or 120 per cent.

    The harvest is 0, 1, 2 for good, usual, bad; e = .58 / .66 / .74 = 29/50, 33/50, 37/50, and
    3/50 less for a high price.
    """
    fiftieths = {GOOD: 29, USUAL: 33, BAD: 37}[harvest]
    if level == HIGH:
        fiftieths -= 3
    return power(1_000, Fraction(100, level), fiftieths, 50)


def day_factor(weekend: bool) -> int:
    """Row "wanted": thousandths, 1,100 on Saturday and Sunday, 960 on the other days."""
    return 1_100 if weekend else 960


def chance_factor(first: int, second: int) -> int:
    """Row "chance": thousandths, 850 + the two numbers `below(151)`."""
    return 850 + first + second


def wanted(
    seats: int, category: int, pull: int, mood: int, day: int, price: int, chance: int
) -> int:
    """Row "wanted": seats; the five factors are in thousandths."""
    product = seats * BASE[category] * pull * mood * day * price * chance
    return nearest(Fraction(product, 10**18))


def table_season(p: int) -> int:
    """Row "season tickets": thousandths, SEASON[p] = 270 (p/1,000)^1.4, p at most 2,280."""
    return power(270, Fraction(min(2_280, p), 1_000), 7, 5)


def mean_pull(pulls: Sequence[int]) -> int:
    """Row "season tickets": p = R(sum of the pulls of the poster / days), in thousandths."""
    return nearest(Fraction(sum(pulls), len(pulls)))


def tickets(seats: int, pulls: Sequence[int], mood: int, price: int) -> int:
    """Row "season tickets t": seats; one pull for each day of the feria, factors in thousandths."""
    if len(pulls) < FERIA_WITH_TICKETS:
        return 0
    asked_for = nearest(Fraction(seats * table_season(mean_pull(pulls)) * mood * price, 10**9))
    return min(nearest(Fraction(55 * seats, 100)), asked_for)


def dry_window(seats: int, t: int, wanted: int) -> int:
    """Row "window": seats sold on the day before rain; t season tickets, wanted in seats."""
    return min(seats - t, max(0, wanted - nearest(Fraction(4 * t, 5))))


def rain_percent(month: int) -> int:
    """Row "window": it rains if `below(100)` is below this: 4 in July and August, else 10."""
    return 4 if month in {7, 8} else 10


def rains(number: int, month: int) -> bool:
    """Row "window": whether it rains; the number is `below(100)`."""
    return number < rain_percent(month)


def window(seats: int, t: int, wanted: int, rain: bool) -> int:
    """Row "window": seats sold on the day; rain leaves R(60 window / 100)."""
    sold = dry_window(seats, t, wanted)
    if rain:
        return nearest(Fraction(60 * sold, 100))
    return sold


def house(t: int, window: int) -> int:
    """Row "window": the house in seats = t + window."""
    return t + window


def per_thousand(house: int, seats: int) -> int:
    """h of section 5: the house in thousandths of the seats."""
    return nearest(Fraction(1_000 * house, seats))


def usual_sales(
    seats: int, category: int, weekend: bool, month: int, feria_days: int
) -> tuple[int, int]:
    """Row "usual house": tickets and window of a usual afternoon in seats, less average rain."""
    t = nearest(Fraction(270 * seats, 1_000)) if feria_days >= FERIA_WITH_TICKETS else 0
    people = wanted(seats, category, 1_000, 1_000, day_factor(weekend), 1_000, 1_000)
    sold = dry_window(seats, t, people)
    return t, nearest(Fraction(sold * (1_000 - 4 * rain_percent(month)), 1_000))


def usual_house(seats: int, category: int, weekend: bool, month: int, feria_days: int) -> int:
    """Row "usual house u": thousandths of the seats."""
    t, sold = usual_sales(seats, category, weekend, month, feria_days)
    return nearest(Fraction(1_000 * (t + sold), seats))
