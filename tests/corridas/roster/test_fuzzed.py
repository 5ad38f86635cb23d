"""Random data sent as a roster is either read or rejected with an explanation."""

from __future__ import annotations

import io
import zipfile
from functools import lru_cache

import openpyxl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import User
from core.spreadsheets.workbooks import write_workbook
from corridas.models import Bull, Circuit
from corridas.roster.exchange import export
from corridas.roster.exchange.export import Form
from corridas.roster.files import Faults, Limits, read_file, write_csv
from corridas.roster.files.columns import BULLS, PLAZAS
from tests.corridas.roster.conftest import bring
from tests.corridas.roster.test_faults import workbook, zipped
from tests.properties import examples

LIMITS = Limits(file_bytes=2**20, unpacked_bytes=2**22, rows=500)
ROW = ["nueva", "La Nueva", "Nueva", "ES", "EU", "3", ""]


@lru_cache(maxsize=1)
def book() -> bytes:
    return write_workbook([("plazas", PLAZAS.names(office=True)[:7], [ROW] * 3)])


@lru_cache(maxsize=1)
def archive() -> bytes:
    manifest = b'{"format": "temporada-roster", "version": 1, "files": {}}'
    return zipped({"manifest.json": manifest, "plazas.csv": b"slug,name"})


def read(data: bytes) -> None:
    faults = Faults(20)
    found = read_file(data, "any", faults, LIMITS, office=True)
    assert found.reads or faults.count
    for fault in faults.listed:
        assert fault.said


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_rejected(data: bytes) -> None:
    read(data)


@given(st.text(st.sampled_from("slugname,;\t\"'\n\r=é0-"), max_size=200))
def test_any_text_is_read_or_rejected(text: str) -> None:
    read(("slug,name,city,country,continent,category\n" + text).encode())


@pytest.mark.parametrize("file", [book, archive])
@settings(max_examples=examples(60))
@given(st.data())
def test_a_damaged_file_is_read_or_rejected(file: object, data: st.DataObject) -> None:
    whole = bytearray(file())  # type: ignore[operator]
    for _hit in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    read(bytes(whole[: data.draw(st.integers(4, len(whole)))]))


@pytest.mark.slow
def test_a_row_with_the_highest_number_needs_no_extra_time() -> None:
    good = zipfile.ZipFile(io.BytesIO(workbook([["slug", "name"], ["a", "b"]])))
    files = {name: good.read(name) for name in good.namelist()}
    sheet = files["xl/worksheets/sheet1.xml"]
    assert b'<row r="2"' in sheet
    files["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="2"', b'<row r="999999999"')
    faults = Faults(5)
    read_file(zipped(files), "far.xlsx", faults, LIMITS, office=True)
    assert "empty rows. Delete them in the spreadsheet." in faults.listed[0].said


def test_a_workbook_with_too_many_sheets_is_rejected() -> None:
    many = openpyxl.Workbook()
    for number in range(21):
        many.create_sheet(f"s{number}")
    out = io.BytesIO()
    many.save(out)
    faults = Faults(5)
    read_file(out.getvalue(), "many.xlsx", faults, LIMITS, office=True)
    assert "more than 20 sheets" in faults.listed[0].said


NAMES = st.text("abñÁ =+-@'\",;#1", min_size=1, max_size=12).map(str.strip).filter(bool)
SLUGS = st.lists(st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,4})?", fullmatch=True), unique=True)
FATES = st.sampled_from(["campo", "semental"])


@st.composite
def rosters(draw: st.DrawFn) -> list[tuple[str, str]]:
    """Draw CSV files of a small roster: plazas, herds, bulls, and matadors with a padrino among
    them.
    """
    plazas = [
        [slug, draw(NAMES), draw(NAMES), "ES", "EU", str(draw(st.integers(1, 3))), "", ""]
        for slug in draw(SLUGS)[:3]
    ]
    herds = [[slug, draw(NAMES), "MX", "", "AM", str(n)] for n, slug in enumerate(draw(SLUGS)[:3])]
    slugs = draw(SLUGS)[:4]
    men = [
        [slug, draw(NAMES), draw(st.sampled_from(["", "1900", "1900-02-03"])), draw(
            st.sampled_from(["", *[other for other in slugs if other != slug]])
        )]
        for slug in slugs
    ]  # fmt: skip
    bulls = [
        [herd[0], "2024", str(n), draw(NAMES), draw(NAMES), "500", draw(FATES)]
        for herd in herds
        for n in range(1, draw(st.integers(1, 3)))
    ]
    herd_columns = ["slug", "name", "country", "encaste", "continent", "renown"]
    return [
        ("plazas.csv", write_csv(PLAZAS.names(office=True), plazas)),
        (
            "herds.csv",
            write_csv(herd_columns, herds),
        ),
        ("matadors.csv", write_csv(["slug", "name", "born", "padrino"], men)),
        ("bulls.csv", write_csv(BULLS.names(office=True)[:7], bulls)),
    ]


@pytest.fixture
def deck(legends: Circuit) -> int:
    """Return the primary key of a deck for the circuits."""
    return legends.deck_id


@pytest.mark.slow
@pytest.mark.django_db
@settings(max_examples=examples(12), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=rosters())
def test_any_imported_roster_is_exported_identically(
    files: list[tuple[str, str]], deck: int
) -> None:
    filled = [(name, text) for name, text in files if text.count("\n") > 1]
    by, _made = User.objects.get_or_create(username="ganadero", is_superuser=True)
    first, second = (
        Circuit.objects.create(slug=slug, name="C", deck_id=deck, calendar=[], owner=by)
        for slug in ("uno", "dos")
    )
    for name, text in filled:
        bring(first, by, text, name)
    out = export.export_roster(circuit=first, by=by, form=Form.BUNDLE)
    if filled:
        bring(second, by, out, "uno-roster.zip")
    _clear(first)
    second.slug = "uno"
    second.save()
    assert export.export_roster(circuit=second, by=by, form=Form.BUNDLE) == out
    _clear(second)


def _clear(circuit: Circuit) -> None:
    """Delete a circuit and first its bulls, because they protect their herds from deletion."""
    Bull.objects.filter(ganaderia__circuit=circuit).delete()
    circuit.delete()
