"""What a roster file may contain, tested at both ends of every range, without database rows."""

from __future__ import annotations

import codecs
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

import openpyxl
import pytest

from core.spreadsheets import workbooks
from core.spreadsheets.bundles import is_bundle
from core.spreadsheets.csv_files import write_csv
from core.spreadsheets.errors import Fault
from core.spreadsheets.sheets import escape_formula, quoted, unescape_formula
from core.spreadsheets.workbooks import cell_text, write_workbook
from corridas.roster.files import DECK, TABLES, Faults, FileRead, Limits, read_file
from corridas.roster.files.current import CurrentRoster
from corridas.roster.files.reading import write_bundle
from corridas.simulation.new_circuit import shipped

ROOMY = Limits()

# A valid row of each table; a deck needs seventy.
ROWS: Mapping[str, dict[str, str]] = {
    "plazas": {
        "slug": "nueva",
        "name": "La Nueva",
        "city": "Nueva",
        "country": "ES",
        "continent": "EU",
        "category": "2",
        "seats": "",
        "latitude": "",
        "longitude": "",
        "archived": "",
    },
    "herds": {
        "slug": "nueva",
        "name": "La Nueva",
        "country": "ES",
        "encaste": "",
        "continent": "EU",
        "renown": "",
        "archived": "",
    },
    "matadors": {
        "slug": "uno",
        "name": "Uno",
        "apodo": "",
        "birthplace": "",
        "born": "",
        "died": "",
        "deathplace": "",
        "alternativa": "",
        "alternativa_place": "",
        "country": "ES",
        "style": "classic",
        "state": "retired",
        "retired_in": "",
        "counted_from": "",
        "promise": "",
        "fictional": "",
        "padrino": "",
        "testigo": "",
    },
    "cards": {
        "matador": "uno",
        "rating": "91",
        "oreja": "42-81",
        "dos_orejas": "82-96",
        "rabo": "97-100",
        "bronca": "-",
        "pitos": "1-8",
        "silencio": "9-19",
        "division": "20-23",
        "aplausos": "24-36",
        "ovacion": "37-41",
        "vuelta": "32-46",
        "aviso": "97-100",
        "indulto": "-",
    },
    "bulls": {
        "herd": "nueva",
        "year": "2026",
        "number": "7",
        "name": "Rey",
        "coat": "negro",
        "weight": "500",
        "state": "campo",
        "sire_year": "",
        "sire_number": "",
    },
    "ferias": {
        "feria": "Corta",
        "plaza": "nueva",
        "starts": "03-01",
        "corridas": "2",
        "days": "daily",
    },
}


def read(
    data: str | bytes, name: str = "a.csv", limits: Limits = ROOMY, *, office: bool = True
) -> tuple[FileRead, Faults]:
    faults = Faults(limits.faults)
    raw = data.encode() if isinstance(data, str) else data
    return read_file(raw, name, faults, limits, office=office), faults


def csv_of(table: str, *changes: dict[str, str]) -> str:
    """Return a CSV file of a table, with one row for each change of the valid row."""
    rows = [ROWS[table] | change for change in changes or ({},)]
    return write_csv(list(ROWS[table]), [list(row.values()) for row in rows])


def record(table: str, **change: str) -> dict[str, str]:
    """Return the valid row with these changes as it is read; the test fails if the row is
    rejected.
    """
    found, faults = read(csv_of(table, change))
    assert [str(fault) for fault in faults.listed] == []
    (entry,) = found.reads[0].entries
    return entry.record


def fault_texts(data: str | bytes, name: str = "a.csv", limits: Limits = ROOMY) -> list[str]:
    return [str(fault) for fault in read(data, name, limits)[1].listed]


NUMBERS = [
    ("plazas", "category", 1, 3, {}),
    ("plazas", "seats", 1, 99_999, {}),
    ("herds", "renown", 0, 9_999, {}),
    ("matadors", "retired_in", 1, 9_999, {}),
    ("matadors", "counted_from", 1, 9_999, {}),
    ("matadors", "promise", 1, 100, {}),
    ("cards", "rating", 1, 100, {}),
    ("bulls", "year", 1, 9_999, {}),
    ("bulls", "number", 1, 999, {}),
    ("bulls", "weight", 300, 800, {}),
    ("bulls", "sire_year", 1, 9_999, {"sire_number": "3"}),
    ("bulls", "sire_number", 1, 999, {"sire_year": "2020"}),
    ("ferias", "corridas", 1, 366, {}),
]


@pytest.mark.parametrize(("table", "column", "low", "high", "more"), NUMBERS)
def test_a_number_is_accepted_up_to_both_ends_of_its_range(
    table: str, column: str, low: int, high: int, more: dict[str, str]
) -> None:
    for number in (low, high):
        assert record(table, **{column: str(number)}, **more)[column] == str(number)
    for number in (low - 1, high + 1, 10**9):
        found, faults = read(csv_of(table, {column: str(number), **more}))
        assert [(fault.line, fault.column) for fault in faults.listed] == [(2, column)]
        assert f"{low} to {high}" in faults.listed[0].said
        assert found.reads[0].entries == ()


def test_every_number_column_is_covered_by_the_test_of_ranges() -> None:
    listed = {(table, column) for table, column, *_rest in NUMBERS}
    numbers = {
        (table, column)
        for table in ROWS
        for column in ROWS[table]
        if any(
            "is not a whole number from" in one
            for one in fault_texts(csv_of(table, {column: "99999999999"}))
        )
    }
    assert numbers == listed


LENGTHS = [
    (table.name, column.name, column.longest)
    for table in TABLES.values()
    if table is not DECK
    for column in table.columns
    if column.longest is not None and column.longest >= 30 and column.name != "style"
]


@pytest.mark.parametrize(("table", "column", "most"), LENGTHS)
def test_a_text_may_be_as_long_as_its_limit(table: str, column: str, most: int) -> None:
    assert record(table, **{column: "n" * most})[column] == "n" * most
    (fault,) = read(csv_of(table, {column: "n" * (most + 1)}))[1].listed
    assert (fault.column, fault.said) == (column, f"{column} is longer than {most} characters")


@pytest.mark.parametrize(
    ("table", "column", "written", "stored"),
    [
        ("matadors", "name", " A\u0301lvaro \u00a0 Domecq\u200b", "Álvaro Domecq"),
        ("matadors", "apodo", "\u202eJoselito\u202c", "Joselito"),
        ("plazas", "city", "Má\u00adlaga", "Málaga"),
        ("herds", "name", "Miu\u2060ra", "Miura"),
        ("bulls", "name", "Islero\ufeff", "Islero"),
        ("ferias", "feria", "San\u3000Isidro", "San Isidro"),
    ],
)
def test_white_space_and_invisible_characters_are_removed_from_a_cell(
    table: str, column: str, written: str, stored: str
) -> None:
    assert record(table, **{column: written})[column] == stored


def test_combining_characters_are_composed_before_they_are_counted() -> None:
    assert record("matadors", name="a\u0301" * 60)["name"] == "á" * 60


def test_a_name_of_invisible_characters_counts_as_empty() -> None:
    assert fault_texts(csv_of("matadors", {"name": "\u200b\u202e"})) == fault_texts(
        csv_of("matadors", {"name": ""})
    )


@pytest.mark.parametrize("table", ROWS)
def test_an_empty_required_cell_is_reported(table: str) -> None:
    for column in TABLES[table].columns:
        faults = read(csv_of(table, {column.name: ""}))[1].listed
        assert bool(faults) is not column.blank, column.name
        assert {fault.column for fault in faults} <= {column.name}


@pytest.mark.parametrize("table", ROWS)
def test_only_required_columns_may_not_be_missing(table: str) -> None:
    for column in TABLES[table].columns:
        names = [name for name in ROWS[table] if name != column.name]
        text = write_csv(names, [[ROWS[table][name] for name in names]])
        told = fault_texts(text, f"{table}.csv")
        assert bool(told) is column.needed, column.name
        assert all(f"“{column.name}” is missing" in one for one in told)


WORDS = [
    *[("plazas", "country", word, True) for word in ("ES", "FR", "PT", "MX", "PE", "VE")],
    *[("plazas", "country", word, False) for word in ("es", "US", "E", "ESP")],
    *[("herds", "continent", word, True) for word in ("EU", "AM")],
    *[("herds", "continent", word, False) for word in ("eu", "AS")],
    *[("matadors", "style", word, True) for word in ("classic", "showman")],
    *[("matadors", "style", word, False) for word in ("Classic", "none")],
    *[("bulls", "state", word, True) for word in ("campo", "semental")],
    *[("bulls", "state", word, False) for word in ("muerto", "indultado", "Campo")],
    *[("ferias", "starts", day, True) for day in ("01-01", "12-30", "02-28")],
    *[("ferias", "starts", day, False) for day in ("02-29", "13-01", "00-01", "1-1")],
    *[("matadors", "born", day, True) for day in ("1754", "1754-11", "1754-11-19", "2000-02-29")],
    *[("matadors", "born", day, False) for day in ("754", "1754-13", "1754-02-30", "19.11.1754")],
    *[("plazas", "slug", text, True) for text in ("a", "a-b-1", "1")],
    *[("plazas", "slug", text, False) for text in ("A", "a--b", "-a", "a-", "a_b", "ñ")],
    *[("plazas", "archived", word, True) for word in ("yes", "NO", "True", "false")],
    *[("plazas", "archived", word, False) for word in ("y", "2", "s", "oui", "sïf")],
    *[("cards", "oreja", text, False) for text in ("43-81", "42-82", "42-101", "0-81")],
    *[("matadors", "name", name, True) for name in ("<b>", "R&D", 'El "Rey"', "O'Neil")],
    *[("matadors", "name", name, False) for name in ("a\x07b", "a\x7fb", "a\x85b")],
]


@pytest.mark.parametrize(("table", "column", "text", "is_taken"), WORDS)
def test_only_valid_words_slugs_and_dates_are_accepted(
    table: str, column: str, text: str, is_taken: bool
) -> None:
    assert (not fault_texts(csv_of(table, {column: text}))) is is_taken


@pytest.mark.parametrize(
    ("table", "column", "written", "kept"),
    [
        ("plazas", "archived", "YES", "yes"),
        ("plazas", "archived", "true", "yes"),
        ("plazas", "archived", "no", ""),
        ("matadors", "fictional", "false", ""),
        ("matadors", "alternativa", "1780-05-01", "1780-05-01"),
        ("matadors", "alternativa", "1780", ""),
        ("matadors", "state", "", "active"),
        ("bulls", "state", "", "campo"),
        ("herds", "renown", "007", "7"),
        ("plazas", "name", "  La  Nueva ", "La Nueva"),
        ("plazas", "name", "N\u0303andu", "\u00d1andu"),
    ],
)
def test_a_cell_is_stored_in_the_canonical_form_of_this_site(
    table: str, column: str, written: str, kept: str
) -> None:
    assert record(table, **{column: written})[column] == kept


@pytest.mark.parametrize(
    ("table", "change", "rule"),
    [
        ("matadors", {"born": "1800", "alternativa": "1799-12-31"}, "not in order"),
        ("matadors", {"born": "1800", "died": "1799"}, "not in order"),
        ("matadors", {"alternativa": "1800-01-02", "died": "1800-01-01"}, "not in order"),
        ("matadors", {"state": "active", "retired_in": "1999"}, "retired"),
        ("matadors", {"padrino": "uno"}, "A matador can’t be his own padrino or testigo"),
        ("matadors", {"testigo": "uno"}, "A matador can’t be his own padrino or testigo"),
        ("bulls", {"sire_year": "2020"}, "both sire_year and sire_number"),
        ("bulls", {"sire_number": "3"}, "both sire_year and sire_number"),
        ("matadors", {"born": "1800", "died": "1800"}, ""),
        ("matadors", {"state": "retired", "retired_in": "1999"}, ""),
        ("matadors", {"state": "active"}, ""),
        ("matadors", {"padrino": "dos", "testigo": "dos"}, ""),
        ("bulls", {"sire_year": "2020", "sire_number": "3"}, ""),
    ],
)
def test_columns_of_a_row_must_agree(table: str, change: dict[str, str], rule: str) -> None:
    told = fault_texts(csv_of(table, change))
    assert len(told) == bool(rule)
    assert all(rule in one for one in told)


TWICE = [
    ("plazas", {"name": "Otra"}, False),
    ("plazas", {"slug": "otra"}, True),
    ("bulls", {"name": "Otro"}, False),
    ("bulls", {"herd": "otra"}, True),
    ("bulls", {"year": "2027"}, True),
    ("bulls", {"number": "8"}, True),
    ("ferias", {"starts": "05-01"}, False),
    ("ferias", {"plaza": "otra"}, True),
    ("ferias", {"feria": "Otra"}, True),
    ("cards", {"rating": "90"}, False),
    ("cards", {"matador": "dos"}, True),
]


@pytest.mark.parametrize(("table", "change", "is_another"), TWICE)
def test_two_rows_with_the_same_key_are_rejected(
    table: str, change: dict[str, str], is_another: bool
) -> None:
    found, faults = read(csv_of(table, {}, change, change if is_another else {}))
    told = [(fault.line, fault.said) for fault in faults.listed]
    if is_another:
        assert len(found.reads[0].entries) == 2
        assert [line for line, _said in told] == [4]
        assert "is already used in row 3" in told[0][1]
    else:
        assert [line for line, _said in told] == [3, 4]
        assert all("is already used in row 2" in one for _line, one in told)


def test_columns_for_administrators_are_ignored_in_a_director_s_file() -> None:
    text = csv_of("matadors", {"promise": "50"})
    for office, aside in ((True, ()), (False, ("promise",))):
        (one,) = read(text, office=office)[0].reads
        assert one.aside == aside
        assert ("promise" in one.entries[0].record) is office


@pytest.mark.parametrize(
    ("name", "columns", "table"),
    [
        ("plazas.csv", (), "plazas"),
        ("my-herds.csv", (), "herds"),
        ("x_bulls.CSV", (), "bulls"),
        ("new cards.csv", (), "cards"),
        ("folder/ferias.csv", (), "ferias"),
        ("a.csv", tuple(ROWS["plazas"]), "plazas"),
        ("a.csv", tuple(ROWS["herds"]), "herds"),
        ("a.csv", ("slug", "name"), "matadors"),
        ("a.csv", ("Slug", " NAME ", "City", "Country", "Continent", "Category"), "plazas"),
    ],
)
def test_a_table_is_recognized_by_its_file_name_or_its_columns(
    name: str, columns: Sequence[str], table: str
) -> None:
    header = columns or tuple(ROWS[table])
    found, faults = read(",".join(header) + "\n", name)
    assert [str(fault) for fault in faults.listed] == []
    assert [one.table.name for one in found.reads] == [table]


PLAZAS = csv_of("plazas", *({"slug": f"p-{number}"} for number in range(3)))


def test_a_table_may_have_as_many_rows_as_its_limit() -> None:
    assert fault_texts(PLAZAS, limits=replace(ROOMY, rows=3)) == []
    assert fault_texts(PLAZAS, limits=replace(ROOMY, rows=2)) == [
        "a.csv, 4: The table has more than 2 rows."
    ]
    book = workbook({"plazas": [line.split(",") for line in PLAZAS.splitlines()]})
    assert fault_texts(book, "a.xlsx", replace(ROOMY, rows=3)) == []
    assert "more than 2 rows" in fault_texts(book, "a.xlsx", replace(ROOMY, rows=2))[0]


def test_a_row_may_have_as_many_cells_as_its_limit() -> None:
    cells = len(ROWS["plazas"])
    assert fault_texts(PLAZAS, limits=replace(ROOMY, columns=cells)) == []
    told = fault_texts(PLAZAS, limits=replace(ROOMY, columns=cells - 1))
    assert told == [f"a.csv, 1: The row has more than {cells - 1} cells."]
    book = workbook({"plazas": [list(ROWS["plazas"])]})
    assert fault_texts(book, "a.xlsx", replace(ROOMY, columns=cells)) == []
    assert "cells" in fault_texts(book, "a.xlsx", replace(ROOMY, columns=cells - 1))[0]


def test_a_file_may_be_as_large_as_its_limit() -> None:
    size = len(PLAZAS.encode())
    assert fault_texts(PLAZAS, limits=replace(ROOMY, file_bytes=size)) == []
    assert "larger than 0 MB" in fault_texts(PLAZAS, limits=replace(ROOMY, file_bytes=size - 1))[0]


def test_unpacked_size_and_number_of_members_of_a_file_are_limited() -> None:
    book = workbook({"plazas": [list(ROWS["plazas"])]})
    with zipfile.ZipFile(io.BytesIO(book)) as packed:
        members = packed.infolist()
    size = sum(member.file_size for member in members)
    for limits, is_taken in (
        (replace(ROOMY, unpacked_bytes=size, members=len(members)), True),
        (replace(ROOMY, unpacked_bytes=size - 1), False),
        (replace(ROOMY, members=len(members) - 1), False),
    ):
        told = fault_texts(book, "a.xlsx", limits)
        assert (told == []) is is_taken
        assert all("The unpacked file is larger than" in one for one in told)


def test_faults_are_listed_up_to_a_limit_and_counted_beyond() -> None:
    text = csv_of("plazas", *({"slug": f"p-{n}", "category": "9"} for n in range(3)))
    for most, untold in ((3, 0), (2, 1)):
        faults = read(text, limits=replace(ROOMY, faults=most))[1]
        assert (len(faults.listed), faults.count, faults.unlisted) == (most, 3, untold)


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]]) -> bytes:
    book = openpyxl.Workbook(write_only=True)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(list(row))
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def test_sheets_and_empty_rows_of_a_workbook_are_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workbooks, "MAX_SHEETS", 2)
    monkeypatch.setattr(workbooks, "MAX_EMPTY_ROWS", 3)
    plazas = [list(ROWS["plazas"]), list(ROWS["plazas"].values())]
    assert fault_texts(workbook({"plazas": plazas, "b": [[]]}), "a.xlsx") == []
    assert (
        "more than 2 sheets"
        in fault_texts(workbook({"plazas": plazas, "b": [], "c": []}), "a.xlsx")[0]
    )
    row = ["otra", *plazas[1][1:]]
    assert fault_texts(workbook({"plazas": [*plazas, [], [], [], row]}), "a.xlsx") == []
    told = fault_texts(workbook({"plazas": [*plazas, [], [], [], [], row]}), "a.xlsx")
    assert told == [
        "plazas, 6: This sheet has more than 3 empty rows. Delete them in the spreadsheet."
    ]


def test_errors_and_formulas_of_a_workbook_are_reported_at_their_cell() -> None:
    head = list(ROWS["plazas"])
    row = list(ROWS["plazas"].values())
    formula, error = list(row), list(row)
    formula[5], error[6] = "=1+1", "#N/A"
    told = read(workbook({"plazas": [head, formula, error]}), "a.xlsx")[1].listed
    assert [(one.line, one.column, one.said[:9]) for one in told] == [
        (2, "category", "Formulas "),
        (3, "seats", "This cell"),
    ]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""),
        (True, "yes"),
        (False, "no"),
        (3.0, "3"),
        (3.5, "3.5"),
        (-2.0, "-2"),
        (1e15, "1000000000000000.0"),
        (7, "7"),
        (" x ", "x"),
        ("'=1", "=1"),
    ],
)
def test_a_value_of_a_workbook_is_read_as_it_would_be_typed(value: object, text: str) -> None:
    assert cell_text(value) == text


SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@pytest.mark.parametrize("sign", SIGNS)
def test_no_exported_cell_is_read_as_a_formula(sign: str) -> None:
    for text in (f"{sign}1", f"{sign}cmd|' /C calc'!A0", f"'{sign}1", f"''{sign}1", f"{sign}\n1"):
        assert escape_formula(text) == f"'{text}"
        assert unescape_formula(escape_formula(text)) == text
    out = openpyxl.load_workbook(io.BytesIO(write_workbook([("t", ["a"], [[f"{sign}1+1"]])])))
    cell = out["t"]["A2"]
    assert (cell.value.lstrip("_x0D"), cell.data_type) != (f"{sign}1+1", "f")
    assert cell.value.startswith("'")
    assert cell.data_type == "s"


@pytest.mark.parametrize("text", ["", "-", "=", "a=1", "1-8", "'a", "''", " x", "ñ"])
def test_a_text_that_is_not_a_formula_is_exported_unchanged(text: str) -> None:
    assert escape_formula(text) == text
    assert unescape_formula(text) == text


CODINGS = [
    ("utf-8", b"", False),
    ("utf-8", codecs.BOM_UTF8, False),
    ("utf-16-le", codecs.BOM_UTF16_LE, False),
    ("utf-16-be", codecs.BOM_UTF16_BE, False),
    ("utf-16-le", b"", False),
    ("utf-16-be", b"", False),
    ("utf-32-le", codecs.BOM_UTF32_LE, False),
    ("utf-32-be", codecs.BOM_UTF32_BE, False),
    ("cp1252", b"", True),
]


@pytest.mark.parametrize(("encoding", "mark", "guessed"), CODINGS)
def test_the_encoding_of_a_file_is_read_from_its_mark_or_guessed(
    encoding: str, mark: bytes, guessed: bool
) -> None:
    text = csv_of("plazas", {"name": "Ñandú «Él»"})
    found, faults = read(mark + text.encode(encoding))
    assert not faults.count
    assert found.reads[0].entries[0].record["name"] == "Ñandú «Él»"
    assert found.guessed == (("a.csv",) if guessed else ())


@pytest.mark.parametrize(
    ("data", "rule"),
    [
        (b"", "is empty"),
        (b" \r\n\t", "is empty"),
        (PLAZAS.encode() + b"\0", "not a text file"),
        (PLAZAS.encode("utf-32-le"), "not a text file"),
        (codecs.BOM_UTF16_LE + PLAZAS.encode("utf-16-le")[:-1], "not valid UTF-16"),
        (codecs.BOM_UTF32_LE + PLAZAS.encode("utf-32-le")[:-1], "not valid UTF-32"),
        (codecs.BOM_UTF8 + "Ñ".encode("cp1252"), "not valid UTF-8-SIG"),
        (
            csv_of("plazas", {"name": "Łódź"}).encode("cp1250"),
            "a word comes out as “£ódŸ”. Save it as UTF-8 and try again.",
        ),
        (
            csv_of("plazas", {"name": "x"}).encode() + b"\x81",
            "The encoding of the file can’t be recognised",
        ),
        (b"\xd0\xcf\x11\xe0", "(.xls)"),
        (b"PK\x03\x04", "cannot be unpacked"),
    ],
)
def test_bytes_that_are_not_a_table_are_rejected(data: bytes, rule: str) -> None:
    (told,) = fault_texts(data)
    assert rule in told


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("told", ["", "sep={}\n", "SEP={}\r\n"])
def test_the_delimiter_is_read_from_the_header_or_the_sep_line(delimiter: str, told: str) -> None:
    text = told.format(delimiter) + PLAZAS.replace(",", delimiter)
    found, faults = read(text)
    assert not faults.count
    assert [entry.key for entry in found.reads[0].entries] == [("p-0",), ("p-1",), ("p-2",)]


def deck_csv(**change: str) -> str:
    names = [column.name for column in DECK.columns]
    rows = [
        [str(place), *(str(getattr(card, name)) for name in names[1:])]
        for place, card in enumerate(shipped().deck.cards)
    ]
    rows[0] = [change.get(name, text) for name, text in zip(names, rows[0], strict=True)]
    return write_csv(names, rows)


def test_a_deck_must_be_complete() -> None:
    text = deck_csv()
    found, faults = read(text)
    assert not faults.count
    assert len(found.reads[0].entries) == 70
    without_last = text.rstrip().rpartition("\r\n")[0]
    assert "no card 69" in fault_texts(without_last)[0]
    without_first = text.replace(text.splitlines()[1] + "\r\n", "")
    assert "no card 0" in fault_texts(without_first)[0]
    assert len(fault_texts(deck_csv(card="70"))) == len(fault_texts(deck_csv(number="10"))) == 1


def bundle() -> bytes:
    tables: dict[str, Any] = {name: {} for name in TABLES}
    tables |= {table: {(row["slug"],): row} for table, row in ROWS.items() if "slug" in row}
    return write_bundle(
        CurrentRoster(tables=tables, bound={}),
        slug="campo",
        name="El <Campo>",
        office=True,
    )


def repacked(**changes: Any) -> bytes:
    """Return the roster archive with changes in its manifest or in its files (`more`)."""
    with zipfile.ZipFile(io.BytesIO(bundle())) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(files["manifest.json"])
    for file, data in changes.pop("more", {}).items():
        files[file] = data
        manifest["files"][file]["sha256"] = sha256(data).hexdigest()
    for file, words in changes.pop("of", {}).items():
        manifest["files"][file] |= words
    files["manifest.json"] = json.dumps(manifest | changes).encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


def test_an_exported_roster_archive_is_read_unchanged() -> None:
    data = bundle()
    assert data == bundle()
    assert is_bundle(data)
    assert not is_bundle(workbook({"plazas": []}))
    assert not is_bundle(b"PK\x03\x04")
    found, faults = read(data, "a.zip")
    assert not faults.count
    assert {one.table.name: [e.record for e in one.entries] for one in found.reads} == {
        name: [ROWS[name]] for name in ("plazas", "herds", "matadors")
    }
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        manifest = json.loads(packed.read("manifest.json"))
        assert {one.date_time for one in packed.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    assert manifest["circuit"] == {"slug": "campo", "name": "El <Campo>"}
    assert {file: of["rows"] for file, of in manifest["files"].items()} == {
        f"{name}.csv": int(name in {"plazas", "herds", "matadors"}) for name in TABLES
    }


LATIN = csv_of("plazas", {"name": "Ñandú"}).encode("cp1252")


@pytest.mark.parametrize(
    ("changes", "rule"),
    [
        ({}, None),
        ({"more": {"plazas.csv": LATIN}}, None),
        ({"version": 0}, "cannot be read"),
        ({"version": 2}, "up to 1"),
        ({"version": True}, "cannot be read"),
        ({"version": "1"}, "cannot be read"),
        ({"version": None}, "cannot be read"),
        ({"format": "temporada-season"}, "This bundle does not contain a roster."),
        ({"files": {"plazas.csv": 3}}, "cannot be read"),
        ({"files": None}, "not roster tables"),
        ({"files": {"office.csv": {}}}, "not roster tables"),
        ({"of": {"plazas.csv": {"sha256": "0" * 64}}}, "changed or damaged"),
        ({"of": {"plazas.csv": {"sha256": None}}}, "changed or damaged"),
        (
            {"of": {"plazas.csv": {"rows": 2}}},
            "The number of rows must be as stated in the manifest: 2",
        ),
        (
            {"of": {"plazas.csv": {"rows": 0}}},
            "The number of rows must be as stated in the manifest: 0",
        ),
    ],
)
def test_a_roster_archive_must_match_its_manifest(
    changes: dict[str, Any], rule: str | None
) -> None:
    found, faults = read(repacked(**changes), "a.zip")
    told = [fault.said for fault in faults.listed]
    assert len(told) == (rule is not None)
    assert all(rule in one for one in told if rule)
    assert bool(found.reads) is (rule is None)
    assert found.guessed == (("plazas.csv",) if LATIN in changes.get("more", {}).values() else ())


def test_a_quoted_value_is_shortened_and_printable() -> None:
    assert quoted("x" * 80) == "x" * 80
    assert quoted("x" * 81) == "x" * 79 + "…"
    assert quoted("a\x07b\u202ec") == "a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c"


def test_a_fault_names_file_line_and_column_if_known() -> None:
    assert str(Fault("a.csv", 3, "name", "x", "%(n)s", {"n": "Wrong"})) == "a.csv, 3, name: Wrong"
    assert str(Fault("a.csv", None, "", "", "100%")) == "a.csv: 100%"
