"""Hostile season files: zip bombs, path tricks, false values.

They are rejected with an explanation or their differences are reported, and nothing is stored.
"""

import io
import json
import os
import stat
import time
import warnings
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.spreadsheets.workbooks import write_workbook
from corridas import archive
from corridas.archive import Home, NotTaken, bundle
from corridas.archive.bundle import LINE_BYTES, MEMBER
from corridas.archive.claims import judged
from corridas.archive.importer import outcome
from corridas.archive.verification import names_of
from corridas.models import Circuit, Matador, Season
from corridas.simulation.derived_book import rebuild_book
from corridas.world.awards import REVELATION
from fairness import Chance, canonical
from tests.corridas.archive.conftest import Elsewhere, file_of
from tests.corridas.archive.damage import (
    DEEP,
    damaged,
    entries,
    flip_inside,
    packed,
    sealed,
    unpacked,
)
from tests.corridas.simulation import world
from tests.properties import examples

pytestmark = pytest.mark.django_db
Change = Callable[[list[dict[str, Any]]], object]
# Number of damaged files, which `make fuzz` sets to some hundreds.
DAMAGED = int(os.environ.get("DAMAGED", "0")) or examples(12)
# Seconds of processor time within which the check of any file must end.
SLOWEST = 30.0


def verdict(data: bytes) -> archive.Report:
    return archive.verify(io.BytesIO(data))


def changed(data: bytes, change: Change) -> bytes:
    """Change entries of a file and recalculate its hashes and its seal."""
    told = entries(data)
    change(told)
    return packed(sealed(told))


def of(told: list[dict[str, Any]], kind: str, number: int = 0) -> dict[str, Any]:
    return [entry for entry in told if entry.get("kind") == kind][number]


def zipped(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    out = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(out, "w") as holder:
        warnings.simplefilter("ignore")  # the repeated names are intended
        for name, data in members:
            holder.writestr(name, data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def link() -> zipfile.ZipInfo:
    member = zipfile.ZipInfo("season.jsonl/../elsewhere")
    member.external_attr = (stat.S_IFLNK | 0o777) << 16
    return member


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04",
        b"PK\x05\x06" + bytes(18),
        b"\x00" * 100,
        b"not a season",
        zipped(("../season.jsonl", b"{}\n")),
        zipped(("/etc/passwd", b"{}\n")),
        zipped((link(), b"/etc/passwd")),
        zipped((MEMBER, b"{}\n"), (MEMBER, b"{}\n")),
        zipped((MEMBER, b"{}\n"), ("more.txt", b"more")),
        zipped(),
    ],
    ids=range(11),
)
def test_a_file_that_is_not_a_season_file_is_rejected(data: bytes) -> None:
    report = verdict(data)
    assert report.refused
    assert report.data is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (write_workbook([("plazas", ["slug"], [["a"]])]), "an Excel workbook (.xlsx)"),
        (b"%PDF-1.7\n1 0 obj\n", "a PDF document"),
    ],
)
def test_a_known_file_of_another_kind_is_named_in_the_error(data: bytes, kind: str) -> None:
    assert verdict(data).refused == f"This file is {kind}. Season files end in .temporada.zip."


def test_a_zip_bomb_is_rejected_before_it_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = zipped((MEMBER, bytes(300_000_000)))
    monkeypatch.setattr(bundle, "_parted", lambda _inside: pytest.fail("unpacked"))
    assert len(bomb) < 1_000_000
    assert "The unpacked file is far larger than a season file can be." in verdict(bomb).refused


def test_a_zip_bomb_with_a_false_size_is_rejected() -> None:
    bomb = bytearray(zipped((MEMBER, b"a" * 50_000_000)))
    size = (50_000_000).to_bytes(4, "little")
    while (at := bomb.find(size)) >= 0:
        bomb[at : at + 4] = (1000).to_bytes(4, "little")
    assert verdict(bytes(bomb)).refused


def test_length_and_number_of_lines_are_limited(
    first: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = unpacked(first)
    assert "longer" in verdict(packed([b"{" * (LINE_BYTES + 1), *lines])).refused
    monkeypatch.setattr(bundle, "LINES", 3)
    assert "longer" in verdict(first).refused


def test_more_entries_of_a_kind_than_a_season_can_have_are_rejected(first: bytes) -> None:
    def crowd(told: list[dict[str, Any]]) -> None:
        at = told.index(of(told, "careers"))
        told[at:at] = [{"kind": "careers", "careers": []}] * 51

    assert (
        "There are more entries of this type than a season can have."
        in verdict(changed(first, crowd)).refused
    )


@pytest.mark.parametrize(
    "line",
    [
        b"[" * DEEP + b"]" * DEEP,
        b'{"kind":' + b'{"a":' * DEEP + b"1" + b"}" * (DEEP + 1),
        b'{"kind":"season","n":' + b"9" * 5_000 + b"}",
        b'{"kind":"season","n":1e999}',
        b'{"kind":"season","n":NaN}',
        b'{"kind":"season","kind":"end"}',
        b'{"kind":"\\ud800"}',
        b'{"kind":"season" }',
        b'\xff\xfe{"kind":"season"}',
        b"null",
        b"[]",
        b'"season"',
    ],
    ids=range(12),
)
def test_invalid_lines_are_rejected(first: bytes, line: bytes) -> None:
    lines = unpacked(first)
    for at in (0, 1):
        report = verdict(packed([*lines[:at], line, *lines[at + 1 :]]))
        assert report.refused


def test_other_formats_and_later_versions_are_rejected(first: bytes) -> None:
    later = changed(first, lambda told: told[0].update(version=2))
    assert "version 2" in verdict(later).refused
    other = changed(first, lambda told: told[0].update(format="temporada/acta"))
    assert "not a season file" in verdict(other).refused


@pytest.mark.parametrize(
    "instant",
    [
        *("0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-05-15T18:00:00"),
        *("2026-05-15T18:00:00Z", "2026-05-15T20:00:00+02:00", "2026-05-15", "x" * 40),
    ],
)
def test_times_that_are_not_written_in_utc_are_rejected(first: bytes, instant: str) -> None:
    def change(told: list[dict[str, Any]]) -> None:
        of(told, "corrida")["posted_at"] = instant

    assert "Write times as 2026-05-15T18:00:00+00:00." in verdict(changed(first, change)).refused


@pytest.mark.slow
def test_entries_in_a_wrong_order_are_rejected(first: bytes) -> None:
    lines = unpacked(first)
    for at in range(1, len(lines) - 1):
        turned = [*lines[:at], lines[at + 1], lines[at], *lines[at + 2 :]]
        assert verdict(packed(turned)).refused
    assert verdict(packed(lines[:-1])).refused
    assert verdict(packed([*lines, lines[-1]])).refused


def test_a_change_of_one_byte_is_always_detected(first: bytes) -> None:
    for number in range(15):
        file = flip_inside(first, Chance(b"one byte", str(number)))
        report = verdict(file)
        assert report.refused or report.findings


LIES: dict[str, Change] = {
    "a trophy": lambda told: of(told, "corrida")["acta"]["lidias"][0]["result"].update(avisos=3),
    "a card drawn": lambda told: of(told, "corrida")["acta"]["lidias"][0]["draws"].reverse(),
    "a seed": lambda told: of(told, "corrida")["acta"].update(seed="00" * 32),
    "a season's seed": lambda told: of(told, "season").update(seed="00" * 32),
    "a winter's seed": lambda told: of(told, "winter").update(seed="00" * 32),
    "a rating": lambda told: of(told, "matadors")["matadors"][0]["cards"][0].update(rating=1),
    "a counter": lambda told: of(told, "escalafon")["escalafon"][0].update(ears=40),
    "a line more": lambda told: of(told, "escalafon")["escalafon"].pop(),
    "an award": lambda told: of(told, "awards")["awards"][0].update(score=1000),
    "a record": lambda told: of(told, "records")["records"][0].update(value=1000),
    "a corrida's state": lambda told: of(told, "corrida").update(state="posted"),
    "who was retired": lambda told: of(told, "news")["news"].pop(0),
    "a winter's card": lambda told: of(told, "cards")["cards"][0].update(rating=99),
    "a career": lambda told: of(told, "careers")["careers"][0].update(hurt_days=7),
    "another bull": lambda told: of(told, "corrida")["bulls"][0].update(name="Islero"),
    "another plaza": lambda told: of(told, "plazas")["plazas"][0].update(category=3),
}


@pytest.mark.parametrize("name", LIES)
def test_a_false_value_is_detected_although_the_hash_chain_is_valid(
    first: bytes, name: str
) -> None:
    report = verdict(changed(first, LIES[name]))
    assert report.refused or report.findings, name
    with pytest.raises(NotTaken):
        archive.take_in(report, Home(slug="lie", name="Lie"), at=world.NOW)
    assert not Circuit.objects.exists()


def test_a_newcomer_award_by_the_rules_of_release_0_1_0_is_imported_unchanged(first: bytes) -> None:
    """The revelation award goes to the best newcomer of a season.

    Release 0.1.0 gave it to one of the matadors with the latest alternativas (the ceremony that
    makes a matador) if nobody was new.
    """
    lines = awards_by(first, version=1)

    def as_given_then(told: list[dict[str, Any]]) -> None:
        assert of(told, "awards")["awards"] != lines
        of(told, "awards")["awards"] = lines

    report = verdict(changed(first, as_given_then))
    assert report.stands, report.findings
    assert report.data
    season = archive.take_in(report, Home(slug="old", name="Old"), at=world.NOW)
    assert outcome(season, report.data) == []
    assert of(entries(file_of(season)), "awards")["awards"] == lines
    assert rebuild_book(season.circuit, write_rows=False) == []


def test_a_newcomer_award_that_follows_no_version_of_the_rules_is_detected(first: bytes) -> None:
    rows = [row for row in awards_by(first, version=1) if row["matador"]]
    best = next(row for row in rows if row["feria"] and row["key"] == REVELATION)
    other = next(row for row in rows if row["matador"] != best["matador"])

    def forged(told: list[dict[str, Any]]) -> None:
        row = next(
            row
            for row in of(told, "awards")["awards"]
            if (row["feria"], row["key"]) == (best["feria"], REVELATION)
        )
        assert row["matador"] != other["matador"]
        row.update({**other, "feria": best["feria"], "key": REVELATION})

    assert verdict(changed(first, forged)).findings


def awards_by(data: bytes, *, version: int) -> list[dict[str, Any]]:
    """Return the awards of a season, computed by one version of their rules."""
    source = verdict(data).data
    assert source
    days = {source.man_keys[slug]: row["alternativa"] for slug, row in source.men.items()}
    return [*judged(source.fought, source.year, days, names_of(source), version)]


def test_a_corrida_that_falsely_claims_to_be_from_a_real_table_is_rejected(first: bytes) -> None:
    """A corrida of a real table has no record with seed and cards. Its results cannot be replayed,

    so a season file must not pass a simulated corrida off as one of a real table.
    """

    def to_table(told: list[dict[str, Any]]) -> None:
        entry = of(told, "corrida")
        entry.pop("acta")
        entry.update(origin="table", lidias=[])

    assert verdict(changed(first, to_table)).refused


@pytest.mark.slow
@settings(
    max_examples=DAMAGED,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(number=st.integers(0, 10**6))
def test_verifying_a_damaged_file_never_raises_an_unexpected_error(
    elsewhere: Elsewhere, number: int
) -> None:
    name, data = damaged(elsewhere.whole[2026], Chance(b"damage", str(number)))
    began = time.process_time()
    report = verdict(data)
    assert time.process_time() - began < SLOWEST, name
    if report.stands and report.head == elsewhere.heads[2026]:
        kept = [line for line in unpacked(data) if b'"kind":"promises"' not in line]
        whole = unpacked(elsewhere.public[2026])
        assert kept == whole, name
    elif report.stands:
        # Nothing else follows from the changed value, such as a birthplace.
        with transaction.atomic():
            with suppress(NotTaken):
                archive.take_in(report, Home(slug="fuzzed", name="Fuzzed"), at=world.NOW)
            transaction.set_rollback(True)


def test_names_that_look_like_formulas_are_exported_as_text(first: bytes, client: Any) -> None:
    slug: list[str] = []

    def formula(told: list[dict[str, Any]]) -> None:
        man = of(told, "escalafon")["escalafon"][0]["slug"]
        slug.append(man)
        row = next(one for one in of(told, "matadors")["matadors"] if one["slug"] == man)
        row["apodo"] = "=HYPERLINK(1)"

    report = verdict(changed(first, formula))
    if report.stands:
        season = archive.take_in(report, Home(slug="formula", name="=1+1"), at=world.NOW)
        Circuit.objects.update(public=True)
        address = f"/circuitos/formula{reverse('escalafon_csv', args=[season.year])}"
        text = client.get(address).getvalue().decode()
        assert "'=HYPERLINK(1)" in text
        assert ",=HYPERLINK" not in text
        assert Matador.objects.filter(slug=slug[0], apodo="=HYPERLINK(1)").exists()


def test_an_unpacked_season_file_can_be_read_too(first: bytes) -> None:
    text = b"".join(line + b"\n" for line in unpacked(first))
    assert verdict(text).stands


def test_a_season_file_contains_no_primary_keys(elsewhere: Elsewhere) -> None:
    """The season is imported twice.

    Its rows have different primary keys, but both exports are equal.
    """
    for slug in ("one", "two"):
        report = verdict(elsewhere.whole[2026])
        archive.take_in(report, Home(slug=slug, name="x"), at=world.NOW)
    files = [
        unpacked(file_of(season))[1:-1]
        for season in Season.objects.select_related("circuit", "winter")
    ]
    assert files[0] == files[1]
    assert json.loads(files[0][0])["circuit"] == "origin"
    assert canonical(json.loads(files[0][0])) == files[0][0]
