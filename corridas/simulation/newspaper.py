"""The news of a winter as plain data, in the order of its page; men and herds by slug and name.

Names are those of the day on which it was news.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corridas.models import Season
from corridas.simulation.contracting import spared_bulls
from corridas.simulation.gathering import Gathered
from corridas.world.names import display_name
from corridas.world.winter import Outcome

News = list[dict[str, Any]]


def news(gathered: Gathered, outcome: Outcome, bulls: News, herds: Mapping[str, str]) -> News:
    """What a winter told; `bulls`: those spared in its season, `herds`: their names by slug."""
    names = _names(gathered, outcome)
    return [
        *(
            {"kind": "retired", **_who(one.slug, names), "why": one.why.value}
            for one in outcome.retired
        ),
        *({"kind": "returned", **_who(one.slug, names)} for one in outcome.returned),
        *_alternativas(outcome, names),
        *_debuts(outcome),
        *_cards(gathered, outcome, names),
        *_herds(outcome, herds),
        *bulls,
    ]


def _names(gathered: Gathered, outcome: Outcome) -> dict[str, str]:
    """What the posters call everybody, by slug."""
    known = {slug: display_name(man.name, man.apodo) for slug, man in gathered.signed.items()}
    return known | {one.slug: display_name(one.name, one.apodo) for one in outcome.debuts}


def _who(slug: str, names: Mapping[str, str]) -> dict[str, Any]:
    return {"slug": slug, "name": names[slug]}


def _alternativas(outcome: Outcome, names: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for one in outcome.alternativas:
        yield {
            "kind": "alternativa",
            **_who(one.slug, names),
            "padrino": _who(one.padrino, names),
            "testigo": _who(one.testigo, names),
            "plaza": one.plaza,
            "date": one.date.isoformat(),
        }


def _debuts(outcome: Outcome) -> Iterator[dict[str, Any]]:
    for one in outcome.debuts:
        yield {
            "kind": "debut",
            "slug": one.slug,
            "name": display_name(one.name, one.apodo),
            "country": one.country,
            "birthplace": one.birthplace,
            "age": one.age,
        }


def _cards(
    gathered: Gathered, outcome: Outcome, names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """The cards whose rating moved, those that moved furthest first."""
    moved = [one for one in outcome.printed if one.card.rating != one.before]
    moved.sort(key=lambda one: (-abs(one.card.rating - one.before), -one.card.rating, one.slug))
    for one in moved:
        yield {
            "kind": "card",
            **_who(one.slug, names),
            "before": one.before,
            "after": one.card.rating,
            "printing": gathered.printing(one.slug) + 1,
        }


def _herds(outcome: Outcome, herds: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    moved = sorted(outcome.herds, key=lambda one: (one.after - one.before, one.after))
    for one in moved:
        where = {"before": one.before, "after": one.after}
        yield {"kind": "herd", **_who(one.slug, herds), **where}


def spared(season: Season) -> News:
    """The bulls spared in a season, who are sires from now on; one query."""
    rows = spared_bulls(season, season.year, season.year).order_by("ganaderia__renown", "number")
    fields = ("pk", "name", "number", "ganaderia__slug", "ganaderia__name")
    return list(_sires(rows.values_list(*fields)))


def _sires(rows: Iterable[tuple[Any, ...]]) -> Iterator[dict[str, Any]]:
    for pk, name, number, slug, herd in rows:
        where = {"slug": slug, "name": herd}
        yield {"kind": "sire", "bull": pk, "name": name, "number": number, "herd": where}
