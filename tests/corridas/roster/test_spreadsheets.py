"""Roster files from spreadsheet programs: yes and no, numbers, sheets of notes, other encodings."""

from __future__ import annotations

import unicodedata

import pytest
from django.utils import translation

from accounts.models import User
from corridas.models import Circuit, Plaza
from corridas.roster.files import TABLES
from tests.corridas.roster.conftest import bring, fault_places, look
from tests.corridas.roster.test_edges import ROWS, csv_of, fault_texts, read, record, workbook

YES = ["yes", "Yes", "sí", "SÍ", unicodedata.normalize("NFD", "sí"), "si", "Si", "TRUE", "true"]
YES += ["VERDADERO", "Verdadero", "1", "1 ", "x", "X"]
NO = ["no", "NO", "FALSE", "false", "FALSO", "falso", "0", ""]
YES_NO = [("plazas", "archived"), ("herds", "archived"), ("matadors", "fictional")]


@pytest.mark.parametrize(("table", "column"), YES_NO)
def test_yes_and_no_are_read_in_both_languages(table: str, column: str) -> None:
    for word in YES:
        assert record(table, **{column: word})[column] == "yes", word
    for word in NO:
        assert record(table, **{column: word})[column] == "", word
    for value, text in ((True, "yes"), (False, ""), (1, "yes"), (0.0, "")):
        row = [*(ROWS[table] | {column: ""}).values()]
        book = [list(ROWS[table]), [*row]]
        book[1][list(ROWS[table]).index(column)] = value  # type: ignore[call-overload]
        found, faults = read(workbook({table: book}), "a.xlsx")
        assert not faults.count
        assert found.reads[0].entries[0].record[column] == text


def test_a_word_other_than_yes_and_no_is_rejected_in_the_language_of_the_reader() -> None:
    (fault,) = read(csv_of("plazas", {"archived": "quizás"}))[1].listed
    assert fault.said == "archived “quizás” is not allowed. Enter yes or no."
    with translation.override("es"):
        assert fault.said == "archived: «quizás» no se admite. Escribe sí o no."


def test_every_column_of_yes_and_no_is_covered_by_these_tests() -> None:
    columns = [
        (table.name, column.name)
        for table in TABLES.values()
        for column in table.columns
        if column.name in {"archived", "fictional"}
    ]
    assert sorted(columns) == sorted(YES_NO)


WHOLE: list[tuple[str, str, dict[str, str]]] = [
    *[("plazas", "seats", {}), ("bulls", "weight", {}), ("bulls", "number", {})],
    *[("herds", "renown", {}), ("ferias", "corridas", {}), ("matadors", "counted_from", {})],
]


@pytest.mark.parametrize(("table", "column", "more"), WHOLE)
def test_thousands_separators_are_rejected_and_zero_decimals_are_accepted(
    table: str, column: str, more: dict[str, str]
) -> None:
    number = "500" if column == "weight" else "12"
    for zeros in (".0", ".00", ",0", ",00"):
        assert record(table, **{column: number + zeros}, **more)[column] == number
    for text in ("12.000", "12,000", "1.200.000", "12 000", "12’000", "12.5", "12.", ".0", "1e3"):
        for data, name in (
            (csv_of(table, {column: text}), "a.csv"),
            (
                workbook({table: [list(ROWS[table]), [*(ROWS[table] | {column: text}).values()]]}),
                "a.xlsx",
            ),
        ):
            (fault,) = read(data, name)[1].listed
            assert (fault.column, fault.value) == (column, text)
            assert "is not a whole number" in fault.said


def test_a_key_is_the_same_however_its_number_is_written() -> None:
    (told_,) = fault_texts(csv_of("bulls", {}, {"number": "7.0"}))
    assert "is already used in row 2" in told_


PLAZAS = [list(ROWS["plazas"]), list(ROWS["plazas"].values())]


def test_a_sheet_without_column_names_is_reported_with_what_to_do() -> None:
    notes = [["What is still to do"], ["Ask for the seats of Ronda"]]
    (fault,) = read(workbook({"plazas": PLAZAS, "Notas": notes}), "a.xlsx")[1].listed
    assert (fault.sheet, fault.line) == ("Notas", None)
    assert fault.said == (
        "The sheet “Notas” does not have the name of a roster table. Delete the sheet, or "
        "give it the name of the table that it contains. Possible names: plazas, herds, "
        "matadors, cards, bulls, deck, ferias."
    )
    assert fault_texts(workbook({"plazas": PLAZAS, "Notas": [[]]}), "a.xlsx") == []
    (alone,) = fault_texts(workbook({"Notas": notes}), "a.xlsx")
    assert "The first row must contain the column names of one of these tables:" in alone


def test_title_rows_above_the_column_names_are_skipped() -> None:
    titled = [["Plazas de la peña"], [], ["2026"], *PLAZAS, ["otra", *PLAZAS[1][1:5], "9"]]
    for data, name in (
        (workbook({"plazas": titled}), "a.xlsx"),
        ("\n".join(";".join([*row, *[""] * (10 - len(row))]) for row in titled), "a.csv"),
    ):
        found, faults = read(data, name)
        assert [(fault.line, fault.column) for fault in faults.listed] == [(6, "category")]
        assert [entry.line for entry in found.reads[0].entries] == [5]
    assert "The first row must contain" in fault_texts("Peña\nRonda\n")[0]


@pytest.mark.django_db
def test_the_preview_of_a_new_row_shows_all_its_columns(legends: Circuit, director: User) -> None:
    text = csv_of("plazas", {"city": "NœÐez", "seats": "4000", "latitude": "36.5"})
    seen = look(legends, director, text)
    (step,) = seen.plan.steps
    shown = {each.column: (each.before, each.after) for each in step.details}
    assert shown == {
        **{name: ("", value) for name, value in ROWS["plazas"].items() if value},
        "city": ("", "NœÐez"),
        "seats": ("", "4000"),
        "latitude": ("", "36.5"),
    }
    assert step.differences == ()


@pytest.mark.django_db
def test_the_preview_of_a_changed_row_shows_what_changes(legends: Circuit, director: User) -> None:
    bring(legends, director, csv_of("plazas"))
    (step,) = look(legends, director, csv_of("plazas", {"city": "Otra"})).plan.steps
    assert [(each.column, each.before, each.after) for each in step.details] == [
        ("city", "Nueva", "Otra")
    ]


@pytest.mark.django_db
def test_a_mac_roman_file_is_rejected_and_a_windows_file_is_read(
    legends: Circuit, director: User
) -> None:
    text = csv_of("plazas", {"name": "Plaza de Simón", "city": "Núñez del Río"})
    mac = text.replace("\r\n", "\r").replace(",", ";").encode("mac-roman")
    (fault,) = look(legends, director, mac).faults
    assert "Save it as UTF-8" in fault.said
    assert fault_places(look(legends, director, mac)) == [(None, "", "")]
    windows = text.replace("\r\n", "\r").replace(",", ";").encode("cp1252")
    bring(legends, director, windows)
    plaza = Plaza.objects.get(circuit=legends, slug="nueva")
    assert (plaza.name, plaza.city) == ("Plaza de Simón", "Núñez del Río")
