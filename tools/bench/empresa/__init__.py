"""Benchmark of the rules for promoters: the balance of strategies, and its bounds.

Seasons of the market are recorded, and a company is put into one plaza at a time. No database is
used. More seasons and companies than by default:

    EMPRESA_SEASONS=12 EMPRESA_COMPANIES=10 make bench ONLY=empresa
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from statistics import fmean
from typing import NamedTuple

from corridas.engine import Rules
from corridas.world.box_office import Harvest, Price, Ring, Step
from corridas.world.chances import sample_scores
from corridas.world.roster import DATA, load
from fairness import Seed
from tools.bench.empresa.careers import Career, History, career, median_first
from tools.bench.empresa.company import SeasonRun, Strategy, World
from tools.bench.empresa.recorded import RecordingCircuit
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite

YEAR = 2026
SEED = Seed(sha256(b"empresa").digest())
# Seasons of the careers, and of them those in which every plaza is run by every strategy.
CAREER_SEASONS = 20
SEASONS = int(os.environ.get("EMPRESA_SEASONS", "4"))
COMPANIES = int(os.environ.get("EMPRESA_COMPANIES", "5"))
FIGHTS = 250_000
LEAST_AFTERNOONS = 3
FEW_SEATS = 1_500

ONE_IDEA = (
    Strategy.CHEAPEST,
    Strategy.RANDOM,
    Strategy.FAME,
    Strategy.ACCOUNTANT,
    Strategy.ACCOUNTANT_POPULAR,
    Strategy.ACCOUNTANT_HIGH,
    Strategy.STARS,
    Strategy.NAME,
    Strategy.CARDS,
)
# Strategies that also play the market's own cards.
SAME_CARDS = (
    Strategy.PLANNER,
    Strategy.BLIND,
    Strategy.CARDS,
    Strategy.ACCOUNTANT,
    Strategy.FAME,
    Strategy.RANDOM,
)
ACCOUNTANTS = (Strategy.ACCOUNTANT_POPULAR, Strategy.ACCOUNTANT, Strategy.ACCOUNTANT_HIGH)
FIXED = (Strategy.PLANNER_POPULAR, Strategy.PLANNER_NORMAL, Strategy.PLANNER_HIGH)
CAREERS = (
    Strategy.PLANNER,
    Strategy.STARS,
    Strategy.CARDS,
    Strategy.NAME,
    Strategy.ACCOUNTANT,
    Strategy.MARKET,
    Strategy.AUTOPILOT,
    Strategy.CHEAPEST,
)


class PlazaSeason(NamedTuple):
    """A plaza in a season: its category, and the result of every strategy."""

    category: int
    own: Mapping[Strategy, SeasonRun]
    same: Mapping[Strategy, SeasonRun]


def measure(_: ScratchSite) -> Iterator[Figure]:
    history = _history()
    runs = [each for place in _sampled() for each in _plaza_seasons(history, place)]
    careers = {
        strategy: [career(history, strategy, f"{strategy.name}-{n}") for n in range(COMPANIES)]
        for strategy in CAREERS
    }
    print(_report(history, runs, careers), file=sys.stderr)
    yield from _market(history)
    yield from _strategies(runs)
    yield from _prices(runs)
    yield from _careers(careers)
    leaders = [season.leader for season in history.seasons]
    note = f"{min(leaders)} to {max(leaders)} corridas, over {len(leaders)} seasons"
    yield Figure("empresa_leader", max(leaders), bar=110, note=note)


def _history() -> History:
    roster, rules = load(DATA), Rules()
    counts = sample_scores(roster.deck, rules, FIGHTS, SEED)
    circuit = RecordingCircuit(roster, rules, YEAR, SEED)
    history = History(World(roster, rules, counts), circuit.plazas, circuit.rings)
    for year in range(YEAR, YEAR + CAREER_SEASONS):
        history.add(circuit.record(year, counts)[0])
    return history


def _sampled() -> list[int]:
    """Return the seasons in which every strategy is measured, spread over the careers."""
    return [place * CAREER_SEASONS // SEASONS for place in range(SEASONS)]


def _plaza_seasons(history: History, place: int) -> Iterator[PlazaSeason]:
    for slug, ferias in history.seasons[place].plazas.items():
        if sum(map(len, ferias)) < LEAST_AFTERNOONS:
            continue
        own = {
            strategy: history.run(place, slug, strategy, f"/{strategy.name}")
            for strategy in Strategy
        }
        same = {strategy: history.run(place, slug, strategy, None) for strategy in SAME_CARDS}
        same[Strategy.MARKET] = history.market[place][slug]
        yield PlazaSeason(history.rings[slug].category, own, same)


def _mark(runs: Sequence[PlazaSeason], strategy: Strategy, category: int = 0) -> float:
    marks = [each.own[strategy].mark for each in runs if category in {0, each.category}]
    return fmean(marks) / 10


def _share(pairs: Sequence[tuple[int, int]]) -> float:
    """Return in how many per cent the first mark is higher; equal marks count one half."""
    won = sum(first > second for first, second in pairs)
    return 100 * (won + sum(first == second for first, second in pairs) / 2) / len(pairs)


def _better(
    runs: Sequence[PlazaSeason], one: Strategy, other: Strategy, *, same: bool = False
) -> float:
    results = [each.same if same else each.own for each in runs]
    return _share([(each[one].mark, each[other].mark) for each in results])


def _market(history: History) -> Iterator[Figure]:
    by_category: dict[int, list[int]] = defaultdict(list)
    by_plaza: dict[str, list[int]] = defaultdict(list)
    apart = []
    for place, season in enumerate(history.market):
        for slug, run in season.items():
            ring = history.rings[slug]
            by_category[ring.category].append(run.mark)
            by_plaza[slug].append(run.mark)
            few = Ring(ring.category, FEW_SEATS)
            other = history.run(place, slug, Strategy.MARKET, None, ring=few)
            apart.append(abs(run.mark - other.mark))
    means = {category: fmean(marks) / 10 for category, marks in sorted(by_category.items())}
    single = sorted(fmean(marks) / 10 for marks in by_plaza.values())
    everybody = [mark for marks in by_category.values() for mark in marks]
    note = f"{len(everybody)} plaza-seasons; single plazas {single[0]:.1f} to {single[-1]:.1f}"
    yield from _between("empresa_market", fmean(everybody) / 10, 4.5, 5.5, note)
    note = ", ".join(f"category {category}: {mean:.2f}" for category, mean in means.items())
    yield Figure("empresa_market_low", min(means.values()), bar=4.0, at_least=True, note=note)
    yield Figure("empresa_market_high", max(means.values()), bar=6.0, note=note)
    note = f"market's mark with {FEW_SEATS} seats, mean; at most {max(apart) / 10:.1f}"
    yield Figure("empresa_seats", fmean(apart) / 10, bar=0.1, note=note)


def _between(name: str, value: float, low: float, high: float, note: str) -> Iterator[Figure]:
    """Yield a figure with an upper bound, and the same one with a lower bound."""
    yield Figure(name, value, bar=high, note=note)
    yield Figure(f"{name}_least", value, bar=low, at_least=True, note=note)


def _strategies(runs: Sequence[PlazaSeason]) -> Iterator[Figure]:
    marks = {strategy: _mark(runs, strategy) for strategy in ONE_IDEA}
    best = max(marks, key=lambda strategy: marks[strategy])
    yield Figure("empresa_one_idea", marks[best], bar=7.0, note=best.value)
    yield Figure("empresa_planner", _mark(runs, Strategy.PLANNER))
    note = f"per cent of {len(runs)} plaza-seasons with own cards"
    better = _better(runs, Strategy.PLANNER, Strategy.ACCOUNTANT)
    yield from _between("empresa_skill", better, 70, 85, note)


def _prices(runs: Sequence[PlazaSeason]) -> Iterator[Figure]:
    pairs = {
        f"{one.value} : {other.value}": _better(runs, one, other)
        for one in ACCOUNTANTS
        for other in ACCOUNTANTS
        if one is not other
    }
    worst = max(pairs, key=lambda pair: pairs[pair])
    yield Figure("empresa_fixed_price", pairs[worst], bar=60, unit="%", note=worst)
    best = _best_fixed(runs)
    note = " / ".join(f"{best[strategy]:.0f}" for strategy in FIXED)
    note = f"best fixed price: popular / normal / high {note}"
    yield Figure("empresa_best_price", min(best.values()), bar=15, at_least=True, note=note)
    shares = {
        f"{price.name.lower()} in a {harvest.name.lower()} harvest": share
        for harvest, prices in _chosen_prices(runs).items()
        for price, share in prices.items()
    }
    most = max(shares, key=lambda name: shares[name])
    yield Figure("empresa_chosen_price", shares[most], bar=75, unit="%", note=most)


def _best_fixed(runs: Sequence[PlazaSeason]) -> dict[Strategy, float]:
    """Return in how many per cent of seasons each fixed price is best for a planner."""
    won: dict[Strategy, float] = dict.fromkeys(FIXED, 0.0)
    for each in runs:
        top = max(each.own[strategy].mark for strategy in FIXED)
        equal = [strategy for strategy in FIXED if each.own[strategy].mark == top]
        for strategy in equal:
            won[strategy] += 100 / len(equal) / len(runs)
    return won


def _chosen_prices(runs: Sequence[PlazaSeason]) -> dict[Harvest, dict[Price, float]]:
    chosen: Counter[tuple[Harvest, Price]] = Counter()
    for each in runs:
        run = each.own[Strategy.PLANNER]
        chosen.update((run.harvest, price) for price in run.prices)
    sums = {harvest: sum(chosen[harvest, price] for price in Price) for harvest in Harvest}
    return {
        harvest: {price: 100 * chosen[harvest, price] / max(1, sums[harvest]) for price in Price}
        for harvest in Harvest
    }


def _careers(careers: Mapping[Strategy, Sequence[Career]]) -> Iterator[Figure]:
    planners = careers[Strategy.PLANNER]
    second, top = (median_first(planners, step) for step in (Step.SECOND, Step.GREATEST))
    note = f"median of {len(planners)} planners; the season in which they begin there"
    yield from _between("empresa_second", second - 1, 2, 3, note)
    yield from _between("empresa_las_ventas", top - 1, 9, 15, note)
    broke = {
        strategy: fmean(each.bankruptcies for each in runs)
        for strategy, runs in careers.items()
        if strategy is not Strategy.CHEAPEST
    }
    worst = max(broke, key=lambda strategy: broke[strategy])
    yield Figure("empresa_bankruptcies", broke[worst], bar=0.5, note=worst.value)


def _report(
    history: History,
    runs: Sequence[PlazaSeason],
    careers: Mapping[Strategy, Sequence[Career]],
) -> str:
    """Return the tables of docs/empresa.md."""
    lines = ["pars: mean over the seasons, category: draw, fee, seen, sd, unit"]
    for category in (1, 2, 3):
        pars = [season.pars[category] for season in history.seasons]
        means = [
            fmean(getattr(each, name) for each in pars)
            for name in ("draw", "fee", "seen", "sd", "unit")
        ]
        lines.append(f"  {category}: " + ", ".join(f"{mean:,.0f}" for mean in means))
    lines.append(f"{len(runs)} plaza-seasons: mark; category 3 / 2 / 1; T / A / C; with a loss")
    for strategy in Strategy:
        by_category = " / ".join(f"{_mark(runs, strategy, n):.1f}" for n in (3, 2, 1))
        results = [each.own[strategy] for each in runs]
        means = [
            fmean(getattr(run.lines, name) for run in results) / 100
            for name in ("houses", "cards", "money")
        ]
        loss = 100 * fmean(run.kept < 0 for run in results)
        mean = f"{_mark(runs, strategy):.1f}; {by_category}"
        lines.append(
            f"  {strategy.value:28} {mean:22} "
            + " / ".join(f"{mean:.1f}" for mean in means)
            + f"; {loss:.0f} %"
        )
    lines.append("above the bar, same cards")
    for strategy in SAME_CARDS:
        above = [each.same[strategy].mark - each.same[Strategy.MARKET].mark for each in runs]
        below = 100 * fmean(each <= 0 for each in above)
        lines.append(
            f"  {strategy.value:28} {fmean(above) / 10:+.1f}; at or below 0: {below:.0f} %"
        )
    lines.append("better over one season, own cards (same cards), per cent")
    planner = Strategy.PLANNER
    others = (Strategy.ACCOUNTANT, Strategy.CARDS, Strategy.BLIND, Strategy.MARKET, Strategy.RANDOM)
    pairs = [(planner, other) for other in others]
    pairs += [(Strategy.ACCOUNTANT, Strategy.RANDOM), (Strategy.CARDS, Strategy.FAME)]
    for one, other in pairs:
        own, same = (_better(runs, one, other, same=same) for same in (False, True))
        lines.append(f"  {one.value} over {other.value}: {own:.0f} ({same:.0f})")
    lines.append("choosing a price over always the same, per cent")
    lines += [f"  {fixed.value}: {_better(runs, planner, fixed):.0f}" for fixed in FIXED]
    lines.append("a planner's prices by harvest: popular / normal / high")
    for harvest, prices in _chosen_prices(runs).items():
        shares = " / ".join(f"{share:.0f}" for share in prices.values())
        lines.append(f"  {harvest.name.lower()}: {shares}")
    lines.append(
        f"{CAREER_SEASONS} seasons, {COMPANIES} companies: first season in the second category /"
        " the first / the greatest plaza; mean mark; dismissed or not renewed; bankrupt"
    )
    for strategy, found in careers.items():
        first = " / ".join(
            f"{median_first(found, step):g}" for step in (Step.SECOND, Step.FIRST, Step.GREATEST)
        )
        mark = fmean(mark for each in found for mark in each.marks) / 10
        lost = fmean(each.lost for each in found)
        broke = fmean(each.bankruptcies for each in found)
        lines.append(f"  {strategy.value:28} {first:16} {mark:.1f}; {lost:.1f}; {broke:.1f}")
    return "\n".join(lines)
