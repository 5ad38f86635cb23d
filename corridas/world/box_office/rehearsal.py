"""A rehearsal of a season: the market alone contracts its calendar once, to measure the pars."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from operator import attrgetter
from statistics import fmean, pvariance
from typing import NamedTuple

from corridas.engine import BULLS, MATADORS
from corridas.world.box_office.draw import cartel_draw, draw, fresh, standing
from corridas.world.box_office.expected import Expected, expected, nearest
from corridas.world.box_office.fees import fee_share
from corridas.world.box_office.pars import Pars
from corridas.world.chances import ScoreCounts
from corridas.world.contracts import (
    OPEN,
    AvailableMatador,
    Engagement,
    OpenCorrida,
    contract,
    standings,
)
from corridas.world.market import Market
from fairness import Seed


@dataclass(frozen=True, slots=True)
class DatedBill:
    """A corrida of the calendar that needs a cartel, and its day."""

    day: dt.date
    bill: OpenCorrida


class RehearsedCartel(NamedTuple):
    """The figures of a contracted cartel.

    `draw` is that of the cartel, without the towns' memory. `fees` is the sum of the three normal
    fees in ten-thousandths of a full house.
    """

    category: int
    draw: int
    fees: int
    expected: tuple[Expected, ...]


def rehearsal_seed(year: int, roster_digest: str) -> Seed:
    """Return the seed of a season's rehearsal.

    It depends on nothing that is secret, so that anybody can compute the pars again.
    """
    return Seed(hashlib.sha256(f"rehearsal/{year}/{roster_digest}".encode()).digest())


def standings_of(candidates: Sequence[AvailableMatador]) -> dict[int, int]:
    """Return the standing of every candidate with his form, by key, not limited."""
    from_ratings = standings(tuple([each.rating for each in candidates]))
    return {
        each.key: standing(from_rating, each.form)
        for each, from_rating in zip(candidates, from_ratings, strict=True)
    }


def rehearse(
    market: Market, calendar: Sequence[DatedBill], counts: ScoreCounts, seed: Seed
) -> dict[int, Pars]:
    """Contract every corrida of a calendar once, and return the pars by category.

    The calendar is in order of its days. Nothing is fought: nobody is hurt, and forms stay as they
    are. `market` is that of the season's first day; it is booked out afterwards. A category for
    which no cartel can be contracted has no pars.
    """
    by_category: dict[int, list[RehearsedCartel]] = defaultdict(list)
    for cartel in _contracted(market, calendar, counts, seed):
        by_category[cartel.category].append(cartel)
    return {category: _pars(carteles) for category, carteles in sorted(by_category.items())}


def _contracted(
    market: Market, calendar: Sequence[DatedBill], counts: ScoreCounts, seed: Seed
) -> Iterator[RehearsedCartel]:
    cards = {key: current.card for key, current in market.cards.items()}
    shows: dict[tuple[int, int], Expected] = {}
    earlier: Counter[tuple[int | None, int]] = Counter()
    for day, dated in groupby(calendar, key=attrgetter("day")):
        bills = [each.bill for each in dated]
        candidates = market.candidates(day)
        standing = standings_of(candidates)
        agreed = contract(day, bills, candidates, seed.chance(f"contracts/{day.isoformat()}"))
        for bill in bills:
            men = agreed[bill.key]
            if men == OPEN:
                continue
            market.book(men, Engagement(day, bill.continent, bill.feria))
            for man in men:
                if (man, bill.category) not in shows:
                    shows[man, bill.category] = expected(cards[man], bill.category, counts)
            draws = [draw(standing[man], _fresh(earlier, bill.feria, man)) for man in men]
            yield RehearsedCartel(
                bill.category,
                cartel_draw(draws),
                sum(fee_share(bill.category, standing[man]) for man in men),
                tuple(shows[man, bill.category] for man in men),
            )
            earlier.update((bill.feria, man) for man in men)


def _fresh(earlier: Mapping[tuple[int | None, int], int], feria: int | None, man: int) -> int:
    return fresh(0 if feria is None else earlier[feria, man])


def _pars(carteles: Sequence[RehearsedCartel]) -> Pars:
    shown = [fmean(each.mean for each in cartel.expected) for cartel in carteles]
    # The variance of the mean of six bulls, two of each man.
    of_bulls = [
        sum(each.variance for each in cartel.expected) * BULLS / MATADORS / BULLS**2
        for cartel in carteles
    ]
    sd = sqrt(pvariance(shown) + fmean(of_bulls))
    return Pars(
        draw=max(1, nearest(fmean(cartel.draw for cartel in carteles))),
        fee=nearest(fmean(cartel.fees for cartel in carteles) / 10),
        seen=nearest(fmean(shown)),
        sd=max(1, nearest(sd)),
        unit=max(1, nearest(3 * sd / 4)),
    )
