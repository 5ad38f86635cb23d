"""Verifies posted corridas and finished winters against the commitments made before them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from corridas.engine import RANGES, LidiaRecord, play_corrida
from corridas.models import Corrida, Lidia, MatadorCard, Winter
from corridas.simulation.packed_year import unpack, year_of
from corridas.simulation.rows import places_of, setup_of, stake_of
from corridas.simulation.schedule import winter_stake
from corridas.world.winter import Debut, Outcome, PrintedCard, with_new_cards
from corridas.world.winter import winter as play_winter
from fairness import CommitmentDifference, Seed, verify


def check(corrida: Corrida) -> tuple[CommitmentDifference, ...]:
    """Return the differences between a corrida's commitment, stored results and seed.

    An empty result means that the corrida is genuine. The commitment is recalculated, and the
    corrida is replayed from its seed. Bull, matadors, cards and result of every fight are compared
    with the stored ones (Ruling F-2).
    """
    seed = bytes(corrida.cartel.seed)
    record = play_corrida(setup_of(corrida), Seed(seed))
    order = [place.matador_id for place in places_of([corrida.pk])[corrida.pk]]
    lidias = corrida.lidias.select_related("bull")
    return verify(
        promised=bytes(corrida.cartel.commitment),
        seed=seed,
        stake=stake_of(corrida),
        claimed={f"lidia/{lidia.turn}": _stored(lidia) for lidia in lidias},
        derived={
            f"lidia/{lidia.turn + 1}": _played(lidia, record.sorteo[lidia.turn], order)
            for lidia in record.lidias
        },
    )


def check_winter(winter: Winter) -> tuple[CommitmentDifference, ...]:
    """Return the differences between a winter's commitment, stored changes and seed.

    The commitment is recalculated, and the winter is replayed from the stored input. Ratings and
    careers are compared with the news and the stored cards (Ruling F-2). If all cards were printed
    again, they are calculated again. If a season was imported without the potentials of its
    matadors, only the commitment can be checked.
    """
    seed, document = Seed(bytes(winter.seed)), unpack(bytes(winter.known))
    if "sealed" in document:
        stake, promised = winter_stake(winter), bytes(winter.commitment)
        return verify(promised=promised, seed=seed.value, stake=stake, claimed={}, derived={})
    year = year_of(document)
    outcome = play_winter(year, seed)
    if winter.new_cards_at:
        outcome = with_new_cards(year, outcome)
    return verify(
        promised=bytes(winter.commitment),
        seed=seed.value,
        stake=winter_stake(winter),
        claimed={**news_lines(winter.news), **_printings(winter, outcome)},
        derived=derived_winter(outcome),
    )


def news_lines(news: Iterable[Mapping[str, Any]]) -> dict[str, object]:
    """Return stored news by kind, in the form in which `derived_winter` returns recalculated
    news.
    """
    lines: dict[str, list[str]] = defaultdict(list)
    for item in news:
        lines[item["kind"]].append(_news_text(item))
    return {f"news/{kind}": sorted(lines[kind]) for kind in _DERIVED}


def derived_winter(outcome: Outcome) -> dict[str, object]:
    return {
        **{f"news/{kind}": sorted(tell(outcome)) for kind, tell in _DERIVED.items()},
        **{
            f"card/{new.slug}": (new.card.rating, *new.card.ranges().values())
            for new in _new_cards(outcome)
        },
    }


def _news_text(item: Mapping[str, Any]) -> str:
    names = ("slug", "why", "plaza", "date", "before", "after", "age")
    rest = [str(item[name]) for name in names if name in item]
    return " ".join(rest + [item[by]["slug"] for by in ("padrino", "testigo") if by in item])


_DERIVED: dict[str, Callable[[Outcome], list[str]]] = {
    "retired": lambda outcome: [
        f"{retired.slug} {retired.why.value}" for retired in outcome.retired
    ],
    "returned": lambda outcome: [returned.slug for returned in outcome.returned],
    "alternativa": lambda outcome: [
        f"{made.slug} {made.plaza} {made.date} {made.padrino} {made.testigo}"
        for made in outcome.alternativas
    ],
    "debut": lambda outcome: [f"{debut.slug} {debut.age}" for debut in outcome.debuts],
    "card": lambda outcome: [
        f"{change.slug} {change.before} {change.card.rating}"
        for change in outcome.printed
        if change.card.rating != change.before
    ],
    "herd": lambda outcome: [f"{herd.slug} {herd.before} {herd.after}" for herd in outcome.herds],
}


def _new_cards(outcome: Outcome) -> list[PrintedCard | Debut]:
    return [*outcome.printed, *outcome.debuts]


def _printings(winter: Winter, outcome: Outcome) -> dict[str, object]:
    slugs = [new.slug for new in _new_cards(outcome)]
    rows = MatadorCard.objects.filter(
        matador__circuit=winter.season.circuit_id,
        matador__slug__in=slugs,
        since=winter.season.year + 1,
    ).order_by("-printing")
    fields = ("matador__slug", "rating", *RANGES)
    return {f"card/{slug}": tuple(ranges) for slug, *ranges in rows.values_list(*fields)}


def _stored(lidia: Lidia) -> tuple[object, ...]:
    who = (lidia.bull.place, lidia.starter_id, lidia.finisher_id, lidia.injured)
    points = (lidia.matador_points, lidia.bull_points, lidia.kill_points, lidia.avisos)
    outcome = (lidia.score, lidia.number, lidia.trophy, lidia.vuelta, lidia.crowd)
    return (*who, bytes(lidia.draws), lidia.ending, *points, *outcome)


def _played(lidia: LidiaRecord, bull: int, order: Sequence[int]) -> tuple[object, ...]:
    result = lidia.result
    finisher = None if result.finisher is None else order[result.finisher]
    injured = sum(1 << place for place in result.injured)
    who = (bull, order[result.starter], finisher, injured)
    points = (result.matador_points, result.bull_points, result.kill_points, result.avisos)
    outcome = (result.score, result.number, result.trophy, result.vuelta, result.crowd)
    return (*who, lidia.draws, result.ending.value, *points, *outcome)
