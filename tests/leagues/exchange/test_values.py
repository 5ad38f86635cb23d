"""Values of cells and JSON members in result files, at both ends of every range."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from leagues.exchange.formats import (
    Code,
    FileReading,
    ResultFinding,
    csv_results,
    json_results,
    parsing,
    read_csv,
    read_json,
    results,
    write_csv,
    write_json,
)
from leagues.exchange.formats.csv_results import escaped, unescaped
from leagues.exchange.formats.parsing import (
    WrittenSeat,
    decode,
    parse_number,
    parse_score,
    parse_text,
    seat_records,
)
from leagues.exchange.formats.results import (
    ImportVerdict,
    InvalidValue,
    fingerprint,
    limited,
    places_in_order,
    quoted,
)
from leagues.exchange.formats.times import format_moment, parse_moment, proves_day_first
from tests.leagues.exchange.drawn_results import THURSDAY, result

MADRID = ZoneInfo("Europe/Madrid")
MOST = 1_000_000_000


def refusal(code: Code) -> Any:
    return pytest.raises(InvalidValue, match=f"^{code.value}$")


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, None),
        ("", None),
        (0, 0),
        ("0", 0),
        ("+7", 7),
        (" -7 ", -7),
        ("7.0", 7),
        ("7,0", 7),
        ("7.00", 7),
        (7.0, 7),
        (float(MOST), MOST),
        (MOST, MOST),
        (-MOST, -MOST),
        (str(MOST), MOST),
    ],
)
def test_whole_number_in_a_file_is_parsed(value: object, number: int | None) -> None:
    assert parse_number(value, "points") == number


@pytest.mark.parametrize(
    "value",
    [
        *(MOST + 1, -MOST - 1, str(MOST + 1), float(MOST) + 1, "9" * 16),
        *(
            True,
            False,
            7.5,
            "7.5",
            "7.",
            "12.000",
            "12,000",
            "1.000.000",
            "1e3",
            "x",
            "٣",
            " ",
            [],
            {},
        ),
        *(float("inf"), float("nan")),
    ],
)
def test_value_that_is_no_whole_number_is_rejected(value: object) -> None:
    with refusal(Code.NUMBER):
        parse_number(value, "points")


def test_number_below_its_minimum_is_rejected() -> None:
    assert parse_number(1, "place", least=1) == 1
    with refusal(Code.NUMBER):
        parse_number(0, "place", least=1)


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("3+20+5", 28),
        ("12+8+", 20),
        ("3-", 3),
        ("9.5", Decimal("9.5")),
        ("9,25+0.5", Decimal("9.75")),
        (9.5, Decimal("9.5")),
        (" 3 + 20 - 5 ", 18),
        ("-3-4", -7),
        ("7", 7),
        ("7.0", 7),
        ("", None),
        (None, None),
        (7, 7),
        ("+".join(["1"] * 100), 100),
    ],
)
def test_sums_and_fractions_of_a_score_are_calculated(
    value: object, number: Decimal | None
) -> None:
    assert parse_score(value, "score") == number


@pytest.mark.parametrize(
    "value",
    [
        *("+".join(["1"] * 101), "3++4", "+", "3*4", "(3)", f"{MOST - 1}+2", "9999999999+1"),
        *("12.000", "1.000+5", "9.125", True, float("nan"), 1e300, [3]),
    ],
)
def test_value_that_is_no_score_is_rejected(value: object) -> None:
    with refusal(Code.NUMBER):
        parse_score(value, "score")


@pytest.mark.parametrize(
    ("value", "lines", "text"),
    [
        (None, False, ""),
        ("  a \t b ", False, "a b"),
        ("\n a \n\n", True, "a"),
        ("a\nb", False, "a b"),
        ("a\r\n\n b ", True, "a\n\nb"),
        ("n\u0303", False, "ñ"),
        ("x" * 10, False, "x" * 10),
        ("  " + "x" * 10, False, "x" * 10),
        ("<b>&\"'", False, "<b>&\"'"),
    ],
)
def test_text_is_normalised_and_trimmed(value: object, lines: bool, text: str) -> None:
    assert parse_text(value, "name", 10, lines=lines) == text


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("x" * 11, Code.TEXT),
        (" " * 140 + "x", Code.TEXT),
        ("a\x00", Code.TEXT),
        ("a\x7f", Code.TEXT),
        ("\ud800", Code.TEXT),
        (3, Code.SHAPE),
        ([], Code.SHAPE),
        (True, Code.SHAPE),
    ],
)
def test_invalid_text_is_rejected(value: object, code: Code) -> None:
    with refusal(code):
        parse_text(value, "name", 10)


def test_limited_number_of_blanks_around_a_text_is_ignored() -> None:
    assert parse_text(" " * 139 + "x", "name", 10) == "x"


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2026-03-05", datetime(2026, 3, 5, 11, tzinfo=UTC)),
        ("2026-07-05", datetime(2026, 7, 5, 10, tzinfo=UTC)),
        (" 2026-03-05 ", datetime(2026, 3, 5, 11, tzinfo=UTC)),
        ("2026-03-05 21:00", datetime(2026, 3, 5, 20, tzinfo=UTC)),
        ("2026-03-05T21:00:01", datetime(2026, 3, 5, 20, 0, 1, tzinfo=UTC)),
        ("2026-03-05T21:00:00Z", datetime(2026, 3, 5, 21, tzinfo=UTC)),
        ("2026-03-05T21:00-05:00", datetime(2026, 3, 6, 2, tzinfo=UTC)),
        ("1900-01-01T00:00Z", datetime(1900, 1, 1, tzinfo=UTC)),
        ("2199-12-31T00:00Z", datetime(2199, 12, 31, tzinfo=UTC)),
    ],
)
def test_date_and_time_are_converted_to_utc(value: str, moment: datetime) -> None:
    found = parse_moment(value, MADRID).at
    assert (found, found.tzinfo) == (moment, UTC)


@pytest.mark.parametrize(
    "value",
    [
        *("", "1899-12-31", "2200-01-01", "2026-02-29", "2026-13-01", "2026-03-05T24:00"),
        *("2026-03-05T12", "2026-03-05T12:00:61", "05.03.2026", "20260305", "today"),
        *(20260305, None, True, ["2026-03-05"]),
    ],
)
def test_invalid_date_or_time_is_rejected(value: object) -> None:
    with refusal(Code.DATE):
        parse_moment(value, MADRID)


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("20/11/2026 20:00", "2026-11-20T19:00Z"),
        ("5.3.2026", "2026-03-05T11:00Z"),
        ("05-03-2026 9:05:01", "2026-03-05T08:05:01Z"),
        ("2026-03-05 21:00", "2026-03-05T20:00Z"),
    ],
)
def test_dates_with_the_day_first_are_read_if_another_date_proves_it(
    value: str, moment: str
) -> None:
    assert parse_moment(value, MADRID, day_first=True).at == datetime.fromisoformat(moment)


@pytest.mark.parametrize(
    "value", ["20/11-2026", "31/04/2026", "11/20/2026", "5/3/26", "5/3/2026 8 pm", "5/3/2026T20:00"]
)
def test_ambiguous_date_is_rejected(value: str) -> None:
    for day_first in (False, True):
        with refusal(Code.DATE):
            parse_moment(value, MADRID, day_first=day_first)
    with refusal(Code.DATE):
        parse_moment("5/3/2026", MADRID)


@pytest.mark.parametrize(
    ("values", "proved"),
    [
        ([], False),
        (["2026-11-20"], False),
        (["5/3/2026", "12/12/2026"], False),
        (["5/3/2026", "13/12/2026 20:00"], True),
        (["5/3/2026", "13/12/2026", "nonsense"], True),
        (["13/12/2026", "12/13/2026"], False),
        (["11/20/2026"], False),
    ],
)
def test_day_above_twelve_proves_the_order_of_day_and_month(
    values: list[str], proved: bool
) -> None:
    assert proves_day_first(values) == proved


@pytest.mark.parametrize(
    ("value", "zone", "moment"),
    [
        ("2026-10-25 02:30", "Europe/Madrid", "2026-10-25T00:30Z"),
        ("2026-03-29 02:00", "Europe/Madrid", "2026-03-29T01:00Z"),
        ("2026-03-29 02:30", "Europe/Madrid", "2026-03-29T01:00Z"),
        ("2026-03-29 02:59:59", "Europe/Madrid", "2026-03-29T01:00Z"),
        ("2026-03-29 03:00", "Europe/Madrid", "2026-03-29T01:00Z"),
        ("2026-03-29 01:59", "Europe/Madrid", "2026-03-29T00:59Z"),
        ("2026-10-04 02:15", "Australia/Lord_Howe", "2026-10-03T15:30Z"),
        ("2011-12-30 12:00", "Pacific/Apia", "2011-12-30T10:00Z"),
    ],
)
def test_local_time_skipped_or_repeated_by_the_clock_uses_the_first_moment(
    value: str, zone: str, moment: str
) -> None:
    assert parse_moment(value, ZoneInfo(zone)).at == datetime.fromisoformat(moment)


def test_parsed_time_also_contains_the_time_that_earlier_versions_read() -> None:
    assert parse_moment("2026-03-05 21:00", MADRID).in_utc == datetime(2026, 3, 5, 21, tzinfo=UTC)
    assert parse_moment("2026-03-05", MADRID) == (
        *(datetime(2026, 3, 5, 11, tzinfo=UTC), True, datetime(2026, 3, 5, 12, tzinfo=UTC)),
    )
    zoned = parse_moment("2026-03-05T21:00+01:00", MADRID)
    assert zoned.at == zoned.in_utc == datetime(2026, 3, 5, 20, tzinfo=UTC)


def test_time_is_written_in_utc() -> None:
    there = timezone(timedelta(hours=-5))
    assert format_moment(datetime(2026, 3, 5, 21, tzinfo=there)) == "2026-03-06T02:00:00Z"
    assert format_moment(datetime(2026, 3, 5, 0, 0, 0, 7, UTC)) == "2026-03-05T00:00:00.000007Z"


@pytest.mark.parametrize("data", ["ñ", "\ufeffñ", "ñ".encode(), b"\xef\xbb\xbf\xc3\xb1"])
def test_byte_order_mark_is_removed(data: str | bytes) -> None:
    assert decode(data) == "ñ"


def test_file_beyond_the_size_limit_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "MAX_BYTES", 3)
    assert decode(b"abc") == decode("abc") == "abc"
    for data in (b"abcd", "abcd"):
        with refusal(Code.SIZE):
            decode(data)


SIGNS = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


@pytest.mark.parametrize("sign", SIGNS)
def test_text_that_resembles_a_formula_is_escaped(sign: str) -> None:
    for text in (sign, f"{sign}1+1", f"'{sign}", f"''{sign}x"):
        assert escaped(text) == f"'{text}"
        assert unescaped(escaped(text)) == text


@pytest.mark.parametrize("text", ["", "a=1", "'", "'a", " ", "ñ", "1-1"])
def test_text_that_is_no_formula_is_not_escaped(text: str) -> None:
    assert escaped(text) == text
    assert unescaped(text) == text


@pytest.mark.parametrize(
    ("ask", "params"),
    [
        (lambda: parse_number("x", "points"), {"field": "points", "value": "x"}),
        (lambda: parse_number(MOST + 1, "points"), {"field": "points", "value": MOST + 1}),
        (lambda: parse_number(1e300, "points"), {"field": "points", "value": "1e+300"}),
        (lambda: parse_score("3++4", "score"), {"field": "score", "value": "3++4"}),
        (lambda: parse_text(7, "name", 10), {"field": "name"}),
        (lambda: parse_text("x" * 11, "name", 10), {"field": "name"}),
        (lambda: parse_text("x" * 1_000, "name", 10), {"field": "name"}),
        (lambda: parse_text("\ud800", "name", 10), {"field": "name"}),
        (lambda: parse_moment("today", UTC), {"value": "today"}),
        (lambda: parse_moment("2026-02-30", UTC), {"value": "2026-02-30"}),
        (lambda: decode(b"x" * (parsing.MAX_BYTES + 1)), {"most": parsing.MAX_BYTES}),
        (lambda: seat_records([]), {"seats": 0}),
        (lambda: seat_records([seat("ana"), seat("ANA")]), {"player": "ANA"}),
        (lambda: seat_records([seat("a", side=0), seat("b", side=0)]), {"side": 1}),
    ],
)
def test_error_contains_field_and_value(
    ask: Callable[[], object], params: dict[str, object]
) -> None:
    with pytest.raises(InvalidValue) as caught:
        ask()
    assert caught.value.params == params


def seat(player: str, **more: Any) -> WrittenSeat:
    return WrittenSeat(player=player, **{"points": 0, **more})


@pytest.mark.parametrize(
    ("seats", "code"),
    [
        ([seat("ana")], Code.SEATS),
        ([seat(f"p{n}") for n in range(7)], Code.SEATS),
        ([seat("ana"), seat("ANA")], Code.NAMES),
        ([seat("ana", identity="x"), seat("eva", identity="x")], Code.NAMES),
        ([seat("ana", side="a"), seat("eva", side="a")], Code.SIDES),
        ([seat("ana", points=None), seat("eva")], Code.PLACES),
        ([seat("ana", rank=1), seat("eva")], Code.PLACES),
        ([seat("a", side=0, rank=1), seat("b", rank=2), seat("c", side=0, rank=2)], Code.SIDES),
        ([seat("a", side=0, points=1), seat("b"), seat("c", side=0, points=2)], Code.SIDES),
    ],
)
def test_seats_that_contradict_each_other_are_rejected(
    seats: list[WrittenSeat], code: Code
) -> None:
    with refusal(code):
        seat_records(seats)


@pytest.mark.parametrize(
    ("seats", "sides", "places"),
    [
        ([seat("ana", points=3), seat("eva", points=5)], [0, 1], [2, 1]),
        ([seat("ana", points=3, rank=1), seat("eva", points=5, rank=2)], [0, 1], [1, 2]),
        ([seat("ana", rank=7), seat("eva", rank=7), seat("zoe", rank=9)], [0, 1, 2], [1, 1, 3]),
        ([seat(f"p{n}", rank=n) for n in range(6)], [*range(6)], [1, 2, 3, 4, 5, 6]),
        ([seat(""), seat("")], [0, 1], [1, 1]),
        ([seat("ana", identity="x"), seat("ana", identity="y")], [0, 1], [1, 1]),
        ([seat("ana", identity="x"), seat("ana")], [0, 1], [1, 1]),
        (
            [seat("a", side=9), seat("b", side=4, points=1), seat("c", side=9)],
            [0, 1, 0],
            [2, 1, 2],
        ),
        ([seat("a", side=0), seat("b"), seat("c")], [0, 1, 2], [1, 1, 1]),
    ],
)
def test_sides_and_places_are_numbered_from_the_seats(
    seats: list[WrittenSeat], sides: list[int], places: list[int]
) -> None:
    records = seat_records(seats)
    assert [one.side for one in records] == sides
    assert [one.place for one in records] == places
    assert [(one.player, one.identity, one.points) for one in records] == [
        (one.player, one.identity, one.points) for one in seats
    ]


def test_places_after_a_tie_are_skipped() -> None:
    assert places_in_order([5, 1, 5, 1, 9]) == [3, 1, 3, 1, 5]


def test_fingerprint_of_a_result_changes_with_every_value() -> None:
    one = result(ana=3, kiko=1)
    others = [
        fingerprint(one.played_at, one.game, one.seats),
        fingerprint(one.played_at + timedelta(microseconds=1), one.game, one.seats),
        fingerprint(one.played_at, "eltoro", one.seats),
        fingerprint(one.played_at, one.game, one.seats[::-1]),
        fingerprint(one.played_at, one.game, result(ana=4, kiko=1).seats),
        fingerprint(one.played_at, one.game, result(eva=3, kiko=1).seats),
    ]
    assert len(set(others)) == len(others)
    moved = one.played_at.astimezone(timezone(timedelta(hours=3)))
    assert fingerprint(moved, one.game, one.seats) == others[0]


def codes(reading: FileReading) -> list[Code]:
    return [finding.code for finding in reading.findings]


def test_results_beyond_the_limit_of_a_file_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [result(f"k{number}", ana=3, kiko=1) for number in range(3)]
    monkeypatch.setattr(json_results, "MAX_RESULTS", 3)
    monkeypatch.setattr(csv_results, "MAX_LINES", 6)
    new = [Code.NEW] * 3
    assert codes(read_json(write_json(records))) == new
    assert codes(read_csv(write_csv(records))) == new
    monkeypatch.setattr(json_results, "MAX_RESULTS", 2)
    monkeypatch.setattr(csv_results, "MAX_LINES", 4)
    assert codes(read_json(write_json(records))) == [Code.NEW, Code.NEW, Code.ROWS]
    assert codes(read_csv(write_csv(records))) == [Code.NEW, Code.NEW, Code.ROWS]


MATCH = "1,2026-11-20,Ana,1\n1,,Bruno,2\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n\n", 4),
        (",,,\n", 3),
        ("sep=,\n\n ,\n", 5),
    ],
)
def test_blank_lines_before_the_header_are_ignored(text: str, line: int) -> None:
    (finding,) = read_csv(f"{text}match,played_at,player,place\n{MATCH}").findings
    assert (finding.code, finding.line) == (Code.NEW, line)


@pytest.mark.parametrize("more", ["," * 300, ",," + ",".join(f"more{n}" for n in range(300))])
def test_unknown_columns_are_ignored(more: str) -> None:
    assert codes(read_csv(f"match,played_at,player,place{more}\n{MATCH}")) == [Code.NEW]


@pytest.mark.parametrize(("column", "code"), [("player", Code.REPEATED), ("x", Code.NEW)])
def test_repeated_column_is_rejected_only_if_it_is_used(column: str, code: Code) -> None:
    heading = f"match,played_at,player,place,{column},{column.upper()}"
    (finding,) = read_csv(f"{heading}\n{MATCH}").findings
    assert finding.code is code
    if code is Code.REPEATED:
        assert finding.params == {"name": column}


@pytest.mark.parametrize("end", ["", "\n", "\n" + MATCH])
def test_unclosed_quotation_mark_is_reported_on_its_line(end: str) -> None:
    heading = "match,played_at,player,place,note\n"
    opened = MATCH.replace("1,2", "2,2").replace("Ana,1", 'Ana,1,"good')
    (finding,) = read_csv(f"{heading}{MATCH}{opened}{end}").findings
    assert (finding.code, finding.line) == (Code.QUOTES, 4)
    for note in ('"good\n""old"" one"', 'a "b" c', '12"'):
        closed = MATCH.replace("Ana,1", f"Ana,1,{note}")
        assert codes(read_csv(f"{heading}{closed}")) == [Code.NEW]


@pytest.mark.parametrize("column", ["match", "played_at", "player"])
def test_missing_required_column_is_named(column: str) -> None:
    text = write_csv([result(ana=3, kiko=1)]).replace(column, "other", 1)
    (finding,) = read_csv(text).findings
    assert (finding.code, finding.params) == (Code.COLUMNS, {"missing": column})


@pytest.mark.parametrize("left", ["place", "points"])
def test_file_needs_either_places_or_points(left: str) -> None:
    rows = [line.split(",") for line in write_csv([result(ana=3, kiko=1)]).splitlines()]
    place = rows[0].index(left)
    text = "\n".join(",".join(row[:place] + row[place + 1 :]) for row in rows)
    (record,) = read_csv(text).records
    assert [one.place for one in record.seats] == [1, 2]


@pytest.mark.parametrize(
    ("column", "most"),
    [
        ("key", 80),
        ("game", 100),
        ("league", 100),
        ("location", 100),
        ("note", 300),
        ("player", 60),
        ("identity", 80),
        ("side", 80),
    ],
)
def test_texts_of_a_result_have_a_maximum_length(column: str, most: int) -> None:
    for letters, code in ((most, Code.NEW), (most + 1, Code.TEXT)):
        changed = [_line_with(column, "x" * letters, row) for row in (0, 1)]
        head = ",".join(changed[0])
        lines = [",".join(row.values()) for row in changed]
        assert codes(read_csv("\n".join([head, *lines]))) == [code]


def _line_with(column: str, text: str, row: int) -> dict[str, str]:
    """Return a CSV line of a plain result with `text` in this column.

    Columns of the match are set in both lines, columns of a seat only in the first.
    """
    name = ("ana", "kiko")[row]
    plain = {
        "match": "1",
        "played_at": "2026-03-05",
        "player": name,
        "place": str(row + 1),
        **dict.fromkeys(("key", "game", "league", "location", "note", "identity", "side"), ""),
    }
    of_match = column in {"key", "game", "league", "location", "note"}
    return plain | ({column: text} if of_match or row == 0 else {})


@pytest.mark.parametrize(
    "column", ["version", "key", "played_at", "game", "league", "location", "note"]
)
def test_lines_of_one_match_must_agree_in_all_columns_of_the_match(column: str) -> None:
    rows = [line.split(",") for line in write_csv([result(ana=3, kiko=1)]).splitlines()]
    place = rows[0].index(column)
    rows[2][place] = ""
    text = "\n".join(map(",".join, rows))
    assert codes(read_csv(text)) == [Code.NEW]
    rows[2][place] = "other"
    found = read_csv("\n".join(map(",".join, rows))).findings
    assert [(one.code, one.line) for one in found] == [(Code.WITH_LINE, 2), (Code.DISAGREES, 3)]
    assert found[1].params == {"field": column}


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("version",), True, Code.VERSION),
        (("version",), 0, Code.VERSION),
        (("version",), "1", Code.VERSION),
        (("format",), "temporada-roster", Code.FORMAT),
        (("results",), {}, Code.SHAPE),
        (("results", 0), [], Code.SHAPE),
        (("results", 0, "seats"), {}, Code.SHAPE),
        (("results", 0, "seats", 0), 7, Code.SHAPE),
        (("results", 0, "seats", 0, "place"), 0, Code.NUMBER),
        (("results", 0, "seats", 0, "side"), -1, Code.NUMBER),
        (("results", 0, "seats", 0, "points"), "x", Code.NUMBER),
        (("results", 0, "seats", 0, "player"), "x" * 61, Code.TEXT),
        (("results", 0, "seats", 0, "identity"), "x" * 81, Code.TEXT),
        (("results", 0, "key"), "x" * 81, Code.TEXT),
        (("results", 0, "game"), "x" * 101, Code.TEXT),
        (("results", 0, "league"), "x" * 101, Code.TEXT),
        (("results", 0, "location"), "x" * 101, Code.TEXT),
        (("results", 0, "note"), "x" * 301, Code.TEXT),
        (("results", 0, "note"), "two\nlines", Code.NEW),
        (("results", 0, "played_at"), None, Code.DATE),
        (("results", 0, "seats", 0, "side"), 0, Code.NEW),
        (("results", 0, "seats", 0, "points"), None, Code.NEW),
    ],
)
def test_each_member_of_a_json_result_is_checked(
    path: tuple[str | int, ...], value: object, code: Code
) -> None:
    content = json.loads(write_json([result(ana=3, kiko=1)]))
    part = content
    for step in path[:-1]:
        part = part[step]
    part[path[-1]] = value
    (finding,) = read_json(json.dumps(content)).findings
    assert finding.code is code


@pytest.mark.parametrize("code", Code)
def test_every_code_of_a_finding_has_a_verdict(code: Code) -> None:
    skipped = {"other_game", "ignored", "cooperative", "seats", "with_line"}
    known = {"known", "void", "twice"}
    expected = "skip" if code in skipped else "known" if code in known else "unreadable"
    assert ResultFinding(code).verdict == ("add" if code is Code.NEW else expected)


def test_quoted_values_are_shortened_and_printable() -> None:
    assert quoted("x" * 80) == "x" * 80
    assert quoted("x" * 81) == "x" * 79 + "…"
    assert quoted("a\x07b") == "a\N{REPLACEMENT CHARACTER}b"
    several: tuple[object, ...] = (7, 10**15 - 1, 10**15, True, None, [1], {}, 12.5)
    assert [quoted(value) for value in several] == [
        *(7, 10**15 - 1, "1000000000000000", "true", "–", "[…]", "{…}", "12.5"),
    ]


def test_results_without_a_game_belong_to_the_wanted_game() -> None:
    record = result(ana=3, kiko=1)
    for text, reader in ((write_json([record]), read_json), (write_csv([record]), read_csv)):
        bare = text.replace("dominoes", "")
        assert [one.game for one in reader(bare, game="eltoro").records] == ["eltoro"]
        assert [one.game for one in reader(bare).records] == [""]
        assert [one.game for one in reader(text, game="dominoes").records] == ["dominoes"]
        assert [one.played_at for one in reader(text, zone=MADRID).records] == [THURSDAY]


def test_number_of_listed_findings_without_match_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(results, "MAX_LISTED", 2)
    codes = [Code.DATE, Code.NEW, Code.OTHER_GAME, Code.DATE, Code.NEW, Code.OTHER_GAME, Code.TWICE]
    found = [
        ResultFinding(code, {"game": "chess"} if code is Code.OTHER_GAME else {}, line=line)
        for line, code in enumerate(codes, 1)
    ]
    whole = FileReading(tuple(found))
    reading = limited(whole)
    assert [finding.line for finding in reading.findings] == [1, 2, 3, 5]
    assert reading.unlisted == {"unreadable": 1, "skip": 1, "known": 1}
    for verdict in ImportVerdict:
        assert reading.count(verdict) == whole.count(verdict)
    assert reading.other_games == whole.other_games == {"chess": 2}
    assert limited(FileReading(tuple(found[:4]))).findings == tuple(found[:3])
