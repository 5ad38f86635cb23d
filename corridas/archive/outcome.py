"""What a season taken in came to, by the rows derived for it, against what its file claims."""

from __future__ import annotations

from typing import Any, Final

from corridas.archive.afternoons import finding
from corridas.archive.checking import compared, compared_awards
from corridas.archive.claims import told_claims
from corridas.archive.faults import Finding
from corridas.archive.told import Told
from corridas.models import Record, Season
from corridas.world.records import BY_KEY, CAREER

_KEYS: Final = {
    "escalafon": ("slug", "category"),
    "records": ("scope", "of", "key"),
}


def outcome(season: Season, told: Told) -> list[Finding]:
    """All that differs; nothing where the season is here what it was there."""
    found: dict[str, list[Any]] = {what: [] for what in told.claimed}
    for entry in told_claims(season):
        found[entry["kind"]] += entry[entry["kind"]]
    wrong = [
        one
        for what, keys in _KEYS.items()
        for one in compared(what, told.claimed[what], found[what], keys)
    ]
    awards = compared_awards(told.claimed["awards"], found["awards"])
    return [*wrong, *awards, *_in_the_book(season, told)]


def _in_the_book(season: Season, told: Told) -> list[Finding]:
    """The lines of the circuit's book that fell in the season, against those claimed."""
    lines = told.claimed["records"]
    said = {(row["scope"], row["of"], row["key"]): row["value"] for row in lines}
    rows = Record.objects.filter(circuit=season.circuit_id, season=season)
    return [
        finding("book", f"{scope} {of} {key}", said.get((scope, of, key)), value)
        for scope, of, key, value in rows.values_list("scope", "of", "key", "value")
        if BY_KEY[key].over != CAREER and said.get((scope, of, key)) != value
    ]
