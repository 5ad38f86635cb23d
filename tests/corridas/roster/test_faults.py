"""Every fault of a roster file is reported at its place, and nothing of the file is stored."""

from __future__ import annotations

import codecs
import io
import json
import zipfile
from collections.abc import Callable

import openpyxl
import pytest
from pytest_django import Settings

from accounts.models import User
from corridas.models import Bull, Change, Circuit, Matador, Plaza
from corridas.roster.exchange import export, preview
from corridas.roster.exchange.export import Form
from corridas.roster.files import current_roster
from corridas.simulation.new_circuit import shipped
from tests.corridas.roster.conftest import bring, fault_places, look

pytestmark = pytest.mark.django_db

PLAZAS = "slug,name,city,country,continent,category,seats\n"
RONDA = "nueva,La Nueva,Nueva,ES,EU,3,\n"
BULLS = "herd,year,number,name,coat,weight\n"
CARDS = (
    "matador,rating,oreja,dos_orejas,rabo,bronca,pitos,silencio,division,aplausos,ovacion,"
    "vuelta,aviso,indulto\n"
)
DECK = "card,number,first,second,third,bull,kill\n"
FACE = "42-81,82-96,97-100,-,1-8,9-19,20-23,24-36,37-41,32-46,97-100,-\n"

WRONG: list[tuple[str, str, list[tuple[int | None, str, str]], str]] = [
    ("no such column", PLAZAS.replace("seats", "seets") + RONDA, [(1, "seets", "seets")],
     "Did you mean “seats”?"),
    ("a column is missing", "slug,name,city,country,continent\n" + RONDA,
     [(1, "category", "")], "“category” is missing"),
    ("a column twice", PLAZAS.replace("seats", "name") + RONDA, [(1, "name", "name")], "twice"),
    ("two headers", PLAZAS + RONDA + PLAZAS + RONDA.replace("nueva", "otra"), [(3, "", "")],
     "This row repeats the column names."),
    ("a key twice", PLAZAS + RONDA + RONDA, [(3, "slug", "nueva")], "is already used in row 2"),
    ("a cell under no column", PLAZAS + RONDA.strip() + ",more\n", [(2, "", "more")],
     "This row has more cells than the table has columns."),
    ("two cells of one row", PLAZAS + "Nueva!,La Nueva,Nueva,ES,EU,4,\n",
     [(2, "slug", "Nueva!"), (2, "category", "4")], "single hyphens"),
    ("a continent there is not", PLAZAS + RONDA.replace("EU", "AS"), [(2, "continent", "AS")],
     "not one of these values: EU, AM"),
    ("too long a name", PLAZAS + RONDA.replace("La Nueva", "N" * 61), [(2, "name", "N" * 61)],
     "longer than 60"),
    ("a control sign", PLAZAS + RONDA.replace("La Nueva", "La\x07Nueva"),
     [(2, "name", "La�Nueva")], "contains a character that is not allowed"),
    ("rows after an empty one", PLAZAS + RONDA + "\n,,,,,,\n" + RONDA, [(5, "slug", "nueva")],
     "row 2"),
    ("quotes that do not match", PLAZAS + '"nueva,La Nueva\n', [(2, "", "")], "quotation marks"),
    ("no table", "alpha,beta\n1,2\n", [(1, "", "")],
        "The first row must contain the column names of one of these tables:"
    ),
    ("nothing at all", "", [(None, "", "")], "is empty"),
    ("a herd there is not", BULLS + "atlantis,2026,1,Rey,negro,500\n", [(2, "herd", "atlantis")],
     "no “atlantis” in herds"),
    ("too heavy a bull", BULLS + "miura,2026,1,Rey,negro,900\n", [(2, "weight", "900")],
     "300 to 800"),
    ("half a sire", BULLS.strip() + ",sire_year\nmiura,2026,1,Rey,negro,500,2020\n",
     [(2, "sire_year", "2020")], "both sire_year and sire_number"),
    ("a card of nobody", CARDS + "nobody,91," + FACE, [(2, "matador", "nobody")],
     "no “nobody” in matadors"),
    ("a gap", CARDS + "pedro-romero,91," + FACE.replace("9-19", "10-19"), [(2, "", "")],
     "not in any range: 9"),
    ("a range made a date", CARDS + "pedro-romero,91," + FACE.replace("1-8", "08-Jan"),
     [(2, "pitos", "08-Jan")],
         ("The spreadsheet has turned this range into a date. Format the column as text "
          "and enter the range again, for example 3-8.")
     ),
    ("a range that runs down", CARDS + "pedro-romero,91," + FACE.replace("9-19", "19-9"),
     [(2, "silencio", "19-9")], "” is not a range within 1 to 100"),
    ("69 cards", DECK + "0,0,QUITE,PAR AL CUARTEO,BULL,HERIDA,PINCHAZO HONDO -6\n",
     [(2, "card", "")], "no card 1"),
    ("a feria too long for the year",
     "feria,plaza,starts,corridas,days\nLarga,las-ventas,12-28,9,daily\n",
     [(2, "corridas", "9")], "The year 2027 ends before there are 9 such days"),
    ("two ferias on one day",
     "feria,plaza,starts,corridas,days\nA,ronda,05-03,4,daily\nB,ronda,05-05,2,daily\n",
     [(3, "starts", "05-05")], "“B” (5 May – 6 May) overlaps with “A” (3 May – 6 May)"),
    ("a feria on no day", "feria,plaza,starts,corridas,days\nX,las-ventas,02-29,1,daily\n",
     [(2, "starts", "02-29")], "29 February"),
    ("died before he was born",
     "slug,name,born,alternativa,died\nuno,Uno,1900-01-01,,1800\n", [(2, "", "")], "not in order"),
    ("padrino of himself", "slug,name,apodo,padrino\nuno,Uno,U,uno\n", [(2, "padrino", "uno")],
     "A matador can’t be his own padrino or testigo"),
    ("retired in a year, and active",
     "slug,name,apodo,state,retired_in\nuno,Uno,U,active,1999\n", [(2, "retired_in", "1999")],
     "retired"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "places", "rule"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG]
)
def test_a_fault_names_row_column_value_and_rule(
    legends: Circuit,
    director: User,
    text: str,
    places: list[tuple[int | None, str, str]],
    rule: str,
) -> None:
    seen = look(legends, director, text)
    assert fault_places(seen) == places
    assert rule in seen.faults[0].said
    assert not seen.token
    assert not Change.objects.exists()


def test_all_faults_are_reported_at_once_up_to_a_limit(
    legends: Circuit, director: User, settings: Settings
) -> None:
    settings.ROSTER_LIMITS = {"faults": 3}
    rows = "".join(f"p-{n},P,P,XX,EU,3,\n" for n in range(7))
    seen = look(legends, director, PLAZAS + rows)
    assert [fault.line for fault in seen.faults] == [2, 3, 4]
    assert (seen.unlisted, seen.wrong, seen.unread) == (4, 7, 0)


def test_only_the_first_rows_of_a_file_full_of_faults_are_checked(
    legends: Circuit, director: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROSTER_LIMITS = {"faults": 3}
    monkeypatch.setattr(preview, "FIRST_ROWS", 4)
    rows = [f"p-{n},P,P,XX,EU,3,\n" for n in range(10)]
    seen = look(legends, director, PLAZAS + "".join(rows))
    assert [fault.line for fault in seen.faults] == [2, 3, 4]
    assert (seen.unlisted, seen.unread, seen.token) == (1, 6, "")
    good = RONDA + "".join(RONDA.replace("nueva", f"nueva-{n}") for n in range(3))
    seen = look(legends, director, PLAZAS + good + "".join(rows))
    assert (seen.wrong, seen.unread) == (10, 0), "its first rows are right"


def test_a_row_may_refer_to_a_row_much_further_down(
    legends: Circuit, director: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.ROSTER_LIMITS = {"faults": 2}
    monkeypatch.setattr(preview, "FIRST_ROWS", 2)
    herd = legends.herds.order_by("slug")[0].slug
    bulls = "herd,year,number,name,coat,weight,sire_year,sire_number\n"
    sons = "".join(f"{herd},2026,{n},Rey,negro,500,2001,007\n" for n in range(1, 4))
    seen = look(legends, director, bulls + sons + f"{herd},2001,7,Padre,negro,500,,\n")
    assert seen.faults == ()
    assert seen.token
    men = "slug,name,padrino\n"
    men += "".join(f"hijo-{n},Hijo {n},padre\n" for n in range(3)) + "padre,Padre,\n"
    faults = look(legends, director, men).faults
    assert not [fault for fault in faults if fault.column == "padrino"]


def test_a_table_with_more_rows_than_a_roster_can_have_is_not_read(
    legends: Circuit, director: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview, "MAX_ENTRIES", 1)
    entries = len(current_roster(legends, shipped().ferias).tables["ferias"])
    ferias = "feria,plaza,starts,corridas,days\n" + "F,nowhere,99-99,0,never\n" * (entries + 1)
    (fault,) = look(legends, director, ferias).faults
    assert (fault.line, fault.said) == (
        entries + 2,
        f"A roster can have at most {entries} ferias.",
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", codecs.BOM_UTF16_BE),
        ("cp1252", b""),
        ("latin-1", b""),
    ],
)
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_common_encodings_and_delimiters_are_read(
    legends: Circuit, director: User, encoding: str, mark: bytes, delimiter: str
) -> None:
    text = (PLAZAS + "nueva,Ñandú,Cáceres,ES,EU,3,\n").replace(",", delimiter)
    seen = look(legends, director, mark + text.encode(encoding))
    assert not seen.wrong, [str(fault) for fault in seen.faults]
    assert seen.plan.steps[0].record["name"] == "Ñandú"
    assert bool(seen.plan.guessed) == (encoding in {"cp1252", "latin-1"})


def test_a_file_in_mac_roman_encoding_is_rejected(legends: Circuit, director: User) -> None:
    text = PLAZAS + "nueva,Ñandú,Cáceres,ES,EU,3,\n"
    seen = look(legends, director, text.encode("mac-roman"))
    assert "Save it as UTF-8" in seen.faults[0].said


def test_the_sep_line_of_a_spreadsheet_sets_the_delimiter(legends: Circuit, director: User) -> None:
    text = "sep=;\r\n" + (PLAZAS + RONDA + RONDA).replace(",", ";")
    assert fault_places(look(legends, director, text)) == [(3, "slug", "nueva")]


def workbook(rows: list[list[object]], title: str = "plazas") -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    book.active.title = title
    for row in rows:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


HEADER: list[object] = list(PLAZAS.strip().split(","))


def test_numbers_and_dates_of_a_workbook_are_read(legends: Circuit, director: User) -> None:
    import datetime as dt

    rows: list[list[object]] = [HEADER, ["nueva", "La Nueva", "Nueva", "ES", "EU", 3.0, "6000"]]
    bring(legends, director, workbook(rows), "plazas.xlsx")
    assert Plaza.objects.get(circuit=legends, slug="nueva").seats == 6000
    men: list[list[object]] = [
        ["slug", "name", "born", "alternativa", "fictional"],
        ["uno", "Uno", 1754, dt.datetime(1780, 5, 1), True],
    ]
    bring(legends, director, workbook(men, "matadors"), "men.xlsx")
    uno = Matador.objects.get(circuit=legends, slug="uno")
    assert (uno.born, str(uno.alternativa), uno.fictional) == ("1754", "1780-05-01", True)


def test_a_formula_is_rejected_and_not_evaluated(legends: Circuit, director: User) -> None:
    rows: list[list[object]] = [HEADER, ["nueva", "La Nueva", "Nueva", "ES", "EU", "=1+2", None]]
    seen = look(legends, director, workbook(rows), "plazas.xlsx")
    assert fault_places(seen) == [(2, "category", "=1+2")]
    assert "Formulas" in seen.faults[0].said


def test_faults_of_a_workbook_have_the_row_numbers_of_the_spreadsheet(
    legends: Circuit, director: User
) -> None:
    good: list[object] = ["nueva", "La Nueva", "Nueva", "ES", "EU", 3, None]
    rows = [HEADER, good, [], [], ["otra", "Otra", "Otra", "ES", "EU", 7, None]]
    seen = look(legends, director, workbook(rows), "plazas.xlsx")
    assert fault_places(seen) == [(5, "category", "7")]
    assert seen.faults[0].sheet == "plazas"


def test_a_file_with_the_same_table_twice_is_rejected(legends: Circuit, director: User) -> None:
    book = openpyxl.load_workbook(io.BytesIO(workbook([HEADER])))
    book.create_sheet("x-plazas").append(HEADER)
    out = io.BytesIO()
    book.save(out)
    assert "twice" in look(legends, director, out.getvalue(), "a.xlsx").faults[0].said


def zipped(files: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, data in files.items():
            packed.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("name", ["bomb.xlsx", "bomb.zip"])
def test_a_file_that_would_unpack_to_too_much_is_rejected(
    legends: Circuit, director: User, settings: Settings, name: str
) -> None:
    settings.ROSTER_LIMITS = {"unpacked_bytes": 1024 * 1024}
    inner = "plazas.csv" if name.endswith("zip") else "xl/workbook.xml"
    bomb = zipped({inner: b" " * 3 * 1024 * 1024, "manifest.json": b"{}"})
    assert len(bomb) < 10_000
    assert "larger than 1 MB" in look(legends, director, bomb, name).faults[0].said


def test_a_table_with_too_many_rows_is_rejected(
    legends: Circuit, director: User, settings: Settings
) -> None:
    settings.ROSTER_LIMITS = {"rows": 3}
    rows = "".join(f"p-{n},P,P,ES,EU,3,\n" for n in range(4))
    seen = look(legends, director, PLAZAS + rows)
    assert (seen.faults[0].line, seen.faults[0].said) == (5, "The table has more than 3 rows.")


def test_an_xml_bomb_is_rejected(legends: Circuit, director: User) -> None:
    good = zipfile.ZipFile(io.BytesIO(workbook([HEADER])))
    files = {name: good.read(name) for name in good.namelist()}
    lol = b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaa">]><worksheet>&a;</worksheet>'
    files["xl/worksheets/sheet1.xml"] = lol
    assert (
        "The file is not a workbook, or it is damaged."
        in look(legends, director, zipped(files), "a.xlsx").faults[0].said
    )


@pytest.mark.parametrize(
    "data",
    [b"PK\x03\x04nonsense", b"\xd0\xcf\x11\xe0old", b"\x00\x01\x02", zipped({"a.txt": b"x"})],
)
def test_a_file_that_is_not_a_workbook_is_rejected(
    legends: Circuit, director: User, data: bytes
) -> None:
    assert look(legends, director, data, "x.xlsx").wrong == 1


Meddle = Callable[[dict[str, bytes], dict[str, object]], None]


def _newer(files: dict[str, bytes], told: dict[str, object]) -> None:
    told["version"] = 2


def _other(files: dict[str, bytes], told: dict[str, object]) -> None:
    told["format"] = "something"


def _changed(files: dict[str, bytes], told: dict[str, object]) -> None:
    files["plazas.csv"] = files["plazas.csv"].replace(b"Las Ventas", b"Las Ventos")


def _lost(files: dict[str, bytes], told: dict[str, object]) -> None:
    del files["herds.csv"]


def _stowaway(files: dict[str, bytes], told: dict[str, object]) -> None:
    files["more.csv"] = b"x"


def _stranger(files: dict[str, bytes], told: dict[str, object]) -> None:
    told["files"] = {"../../etc/passwd": {}}


def _nonsense(files: dict[str, bytes], told: dict[str, object]) -> None:
    told["files"] = ["plazas.csv"]


@pytest.mark.parametrize(
    ("meddle", "said"),
    [
        (_newer, ", from a newer version of Temporada. This site supports formats up to"),
        (_other, "This bundle does not contain a roster."),
        (
            _changed,
            (
                "The file does not match the manifest, so it was changed or damaged. Import "
                "the file alone, as CSV."
            ),
        ),
        (_lost, "lacks herds.csv"),
        (_stowaway, "does not list: more.csv"),
        (_stranger, "The manifest lists files that are not roster tables."),
        (_nonsense, "The manifest lists files that are not roster tables."),
    ],
)
def test_a_roster_archive_that_does_not_match_its_manifest_is_rejected(
    legends: Circuit, director: User, meddle: Meddle, said: str
) -> None:
    bundle = export.export_roster(circuit=legends, by=director, form=Form.BUNDLE)
    packed = zipfile.ZipFile(io.BytesIO(bundle))
    files = {name: packed.read(name) for name in packed.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    meddle(files, manifest)
    data = zipped({"manifest.json": json.dumps(manifest).encode(), **files})
    seen = look(legends, director, data, "campo-roster.zip")
    assert said in seen.faults[0].said
    assert not seen.token


def test_one_bad_row_among_five_hundred_stores_nothing(legends: Circuit, director: User) -> None:
    rows = [f"miura,{2020 + n // 399},{n % 399 + 1},Rey,negro,520\n" for n in range(500)]
    rows[250] = rows[250].replace("520", "52o")
    seen = look(legends, director, BULLS + "".join(rows), "bulls.csv")
    assert fault_places(seen) == [(252, "weight", "52o")]
    assert not Bull.objects.exists()
