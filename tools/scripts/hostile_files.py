"""Read hostile files, which cost more to read than their size suggests, as an upload is read.

    python -m tools.scripts.hostile_files [--only WORD]

The script generates all files and prints the five most expensive in CPU seconds and in memory. The
exit status is 1 if a file was neither read nor rejected within the limits of `core.isolation`.
"""

from __future__ import annotations

import argparse
import io
import json
import pickle
import subprocess
import sys
import tempfile
import time
import zipfile
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Final, NamedTuple

from core.isolation.sandbox import CPU_SECONDS, OUT_OF_MEMORY_STATUS, ROOT
from core.spreadsheets.files import read_sheets
from core.spreadsheets.limits import Limits
from leagues.exchange.formats import PlayFilter, read_bgstats, read_csv, read_json

MEMORY_MB: Final = 200
# Limit with a tolerance, because the system measures processor time in ticks and checks it rarely.
CPU_MOST: Final = CPU_SECONDS + 0.5
TABLES: Final = ["matadors", "plazas", "ganaderias", "bulls", "ferias", "deck"]
MAIN: Final = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE: Final = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE: Final = "http://schemas.openxmlformats.org/package/2006"
OF: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml"


# Program that starts the reader and measures it. A new process would begin with the memory size of
# this large one.
MEASURED: Final = """
import json, os, subprocess, sys
with open(sys.argv[1], "rb") as call_file:
    process = subprocess.Popen(
        [sys.executable, "-m", "core.isolation"],
        stdin=call_file,
        stdout=subprocess.DEVNULL,
    )
    _pid, status, used = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
print(json.dumps([used.ru_utime + used.ru_stime, used.ru_maxrss, process.returncode]))
"""


class Hostile(NamedTuple):
    """A hostile file: what it attempts, the reader that it targets, and its bytes."""

    name: str
    reader: str
    data: bytes


class Cost(NamedTuple):
    """What reading a file cost, and the result."""

    name: str
    seconds: float
    megabytes: float
    ended: str


# Workbooks
def workbook(**parts: str | bytes) -> bytes:
    """Return a workbook of one sheet.

    `parts` replace `sheet`, `strings`, `styles`, `book`, `types`.
    """
    rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>slug</t></is></c></row>'
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": parts.get("types") or types(),
        "_rels/.rels": relations(f'Id="a" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"'),
        "xl/_rels/workbook.xml.rels": parts.get("relations")
        or relations(
            f'Id="s" Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"',
            f'Id="t" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"',
            f'Id="u" Type="{OFFICE}/styles" Target="styles.xml"',
        ),
        "xl/workbook.xml": parts.get("book") or book('<sheet name="plazas" sheetId="1" r:id="s"/>'),
        "xl/worksheets/sheet1.xml": parts.get("sheet") or sheet(rows),
        "xl/sharedStrings.xml": parts.get("strings") or strings("<si><t>slug</t></si>"),
        "xl/styles.xml": parts.get("styles") or styles(""),
    }
    return zipped({name: text for name, text in files.items() if text != b"none"})


def zipped(files: dict[str, str | bytes], packing: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", packing) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return out.getvalue()


def types(more: str = "") -> str:
    return (
        f'<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{OF}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{OF}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{OF}.sharedStrings+xml"/>'
        f'<Override PartName="/xl/styles.xml" ContentType="{OF}.styles+xml"/>{more}</Types>'
    )


def relations(*each: str) -> str:
    inside = "".join(f"<Relationship {relation}/>" for relation in each)
    return f'<Relationships xmlns="{PACKAGE}/relationships">{inside}</Relationships>'


def book(sheets: str, more: str = "") -> str:
    return f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>{sheets}</sheets>{more}</workbook>'


def sheet(rows: str, before: str = "", after: str = "") -> str:
    return f'<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'


def strings(items: str) -> str:
    return f'<sst xmlns="{MAIN}">{items}</sst>'


def styles(inside: str) -> str:
    plain = (
        '<fonts count="1"><font/></fonts><fills count="1"><fill/></fills>'
        '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs>'
    )
    before, after = (inside, "") if "<numFmts" in inside else ("", inside)
    cells = "" if "<cellXfs" in inside else '<cellXfs count="1"><xf/></cellXfs>'
    return f'<styleSheet xmlns="{MAIN}">{before}{plain}{cells}{after}</styleSheet>'


def row(number: int, text: str = "a", style: str = "") -> str:
    cell = f'<c r="A{number}" t="inlineStr"{style}><is><t>{text}</t></is></c>'
    return f'<row r="{number}">{cell}</row>'


def laughs(levels: int, name: str) -> str:
    entities = ['<!ENTITY a0 "ha">']
    entities += [f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, levels)]
    return f"<!DOCTYPE {name} [{''.join(entities)}]>"


def workbooks() -> Iterator[tuple[str, bytes]]:
    return chain(_rows(), _large_parts(), _many_parts(), _formats(), _entities(), _odd_parts())


def _rows() -> Iterator[tuple[str, bytes]]:
    for power in range(3, 13):
        yield f"rows 1 and 10^{power}", workbook(sheet=sheet(row(1) + row(10**power)))
    for gap in (2, 100, 1_000, 19_000, 1_000_000):
        rows = "".join(row(1 + number * gap) for number in range(200))
        yield f"rows {gap} apart", workbook(sheet=sheet(rows))
    for number in (10_000, 100_000, 500_000, 1_500_000):
        yield f"{number} shared strings", workbook(strings=strings("<si><t/></si>" * number))


def _large_parts() -> Iterator[tuple[str, bytes]]:
    for megabytes in (1, 5, 20, 45):
        text = "a" * megabytes * 2**20
        yield f"string of {megabytes} MB", workbook(strings=strings(f"<si><t>{text}</t></si>"))
        yield f"attribute of {megabytes} MB", workbook(sheet=sheet(f'<row r="1" x="{text}"/>'))
        yield f"comment of {megabytes} MB", workbook(sheet=sheet(f"<!--{text}-->"))
        yield f"element named by {megabytes} MB", workbook(sheet=sheet(f"<{text}/>"))
        yield f"cell of {megabytes} MB", workbook(sheet=sheet(row(1, text)))


def _many_parts() -> Iterator[tuple[str, bytes]]:
    for number in (1_000, 100_000, 1_000_000):
        cells = "".join('<mergeCell ref="A1:B2"/>' for _time in range(number))
        after = f"<mergeCells>{cells}</mergeCells>"
        yield f"{number} merged cells", workbook(sheet=sheet("", after=after))
        yield f"{number} attributes", workbook(sheet=sheet(f"<row {_attributes(number)}/>"))
        yield f"{number} fonts", workbook(styles=styles(f"<fonts>{'<font/>' * number}</fonts>"))
        formats = "".join(
            f'<numFmt numFmtId="{164 + n}" formatCode="0"/>' for n in range(number // 10)
        )
        yield f"{number // 10} formats", workbook(styles=styles(f"<numFmts>{formats}</numFmts>"))
        runs = "<is>" + "<r><t>a</t></r>" * number + "</is>"
        cell = f'<row r="1"><c r="A1" t="inlineStr">{runs}</c></row>'
        yield f"{number} runs of one cell", workbook(sheet=sheet(cell))
        many = "".join('<c t="n"><v>1</v></c>' for _time in range(number))
        yield f"{number} cells of one row", workbook(sheet=sheet(f'<row r="1">{many}</row>'))
        names = "".join(f'<definedName name="n{n}">A1</definedName>' for n in range(number // 10))
        document = book(
            '<sheet name="plazas" sheetId="1" r:id="s"/>', f"<definedNames>{names}</definedNames>"
        )
        yield f"{number // 10} names", workbook(book=document)
        override = '<Override PartName="/a" ContentType="b"/>' * (number // 10)
        yield f"{number // 10} types", workbook(types=types(override))
        yield f"depth {number}", workbook(sheet=sheet("<a>" * number + "</a>" * number))
        yield f"empty rows {number}", workbook(sheet=sheet("<row/>" * number))


def _formats() -> Iterator[tuple[str, bytes]]:
    for number in (100, 3_000, 30_000, 1_000_000):
        for sign in ("[", "\\", "&quot;", ";", "#", "[h]"):
            code = sign * (number // len(sign))
            number_formats = f'<numFmts><numFmt numFmtId="164" formatCode="{code}"/></numFmts>'
            cells = '<cellXfs count="2"><xf/><xf numFmtId="164"/></cellXfs>'
            yield (
                f"format of {number} {sign}",
                workbook(styles=styles(number_formats + cells), sheet=sheet(row(1, "1", ' s="1"'))),
            )


def _entities() -> Iterator[tuple[str, bytes]]:
    for levels in (3, 9, 12):
        for part, maker, root in (
            ("sheet", sheet(row(1, f"&a{levels - 1};")), "worksheet"),
            ("strings", strings(f"<si><t>&a{levels - 1};</t></si>"), "sst"),
        ):
            yield f"{levels} entities in {part}", workbook(**{part: laughs(levels, root) + maker})
    outside = '<!DOCTYPE worksheet [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
    yield "entity of a file", workbook(sheet=outside + sheet(row(1, "&x;")))
    yield (
        "entity of a site",
        workbook(
            sheet=outside.replace("file:///etc/passwd", "http://127.0.0.1:9/")
            + sheet(row(1, "&x;"))
        ),
    )


def _odd_parts() -> Iterator[tuple[str, bytes]]:
    for number in (2, 21, 150):
        sheets = "".join(
            f'<sheet name="s{n}" sheetId="{n}" r:id="s"/>' for n in range(1, number + 1)
        )
        yield f"{number} times the same sheet", workbook(book=book(sheets))
    for where in ("ZZZZZZ1", "XFD1048576", "A0", "-1", "A", "1A", "A1:XFD1048576", "é1", ""):
        cell = f'<row r="1"><c r="{where}" t="n"><v>1</v></c></row>'
        yield f"a cell at {where!r}", workbook(sheet=sheet(cell))
    for kind, value in (
        ("n", "1e999999"),
        ("n", "9" * 100_000),
        ("n", "nan"),
        ("d", "9999-99-99"),
        ("b", "7"),
        ("s", "99999999999"),
        ("s", "-1"),
        ("e", "#DIV/0!"),
        ("x", "1"),
    ):
        cell = f'<row r="1"><c r="A1" t="{kind}"><v>{value}</v></c></row>'
        yield f"a {kind} of {value[:12]}", workbook(sheet=sheet(cell))
    for encoding in ("utf-16", "utf-32", "latin-1", "utf-7"):
        text = f'<?xml version="1.0" encoding="{encoding}"?>' + sheet(row(1, "a"))
        yield f"a sheet in {encoding}", workbook(sheet=text.encode(encoding))
    yield "a sheet of nothing", workbook(sheet=b" ")
    yield "a sheet that is missing", workbook(sheet=b"none")
    yield "half a sheet", workbook(sheet=sheet(row(1))[:-20])
    yield "a sheet of zeros", workbook(sheet=b"\0" * 40 * 2**20)
    itself = relations(f'Id="s" Type="{OFFICE}/worksheet" Target="../xl/workbook.xml"')
    yield "a book that is its own sheet", workbook(relations=itself)
    away = relations(f'Id="s" Type="{OFFICE}/worksheet" Target="../../../etc/passwd"')
    yield "a sheet elsewhere", workbook(relations=away)


def _attributes(number: int) -> str:
    return " ".join(f'a{n}="1"' for n in range(number))


# Zip files
def zips() -> Iterator[tuple[str, bytes]]:
    for number in (201, 20_000, 168_000):
        yield f"{number} members", zipped({f"{n}.csv": b"" for n in range(number)})
    for megabytes in (10, 47, 49, 1_000):
        text = b"\0" * megabytes * 2**20
        yield f"{megabytes} MB of zeros", zipped({"plazas.csv": text})
    for packing in (zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA, zipfile.ZIP_STORED):
        yield f"packing {packing}", zipped({"plazas.csv": b"slug\n" * 2_000_000}, packing)
    for name in (
        "../../plazas.csv",
        "/etc/passwd.csv",
        "a" * 60_000 + ".csv",
        "con.csv",
        "\x01.csv",
    ):
        yield f"a member {name[:16]!r}", zipped({name: b"slug"})
    whole = zipped({"manifest.json": b"{}", "plazas.csv": b"slug"})
    yield "half a zip", whole[: len(whole) // 2]
    yield "a zip with another before it", whole + whole
    yield (
        "a zip with a lie about sizes",
        whole.replace((4).to_bytes(4, "little"), b"\xff\xff\xff\x7f"),
    )
    yield "a zip with a long comment", whole[:-2] + b"\xff\xff" + b"c" * 65_535
    yield "a password", bytes(_locked(whole))
    for depth in (10, 1_000, 100_000, 10_000_000):
        document = b"[" * depth
        yield f"a manifest {depth} deep", zipped({"manifest.json": document})
    for number in (1_000, 1_000_000):
        document = json.dumps({"format": "temporada-roster", "files": {"a" * number: {}}}).encode()
        yield f"a manifest that names {number} letters", zipped({"manifest.json": document})
        big = b'{"version": ' + b"9" * number + b"}"
        yield f"a number of {number} digits", zipped({"manifest.json": big})


def _locked(data: bytes) -> bytearray:
    locked = bytearray(data)
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = data.find(mark)
        locked[at + place] |= 1
    return locked


# Text files
def texts() -> Iterator[tuple[str, bytes]]:
    for number in (1_000, 100_000, 1_000_000, 7_900_000):
        yield f"{number} commas", b"," * number
        yield f"{number} lines", b"\n" * number
        yield f"{number} quotes", b'"' * number
        yield f"a cell of {number}", b"slug\n" + b"a" * number
        yield f"a quoted cell of {number}", b'slug\n"' + b"a\n" * (number // 2)
        yield f"{number} carriage returns", b"\r" * number
        yield f"{number} semicolons", b"slug;name\n" + b";" * number
        yield f"{number} rows", b"slug,name\n" + b"a,b\n" * (number // 4)
        yield f"{number} tabs and commas", b"\t," * (number // 2)
        yield f"{number} accents", ("slug\n" + "a" + "\u0301" * (number // 2)).encode()
    for encoding in ("utf-16", "utf-16-le", "utf-32", "cp1252", "utf-7", "cp037"):
        yield f"in {encoding}", ("slug,name\n" + "á,ñ\n" * 1000).encode(encoding)
    yield "half a letter", b"slug\n\xc3"
    yield "bytes", bytes(range(256)) * 1000
    yield "zeros", b"\0" * 1_000_000
    yield "old Excel", b"\xd0\xcf\x11\xe0" * 1000
    yield "marks", b"\xef\xbb\xbf" * 100_000
    yield "formulas", b"slug\n" + b'=HYPERLINK("x")\n' * 100_000


def results() -> Iterator[tuple[str, str, bytes]]:
    for name, data in texts():
        yield "results", name, data
    for reader in ("json", "app"):
        for number in (1_000, 100_000, 3_000_000):
            for name, data in _json(number):
                yield reader, name, data


def _json(number: int) -> Iterator[tuple[str, bytes]]:
    yield f"depth {number}", b"[" * number
    yield f"objects {number} deep", b'{"a":' * number
    yield f"{number} numbers", b"[" + b"1," * number + b"1]"
    yield f"a number of {number}", b"[" + b"9" * number + b"]"
    yield f"a fraction of {number}", b"[0." + b"9" * number + b"]"
    yield f"a text of {number}", b'["' + b"a" * number + b'"]'
    yield f"{number} escapes", b'["' + b"\\u0301" * (number // 6) + b'"]'
    yield f"{number} names", b"{" + b",".join(b'"%d":1' % n for n in range(number // 10)) + b"}"
    plays = [{"uuid": str(n), "playerScores": []} for n in range(number // 100)]
    yield (
        f"{number // 100} plays",
        json.dumps({"plays": plays, "players": [], "games": []}).encode(),
    )
    players = [{"id": n, "name": "a" * 100} for n in range(number // 100)]
    yield f"{number // 100} players", json.dumps({"plays": [], "players": players}).encode()
    same = [{"key": "a", "played_at": "2026-03-01", "seats": []}] * (number // 100)
    document = {"format": "temporada-results", "version": 1, "results": same}
    yield f"{number // 100} results", json.dumps(document).encode()


def corpus() -> Iterator[Hostile]:
    for name, data in chain(workbooks(), zips(), texts()):
        yield Hostile(f"roster: {name}", "roster", data)
    for reader, name, data in results():
        yield Hostile(f"{reader}: {name}", reader, data)


# Reading the files
def call(hostile: Hostile) -> tuple[Callable[..., object], tuple[object, ...], dict[str, object]]:
    if hostile.reader == "roster":
        return read_sheets, (hostile.data, "file.csv", Limits(), TABLES), {}
    if hostile.reader == "app":
        return read_bgstats, (hostile.data,), {"wanted": PlayFilter(slug="dominoes", names=("a",))}
    reader = read_csv if hostile.reader == "results" else read_json
    return reader, (hostile.data,), {"game": "dominoes"}


def cost(hostile: Hostile) -> Cost:
    function, args, kwargs = call(hostile)
    with tempfile.NamedTemporaryFile() as call_file:
        pickle.dump((function.__module__, function.__qualname__, args, kwargs), call_file)
        call_file.flush()
        done = subprocess.run(
            [sys.executable, "-S", "-c", MEASURED, call_file.name],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
    seconds, kilobytes, status = json.loads(done.stdout)
    return Cost(hostile.name, seconds, kilobytes / 1024, _ended(status, done.stderr))


def _ended(status: int, output: str) -> str:
    if status == 0:
        return "answered"
    if status < 0 or status == OUT_OF_MEMORY_STATUS:
        return "ended"
    return f"BROKE: {output.strip().splitlines()[-1] if output.strip() else status}"


def is_well(cost: Cost) -> bool:
    within = cost.seconds <= CPU_MOST and cost.megabytes <= MEMORY_MB
    return within and not cost.ended.startswith("BROKE")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.scripts.hostile_files", description=__doc__)
    parser.add_argument("--only", default="", help="only files with this text in their names")
    args = parser.parse_args()
    began, costs = time.monotonic(), []
    for hostile in corpus():
        if args.only in hostile.name:
            costs.append(cost(hostile))
            if not is_well(costs[-1]):
                print(f"ABOVE THE LIMIT: {costs[-1]}", flush=True)
    for by in ("seconds", "megabytes"):
        print(f"Most {by}:")
        for entry in sorted(costs, key=lambda entry: -getattr(entry, by))[:5]:
            print(
                f"  {entry.seconds:6.2f} s {entry.megabytes:6.0f} MB  {entry.ended:9} {entry.name}"
            )
    wrong = [entry for entry in costs if not is_well(entry)]
    ended = sum(entry.ended == "ended" for entry in costs)
    print(
        f"{len(costs)} files in {time.monotonic() - began:.0f} s: {len(costs) - ended} read or "
        f"rejected, {ended} ended, {len(wrong)} above {CPU_SECONDS} s or {MEMORY_MB} MB."
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
