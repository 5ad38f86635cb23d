"""Constants and tables of the rules for a promoter's plaza.

All are whole numbers. Money is in duros, houses are in seats, and factors and shares in thousandths
unless another unit is given. A mapping by category has the plaza categories 1, 2 and 3 as keys.

A concession keeps the version of the rules with which it began. If a constant changes, the version
becomes 2, and the old value stays for version 1.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from math import isqrt
from typing import Final

VERSION: Final = 1

# The price of a ticket, by category, in duros.
TICKET: Final = {1: 8, 2: 5, 3: 4}
# Seats of a plaza whose number of seats is unknown, by category.
USUAL_SEATS: Final = {1: 12_000, 2: 9_500, 3: 5_000}


class Window(Enum):
    """When a matador is signed; the value is the fee in per cent of the normal fee."""

    WINTER = 95
    SEASON = 100
    EVE = 115


class Harvest(Enum):
    """How much money a town has in a season. The values are drawn with equal chances."""

    GOOD = 0
    USUAL = 1
    BAD = 2


class Price(Enum):
    """The price of a feria's tickets; the value is in per cent of the normal price."""

    POPULAR = 85
    NORMAL = 100
    HIGH = 120


# The share of the normal public that comes at a price: level^-e with e = .58, .66 and .74 in a
# good, usual and bad harvest, and .06 less for a high price.
PRICE_FACTOR: Final = {
    Harvest.GOOD: {Price.POPULAR: 1_099, Price.NORMAL: 1_000, Price.HIGH: 910},
    Harvest.USUAL: {Price.POPULAR: 1_113, Price.NORMAL: 1_000, Price.HIGH: 896},
    Harvest.BAD: {Price.POPULAR: 1_128, Price.NORMAL: 1_000, Price.HIGH: 883},
}
# What the town expects to see more (or less) at a price, in hundredths of a point per bull.
ASKED: Final = {Price.POPULAR: -5, Price.NORMAL: 0, Price.HIGH: 6}

# A matador's fee: `FEE_LEAST` plus `FEE_SLOPE` times the square of his standing in hundredths, in
# ten-thousandths of a full house.
FEE_LEAST: Final = 250
FEE_SLOPE: Final = {1: 1_900, 2: 2_200, 3: 3_800}
HIGHEST_FEE_STANDING: Final = 100

# A matador's draw in per cent at his first, second, third and any later afternoon of a feria.
FRESH: Final = (100, 72, 50, 40)
# Weights of the three draws of a cartel, the largest first.
BILL_WEIGHTS: Final = (10, 7, 5)
# How much the memory of a town adds to a matador's standing: after a triumph, after a failure.
TRIUMPH, FAILURE = 5, -6
# A triumph is an afternoon with this many ears or more.
TRIUMPH_EARS: Final = 2
# The town remembers the present season and this many before it.
REMEMBERED_SEASONS: Final = 2

# Seats in thousandths that are wanted for a usual cartel on a usual day, by category.
BASE: Final = {1: 640, 2: 600, 3: 560}
WEEKEND, WEEKDAY = 1_100, 960
# Per cent of the window's public that comes in spite of rain.
IN_RAIN: Final = 60
# Days with rain in per cent, in July and August and in the other months.
RAIN_IN_SUMMER, RAIN = 4, 10
SUMMER: Final = (7, 8)

# Season tickets are sold for ferias of this many days or more.
TICKET_DAYS: Final = 3
# At most this many per cent of the seats are sold as season tickets.
MOST_TICKETS: Final = 55
# Season tickets of a usual poster, in thousandths of the seats.
USUAL_TICKETS: Final = 270
# Of five holders of a season ticket, four would have come to the window.
HOLDERS_WHO_WOULD_COME, HOLDERS = 4, 5
# What holders pay, in per cent of the price.
HOLDERS_PAY: Final = 85
# Income with cushions and the bar, in per cent of the income from tickets.
WITH_CUSHIONS: Final = 106
# Costs of an afternoon besides the fees, in per cent of a full house.
COSTS: Final = 16
# Standing with which an open place of a poster counts.
OPEN_PLACE: Final = 22

# Mood of a town, in hundredths of a point: where it begins and to where it returns, and its limit.
MOOD, MOST_MOOD = 5_000, 10_000
# Per cent of the distance from `MOOD` that is lost with an afternoon and with a winter.
FADES, FADES_IN_WINTER = 3, 30
MOOD_GAIN: Final = 4
# What a missed man costs, in hundredths of a point of mood.
MISSED: Final = 150

# Money in per cent of the season's full houses: the start of a concession, the most that stays in
# the plaza in winter, and the debt that is bankruptcy.
STARTING_CASH, KEPT_IN_WINTER, BANKRUPT = 12, 18, 8
# What the bank advances for an afternoon to come, in per cent of a full house.
ADVANCE: Final = 30
# What the canon leaves of a usual cartel, in thousandths of a full house.
USUAL_PROFIT: Final = 50
MOST_CANON: Final = 25
# How much a canon rises at most with a renewal.
MOST_RISE: Final = 4

# The three lines of a season, in hundredths: their lowest and highest value, and what counts as a
# whole point: thousandths of the seats, and of a full house.
LOWEST_LINE, HIGHEST_LINE = -200, 100
HOUSE_UNIT, MONEY_UNIT = 160, 60
# The mark of a usual season, and the highest, in tenths.
USUAL_MARK, HIGHEST_MARK = 50, 100

# Trust: what is left of the old one in per cent, and the share of a season's line.
OLD_TRUST, NEW_TRUST, MOST_TRUST = 70, 50, 100
# With a lower sum of trust a promoter is dismissed, or not renewed at the end of a term.
DISMISSED_BELOW, RENEWED_FROM = -100, 0
# Seasons of a term.
TERM: Final = 3

# Reputation in tenths: at the start, its limit, and what it loses.
REPUTATION, MOST_REPUTATION = 200, 1_000
AFTER_BANKRUPTCY, AFTER_DISMISSAL, AFTER_LEAVING = -200, -80, -50
# Change of reputation for a whole point of the mark, in tenths.
REPUTATION_GAIN: Final = 16
# Of the plazas of the first category, this many with most seats a season are great ones.
GREAT_PLAZAS: Final = 4
OFFERS: Final = 3
# Only plazas with this many afternoons or more are offered.
OFFERED_AFTERNOONS: Final = 3

HIGHEST_STANDING = 112
MOST_PULL = 400
MOST_POSTER_PULL = 2_280


def _draw(standing: int) -> int:
    """Return 10,000 (standing / 100)^1.5, rounded."""
    return (isqrt(400 * standing**3) + 1) // 2


def _pull(percent: int) -> int:
    """Return 300 + 700 (percent / 100)^.75, the power rounded."""
    return 300 + (isqrt(isqrt(1_400**4 * percent**3 // 100**3)) + 1) // 2


def _season_share(pull: int) -> int:
    """Return 270 (pull / 1,000)^1.4, rounded."""
    return (_fifth_root((2 * USUAL_TICKETS) ** 5 * pull**7 // 1_000**7) + 1) // 2


def _fifth_root(number: int) -> int:
    """Return the largest whole number below 2,000 whose fifth power is at most `number`."""
    return bisect_right(range(2_000), number, key=lambda root: root**5) - 1


# Draw of a matador by standing, 0 to 112; 10,000 at the standing 100.
DRAW: Final = tuple(map(_draw, range(HIGHEST_STANDING + 1)))
# Pull of a cartel in thousandths, by its draw in per cent of the usual one, 0 to 400.
PULL: Final = tuple(map(_pull, range(MOST_PULL + 1)))
# Season tickets in thousandths of the seats, by the mean pull of a poster, 0 to 2,280.
SEASON: Final = tuple(map(_season_share, range(MOST_POSTER_PULL + 1)))
