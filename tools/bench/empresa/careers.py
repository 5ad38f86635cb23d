"""Careers of promoters over many recorded seasons of the market."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from corridas.world.box_office import (
    Ring,
    Step,
    Trust,
    ends_term,
    is_dismissed,
    is_renewed,
    mood_after_winter,
    offers,
    renewed_canon,
    reputation_after,
    step_reached,
    steps,
    to_fortune,
)
from corridas.world.box_office.tables import REPUTATION
from corridas.world.roster import Plaza
from tools.bench.empresa.company import Company, SeasonRun, Strategy, Town, World
from tools.bench.empresa.recorded import RecordedSeason


@dataclass(slots=True)
class History:
    """The recorded seasons of a circuit, and the towns under the market before each of them."""

    world: World
    plazas: Mapping[str, Plaza]
    rings: Mapping[str, Ring]
    seasons: list[RecordedSeason] = field(default_factory=list)
    towns: list[dict[str, Town]] = field(default_factory=list)
    # The market's results by plaza, for each season.
    market: list[dict[str, SeasonRun]] = field(default_factory=list)

    def add(self, season: RecordedSeason) -> None:
        """Add a season, and run every plaza by the market."""
        before = self.towns[-1] if self.towns else {slug: Town() for slug in self.plazas}
        if self.market:
            before = before | {slug: wintered(run.town) for slug, run in self.market[-1].items()}
        self.seasons.append(season)
        self.towns.append(before)
        place = len(self.seasons) - 1
        self.market.append(
            {slug: self.run(place, slug, Strategy.MARKET, None) for slug in season.plazas}
        )

    def run(
        self,
        place: int,
        plaza: str,
        strategy: Strategy,
        label: str | None,
        *,
        ring: Ring | None = None,
    ) -> SeasonRun:
        """Run the first season of a new concession."""
        season, ring = self.seasons[place], ring or self.rings[plaza]
        town, canon = self.towns[place][plaza].copy(), season.canon(ring, plaza)
        where = self.plazas[plaza]
        return Company(
            self.world, season, where, ring, strategy, town, canon=canon, label=label
        ).run()


def wintered(town: Town) -> Town:
    return Town(mood_after_winter(town.mood), town.past)


@dataclass(slots=True)
class Career:
    """What became of a company: marks in tenths, and the season (from 1) of each first step."""

    marks: list[int] = field(default_factory=list)
    first: dict[Step, int] = field(default_factory=dict)
    lost: int = 0
    bankruptcies: int = 0


@dataclass(slots=True)
class _Concession:
    plaza: str
    canon: int
    town: Town
    cash: int | None = None
    seasons: int = 0
    trust: Trust = field(default_factory=Trust)
    term_kept: int = 0
    term_days: int = 0


def career(history: History, strategy: Strategy, name: str) -> Career:
    """Run a company for all recorded seasons. It moves only at the end of a term."""
    found = Career()
    reputation, held, reached = REPUTATION, None, Step.THIRD
    for place, season in enumerate(history.seasons):
        plazas = season.offered(history.rings)
        ladder = steps(plazas)
        if held is None or held.plaza not in season.plazas:
            free = [plaza for plaza in plazas if held is None or plaza.slug != held.plaza]
            offered = offers(free, ladder, reached, season.seed, name)
            plaza = max(offered, key=lambda slug: ladder[slug])
            canon = season.canon(history.rings[plaza], plaza)
            held = _Concession(plaza, canon, history.towns[place][plaza].copy())
        step = ladder[held.plaza]
        for each in Step:
            if each <= step:
                found.first.setdefault(each, place + 1)
        run = Company(
            history.world,
            season,
            history.plazas[held.plaza],
            history.rings[held.plaza],
            strategy,
            held.town,
            canon=held.canon,
            cash=held.cash,
            label=f"/{name}",
        ).run()
        found.marks.append(run.mark)
        held.seasons += 1
        held.trust = held.trust.after(run.lines)
        days = sum(map(len, season.plazas[held.plaza]))
        full = history.rings[held.plaza].full_house
        held.term_kept += run.kept
        held.term_days += days
        dismissed = is_dismissed(held.trust, held.seasons)
        term = ends_term(held.seasons)
        gone = run.bankrupt or dismissed or (term and not is_renewed(held.trust))
        reputation = reputation_after(
            reputation, run.mark, bankrupt=run.bankrupt, dismissed=dismissed
        )
        reached = step_reached(reputation, bankrupt=run.bankrupt)
        found.bankruptcies += run.bankrupt
        found.lost += gone and not run.bankrupt
        if gone or (term and reached > step):
            held = None
            continue
        if term:
            held.canon = renewed_canon(held.canon, held.term_kept, held.term_days, full)
            held.term_kept = held.term_days = 0
        held.cash = run.cash - to_fortune(run.cash, days * full)
        held.town = wintered(run.town)
    return found


def median_first(careers: Sequence[Career], step: Step) -> float:
    """Return the median season of a first plaza on a step; infinity if most never reach it."""
    never = float("inf")
    ascending = sorted(each.first.get(step, never) for each in careers)
    return ascending[(len(ascending) - 1) // 2]
