"""A malformed CSV data file is rejected with its name, the line and the broken rule."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corridas.world import roster
from corridas.world.roster import RosterError
from corridas.world.roster.peopling import load_countries, load_names

Edit = Callable[[list[str]], list[str]]


@pytest.fixture
def tables(tmp_path: Path) -> Path:
    shutil.copytree(roster.DATA, tmp_path / "data")
    return tmp_path / "data"


def edit(folder: Path, file: str, change: Edit) -> None:
    path = folder / file
    lines = change(path.read_text(encoding="utf-8").splitlines())
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def refusal(folder: Path) -> RosterError:
    with pytest.raises(RosterError) as caught:
        _load_all(folder)
    return caught.value


def _load_all(folder: Path) -> None:
    roster.load(folder)
    load_names(folder)
    load_countries(folder)


def put(line: int, column: int, text: str) -> Edit:
    """Return an edit that replaces a field; lines count from 1, columns from 0."""

    def change(lines: list[str]) -> list[str]:
        fields = lines[line - 1].split(",")
        fields[column] = text
        return [*lines[: line - 1], ",".join(fields), *lines[line:]]

    return change


def repeat(line: int) -> Edit:
    return lambda lines: [*lines, lines[line - 1]]


def drop(line: int) -> Edit:
    return lambda lines: [*lines[: line - 1], *lines[line:]]


def replace_line(line: int, text: str) -> Edit:
    return lambda lines: [*lines[: line - 1], text, *lines[line:]]


LAST_TERM = len(roster.load_glossary()) + 1
FULL = "1-9,10-19,20-29,30-39,40-49,50-59"  # from bronca to ovacion
CASES: list[tuple[str, str, Edit, int, str]] = [
    ("69 cards", "deck.csv", lambda lines: lines[:-1], 70, "70 cards, this one 69"),
    ("71 cards", "deck.csv", lambda lines: [*lines, "70,5,LARGA,CITE,NATURAL,HUYE,MEDIA -5"],
     72, "70 cards, this one 71"),
    ("wrong digit count", "deck.csv", put(2, 1, "9"), 71, "is on 6 cards, not on seven"),
    ("digit above 9", "deck.csv", put(5, 1, "12"), 5,
        "number “12” is not a whole number from 0 to 9"
    ),
    ("cards out of order", "deck.csv", put(9, 0, "8"), 9, "card 7 is due here"),
    ("CLAVAR in the first tercio", "deck.csv", put(4, 2, "CLAVAR"), 4, "1s: CLAVAR has no place"),
    ("HERIDA in a tercio", "deck.csv", put(4, 4, "HERIDA"), 4, "3s: HERIDA has no place"),
    ("a sign on BULL", "deck.csv", put(4, 2, "BULL+"), 4, "BULL scores nothing"),
    ("a kill above 0", "deck.csv", put(6, 6, "MEDIA 3"), 6, "modifier of 0 or less"),
    ("a reading without words", "deck.csv", put(6, 2, "+"), 6, "has no words"),
    ("another header", "deck.csv", put(1, 1, "digit"), 1, "the columns are card,number"),
    ("a field too few", "deck.csv", replace_line(3, "1,5"), 3, "7 fields are due, here are 2"),
    ("a gap", "cards.csv", replace_line(2, f"pedro-romero,91,60-79,90-95,96-100,{FULL},-,-,-"),
     2, "no range covers 80-89"),
    ("an overlap", "cards.csv", replace_line(2, f"pedro-romero,91,59-79,80-95,96-100,{FULL},-,-,-"),
     2, "59 is in OREJA and in OVACION"),
    ("a range that runs down", "cards.csv", put(3, 12, "9-3"), 3, "aviso: “9-3”"),
    ("a range above 100", "cards.csv", put(3, 4, "90-101"), 3, "within 1 to 100"),
    ("a rating of 0", "cards.csv", put(3, 1, "0"), 3, "rating “0”"),
    ("two cards of one matador", "cards.csv", repeat(4), 52, "is already on line 4"),
    ("a card of nobody", "cards.csv", put(4, 0, "nobody"), 4, "matadors.csv has no “nobody”"),
    ("a matador without a card", "cards.csv", drop(4), 50, "no card for paquiro"),
    ("a slug twice", "matadors.csv", put(3, 0, "pedro-romero"), 3, "is already on line 2"),
    ("a slug with a blank", "matadors.csv", put(3, 0, "pepe hillo"), 3, "slug “pepe hillo”"),
    ("no such day", "matadors.csv", put(2, 4, "1754-02-30"), 2, "born “1754-02-30”"),
    ("no date at all", "matadors.csv", put(2, 5, "spring"), 2, "Enter YYYY-MM-DD"),
    ("dead before born", "matadors.csv", put(2, 5, "1700"), 2, "are not in order"),
    ("an unknown style", "matadors.csv", put(2, 10, "lazy"), 2, "style “lazy” is not one of"),
    ("a plaza twice", "plazas.csv", repeat(2), 65, "slug “las-ventas” is already on line 2"),
    ("category 4", "plazas.csv", put(2, 5, "4"), 2, "category “4”"),
    ("no such continent", "plazas.csv", put(2, 4, "AS"), 2, "continent “AS”"),
    ("seats in words", "plazas.csv", put(2, 6, "many"), 2, "seats “many”"),
    ("an unknown plaza", "ferias.csv", put(3, 1, "atlantis"), 3, "plazas.csv has no “atlantis”"),
    ("no such date", "ferias.csv", put(3, 2, "02-30"), 3, "02-30"),
    ("29 February", "ferias.csv", put(3, 2, "02-29"), 3, "29 February"),
    ("no such rule", "ferias.csv", put(3, 2, "whitsun"), 3, "is no rule for a day"),
    ("no corridas", "ferias.csv", put(3, 3, "0"), 3, "corridas “0”"),
    ("no such days", "ferias.csv", put(3, 4, "monthly"), 3, "days “monthly”"),
    ("a feria twice", "ferias.csv", repeat(5), 106, "is already on line 5"),
    ("a herd twice", "herds.csv", repeat(2), 46, "is already on line 2"),
    ("a bull's name twice", "bull_names.csv", repeat(2), 168, "is already on line 2"),
    ("a coat never seen", "coats.csv", put(2, 1, "0"), 2, "weight “0”"),
    ("a colour in words", "coats.csv", put(2, 4, "black"), 2, "#rrggbb"),
    ("too light a bull", "weights.csv", put(2, 1, "450"), 2, "from 460 to"),
    ("lighter than the minimum", "weights.csv", put(3, 2, "430"), 3, "from 435 to"),
    ("a category without weights", "weights.csv", drop(4), 3, "categories are 1, 2 and 3"),
    ("a term twice", "glossary.csv", repeat(3), LAST_TERM + 1, "is already on line 3"),
    ("a term not explained", "glossary.csv", replace_line(3, "temple,suerte,,algo"), 3,
     "en is empty"),
    ("an unclosed quote", "glossary.csv", replace_line(3, 'temple,suerte,"To,match'), 3,
     "quotes do not match"),
    ("an empty line", "herds.csv", replace_line(3, ""), 3, "5 fields are due, here are 0"),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "change", "line", "rule"),
    [case[1:] for case in CASES],
    ids=[case[0] for case in CASES],
)
def test_a_malformed_table_is_rejected_with_file_line_and_rule(
    tables: Path, file: str, change: Edit, line: int, rule: str
) -> None:
    edit(tables, file, change)
    error = refusal(tables)
    assert (error.file, error.line) == (file, line)
    assert rule in error.rule
    assert str(error) == f"{file}, line {line}: {error.rule}"


TOLD = ("phrases.csv", "phrases_bloodless.csv", "glossary_bloodless.csv")
OLD_CARDS = "cards_2.csv"
# Files of the roster. The story and the pages read the others.
TABLES = [
    path.name for path in sorted(roster.DATA.glob("*.csv")) if path.name not in {*TOLD, OLD_CARDS}
]


@pytest.mark.slow
@pytest.mark.parametrize("file", TABLES)
def test_a_missing_or_empty_data_file_is_rejected(tables: Path, file: str) -> None:
    (tables / file).write_text("", encoding="utf-8")
    assert "the columns are" in str(refusal(tables))
    (tables / file).unlink()
    assert str(refusal(tables)) == f"{file}, line 1: the file is missing"


def test_an_empty_file_of_old_cards_is_rejected_and_a_missing_one_replaced(tables: Path) -> None:
    (tables / OLD_CARDS).write_text("", encoding="utf-8")
    with pytest.raises(RosterError, match="the columns are"):
        roster.load_cards(tables, version=2)
    (tables / OLD_CARDS).unlink()
    assert roster.load_cards(tables, version=2) == roster.load_cards(tables)


def test_a_data_file_that_is_not_utf8_is_rejected(tables: Path) -> None:
    (tables / "plazas.csv").write_bytes("slug,name\ncéret".encode("latin-1"))
    assert str(refusal(tables)) == "plazas.csv, line 1: the file is not UTF-8"


def test_errors_in_deck_and_cards_cite_the_ruling(tables: Path) -> None:
    edit(tables, "deck.csv", put(2, 1, "9"))
    with pytest.raises(RosterError, match="Ruling I-1"):
        roster.load_deck(tables)
    edit(tables, "cards.csv", put(2, 2, "50-60"))
    with pytest.raises(RosterError, match="Ruling I-13"):
        roster.load_cards(tables)
