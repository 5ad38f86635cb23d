"""Verifies a season file: hashes, commitments, corridas, winter and claimed results.

It neither reads nor writes the database.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from actas import Malformed, VerificationResult, bundles, differences
from api.types import JSONObject
from corridas.archive import bundle
from corridas.archive.bundle import (
    FILE_BYTES,
    FINDINGS,
    FORMAT,
    Chain,
    Finding,
    Refused,
    is_packed_season,
)
from corridas.archive.claims import Entry, Names, book_of, counted, judged
from corridas.archive.reader import Reader, SeasonData
from corridas.archive.replay import Afternoons, bull_numbers, finding
from corridas.engine import RANGES, EngineError
from corridas.models import Season
from corridas.models.escalafon import COUNTERS
from corridas.simulation.packed_year import PackedYear, year_of
from corridas.simulation.post import Ledger, entered
from corridas.simulation.schedule import promised_winter, season_stake
from corridas.simulation.verify import derived_winter, news_lines
from corridas.world.awards import VERSION
from corridas.world.winter import Outcome, with_new_cards
from corridas.world.winter import winter as play_winter
from fairness import CommitmentDifference, Seed, commitment


@dataclass
class Report:
    """The result of verifying a season file.

    `refused` is the reason why the file cannot be read, or empty. `head` is the last hash of its
    chain. `data` is set if the file could be read. `sealed` is true if the file leaves out the
    potential of the matadors, so that its winter cannot be replayed.
    """

    refused: str = ""
    head: str = ""
    name: str = ""
    site: dict[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    data: SeasonData | None = None

    @property
    def stands(self) -> bool:
        return not self.refused and not self.findings

    @property
    def sealed(self) -> bool:
        return self.data is not None and self.data.promises is None


def verify(file: IO[bytes], progress: bundles.Progress | None = None) -> Report:
    """Verify a season file and return a report. Invalid content never raises an exception.

    The file must support seeking.
    """
    report = Report()
    try:
        report.data = _read(file, report, progress)
    except (Refused, Malformed, EngineError) as error:
        report.refused = str(error)
        return report
    for more in (_openings, _claims, _winter):
        try:
            report.findings += more(report.data)
        except (ValueError, ArithmeticError, LookupError, TypeError) as error:
            # An error during a calculation is reported as a difference.
            what = f"{type(error).__name__}: {error}"
            report.findings.append(finding("", more.__name__.strip("_"), "-", what))
    del report.findings[FINDINGS:]
    return report


def _read(file: IO[bytes], report: Report, progress: bundles.Progress | None) -> SeasonData:
    chain = Chain(bundle.lines(file))
    reader = Reader(Afternoons(report.findings).play)
    for number, part in enumerate(chain.entries(), 1):
        reader.take(part)
        if progress:
            progress(number)
    source = reader.end()
    report.head, report.name, report.site = chain.head, chain.name, chain.site
    return source


def _openings(source: SeasonData) -> Iterator[Finding]:
    circuit, year = source.opening["circuit"], source.year
    for where, row, stake in (
        ("season", source.opening, season_stake(circuit, year)),
        ("winter", source.winter, promised_winter(circuit, year, source.winter.get("version", 1))),
    ):
        kept = commitment(row["seed"], stake)
        if kept != row["commitment"]:
            yield finding(where, "commitment", row["commitment"], kept)


def ledger_of(source: SeasonData) -> Ledger:
    season = Season(year=source.year, seed=source.opening["seed"])
    return entered(season, source.fought)


def names_of(source: SeasonData) -> Names:
    corridas, bulls = {}, {}
    for played, row in zip(source.fought, source.entries, strict=True):
        corridas[played.pk] = [row["date"].isoformat(), row["plaza"]]
        for key, bull in zip(bull_numbers(played.pk), row["bulls"], strict=True):
            bulls[key] = [row["herd"], bull["year"], bull["number"]]
    men = {key: slug for slug, key in source.man_keys.items()}
    herds = {key: slug for slug, key in source.herd_keys.items()}
    return Names(men, herds, corridas, bulls)


def _claims(source: SeasonData) -> Iterator[Finding]:
    ledger, names = ledger_of(source), names_of(source)
    lines = [
        counted(names.men[man], category, counts)
        for (man, category), counts in sorted(ledger.counters.items())
    ]
    yield from compared("escalafon", source.claimed["escalafon"], lines, ("slug", "category"))
    given, _versions = awards_of(source)
    yield from compared("awards", source.claimed["awards"], given, ("feria", "key"))
    book = list(book_of(source.fought, names))
    yield from compared("records", source.claimed["records"], book, ("scope", "of", "key"))
    yield from _year(source, ledger)


def compared(
    what: str, claimed: Sequence[object], actual: Sequence[Entry], keys: Sequence[str]
) -> Iterator[Finding]:
    stored, follows = _keyed(claimed, keys), _keyed(actual, keys)
    for difference in differences(stored, follows):
        yield finding(what, difference.name, difference.claimed, difference.found)
    if len(stored) != len(claimed):
        yield finding(what, "lines", len(claimed), len(stored))


def awards_of(source: SeasonData) -> tuple[list[Entry], dict[str, int]]:
    """Return the awards calculated from a season, and the feria awards by older rules.

    The second value maps a feria to the version of its rules, if that is not the latest. Files
    contain no versions, so version 1 is assumed if it leads to the claimed award.
    """
    days = {source.man_keys[slug]: row["alternativa"] for slug, row in source.men.items()}
    latest, earlier = (
        list(judged(source.fought, source.year, days, names_of(source), version))
        for version in (VERSION, 1)
    )
    given, versions = [], {}
    for now, then in zip(latest, earlier, strict=True):
        by_earlier = now != then and then in source.claimed["awards"]
        given.append(then if by_earlier else now)
        if by_earlier:
            versions[then["feria"]] = 1
    return given, versions


def _keyed(lines: Sequence[object], keys: Sequence[str]) -> JSONObject:
    return {
        " ".join(str(line.get(key, "")) for key in keys) if isinstance(line, dict) else "": line
        for line in lines
    }


def _year(source: SeasonData, ledger: Ledger) -> Iterator[Finding]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    names = {key: slug for slug, key in source.man_keys.items()}
    for (man, _category), held in ledger.counters.items():
        counts[names[man]].update({name: held[name] for name in COUNTERS})
    rests: Counter[str] = Counter()
    for injury in ledger.injuries:
        rests[names[injury.matador_id]] += (injury.until - injury.since).days + 1
    for slug, career in source.careers.items():
        actual = {name: counts[slug][name] for name in COUNTERS} if slug in counts else {}
        said = {name: career["counts"].get(name, 0) for name in COUNTERS} if actual else {}
        if said != actual:
            yield finding("winter", f"{slug} counts", said, actual)
        if career["hurt_days"] != rests[slug]:
            yield finding("winter", f"{slug} hurt_days", career["hurt_days"], rests[slug])


def _winter(source: SeasonData) -> Iterator[Finding]:
    if source.promises is None:
        return
    year = year_of(year_data(source))
    outcome = play_winter(year, Seed(source.winter["seed"]))
    if "new_cards_at" in source.winter:
        outcome = with_new_cards(year, outcome)
    cards = {
        f"card/{slug}": (row["rating"], *(row["ranges"][name] for name in RANGES))
        for slug, row in source.pressed.items()
    }
    said: dict[str, object] = {**news_lines(source.news), **cards, **_come_out(source)}
    follows = {**derived_winter(outcome), **_debuts(outcome)}
    for name in sorted({*said, *follows}):
        if said.get(name) != follows.get(name):
            yield finding("winter", name, said.get(name), follows.get(name))


def year_data(source: SeasonData) -> PackedYear:
    """Return the input of the winter as it is stored.

    If the potential of the matadors is unknown, its digest takes its place.
    """
    known, sealed = source.promises, source.winter["sealed"]
    careers = [
        {**row, "promise": (known or {}).get(slug, 1)} for slug, row in source.careers.items()
    ]
    year: PackedYear = {
        "year": source.year,
        "careers": careers,
        "herds": source.winter["herds"],
        "taken": source.winter["taken"],
        "plazas": source.winter["plazas"],
    }
    if "version" in source.winter:
        year |= {"version": source.winter["version"], "calendar": source.winter["calendar"]}
    return year if known is not None else {**year, "sealed": sealed}


def _come_out(source: SeasonData) -> dict[str, object]:
    promises = source.promises or {}
    return {
        f"debut/{slug}": (*(row[name] for name in _DEBUT), promises.get(slug))
        for slug, row in source.debuts.items()
    }


_DEBUT = ("name", "apodo", "country", "birthplace", "born", "style")


def _debuts(outcome: Outcome) -> dict[str, object]:
    return {
        f"debut/{debut.slug}": (
            *(debut.name, debut.apodo, debut.country, debut.birthplace),
            *(debut.born.isoformat(), debut.style, debut.promise),
        )
        for debut in outcome.debuts
    }


GAME: Final = "indulto"
KIND: Final = "season"
_NAMED: Final = re.compile(rb'"format":\s{0,9}"' + FORMAT.encode() + rb'"')


def recognises(head: bytes) -> bool:
    """Return whether a file that begins with these bytes may be a season file.

    A compressed file cannot be a record of a game, because records are never compressed.
    """
    return is_packed_season(head) or bool(_NAMED.search(head.partition(b"\n")[0]))


def verdict_on(file: IO[bytes], progress: bundles.Progress) -> VerificationResult:
    """Verify a season file for the command that checks records.

    Invalid content never raises an exception. The file must support seeking.
    """
    report = verify(file, progress=progress)
    return VerificationResult(
        game=GAME,
        kind=KIND,
        refused=report.refused,
        differences=tuple(
            CommitmentDifference(f"{finding.place}/{finding.name}", finding.claimed, finding.found)
            for finding in report.findings
        ),
        more=len(report.findings) == FINDINGS,
        note=_note(report),
    )


def _note(report: Report) -> str:
    if report.data is None:
        return ""
    count = len(report.data.days)
    corridas = ngettext("%(n)s corrida", "%(n)s corridas", count) % {"n": count}
    words = {"name": report.name, "year": report.data.year, "corridas": corridas}
    said = _("%(name)s %(year)s, %(corridas)s.") % words
    said += " " + _("Digest of the last entry: %s.") % report.head
    if report.sealed:
        said += " " + _(
            "The winter was not played again, because the file does not contain the "
            "matadors’ potential."
        )
    return said


BUNDLE: Final = bundles.Bundle(
    name=KIND,
    recognises=recognises,
    check=verdict_on,
    most=FILE_BYTES,
    elsewhere=gettext_lazy(
        "This is a season file, and replaying the whole season would take too long for "
        "this page. Check it with the command manage.py verify, or with “Import a "
        "season” on the circuits page, which saves nothing if the check fails."
    ),
)


def register_season_files() -> None:
    bundles.register(BUNDLE)
