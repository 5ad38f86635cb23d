"""The site's CSV and JSON formats: nothing is lost in a round trip, and small errors are
tolerated.
"""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.exchange.formats import (
    Code,
    FileReading,
    ImportVerdict,
    ResultFinding,
    ResultRecord,
    fingerprint,
    read_csv,
    read_json,
    write_csv,
    write_json,
)
from leagues.exchange.formats.parsing import MAX_BYTES
from tests.leagues.exchange.drawn_results import result, results
from tests.properties import examples

fewer = settings(max_examples=examples(60), deadline=None)
several = st.lists(results(), max_size=3, unique_by=lambda record: record.key)
HEADER = "match,played_at,player,side,place,points\n"


def only_finding(reading: FileReading) -> ResultFinding:
    (finding,) = reading.findings
    return finding


def codes(reading: FileReading) -> list[tuple[Code, int | None]]:
    return [(finding.code, finding.line) for finding in reading.findings]


@pytest.mark.slow
@fewer
@given(several)
def test_json_results_survive_a_round_trip(records: list[ResultRecord]) -> None:
    assert read_json(write_json(records)).records == tuple(records)
    assert read_json(write_json(records).encode()).records == tuple(records)


@pytest.mark.slow
@fewer
@given(several)
def test_csv_results_survive_a_round_trip(records: list[ResultRecord]) -> None:
    reading = read_csv(write_csv(records))
    assert reading.records == tuple(records)
    assert read_csv(b"\xef\xbb\xbf" + write_csv(records).encode()).records == tuple(records)


@pytest.mark.slow
@fewer
@given(several)
def test_no_text_cell_of_a_csv_file_is_a_formula(records: list[ResultRecord]) -> None:
    for cells in list(csv.reader(io.StringIO(write_csv(records), newline="")))[1:]:
        for cell in [*cells[2:10]]:
            assert not cell.startswith(("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠"))


def test_negative_numbers_in_csv_are_not_escaped() -> None:
    assert write_csv([result(ana=5, kiko=-5)]).splitlines()[2].endswith(",1,2,-5,,")


def test_result_repeated_in_a_file_is_added_once() -> None:
    record = result(ana=100, kiko=60)
    assert [finding.code for finding in read_json(write_json([record, record])).findings] == [
        Code.NEW,
        Code.TWICE,
    ]


def test_results_with_the_same_key_but_other_players_are_different_results() -> None:
    records = [result(ana=100, kiko=60), result(ana=100, pilar=60)]
    assert records[0].key == records[1].key
    assert read_json(write_json(records)).records == tuple(records)
    assert read_csv(write_csv(records)).records == tuple(records)


def test_csv_file_written_by_hand_is_read() -> None:
    text = (
        "Match;Played_At;Player;Points;weather\n"
        "1;2026-03-05 21:00;ana;104;rain\n"
        "1;;kiko;57\n"
        "\n"
        "2;2026-03-06;ana;30;\n"
        "2;2026-03-06;pilar;30;\n"
        "2;2026-03-06;tomas;12;\n"
    )
    reading = read_csv(text, game="dominoes", zone=ZoneInfo("Europe/Madrid"))
    assert codes(reading) == [(Code.NEW, 2), (Code.NEW, 5)]
    first, second = reading.records
    assert first.played_at == datetime(2026, 3, 5, 20, tzinfo=UTC)
    assert [(seat.player, seat.side, seat.place, seat.points) for seat in first.seats] == [
        ("ana", 0, 1, 104),
        ("kiko", 1, 2, 57),
    ]
    assert second.played_at == datetime(2026, 3, 6, 11, tzinfo=UTC)
    assert [seat.place for seat in second.seats] == [1, 1, 3]
    assert first.game == "dominoes"
    assert first.key == fingerprint(first.played_at, "dominoes", first.seats)


def test_partners_are_read_whatever_their_sides_are_called() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    text = HEADER + "".join(
        f"1,2026-03-05,{name},{side},{place},{points}\n"
        for name, side, place, points in [
            ("ana", "north", 2, 57),
            ("kiko", "east", 1, 104),
            ("pilar", "north", 2, 57),
            ("tomas", "east", 1, 104),
        ]
    )
    (record,) = read_csv(text).records
    assert [(seat.side, seat.place) for seat in record.seats] == [(0, 2), (1, 1), (0, 2), (1, 1)]


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (
            "1,2026-03-05,ana,,1,9\n1,2026-03-05,kiko,,2,x\n",
            [(Code.WITH_LINE, 2), (Code.NUMBER, 3)],
        ),
        (
            "1,2026-03-05,ana,,1,9\n1,2026-03-06,kiko,,2,3\n",
            [(Code.WITH_LINE, 2), (Code.DISAGREES, 3)],
        ),
        ("1,2026-03-05,ana,,0,9\n1,2026-03-05,kiko,,2,3\n", [(Code.NUMBER, 2)]),
        ("1,Thursday,ana,,1,9\n1,,kiko,,2,3\n", [(Code.DATE, 2)]),
        ("1,2026-02-30,ana,,1,9\n1,,kiko,,2,3\n", [(Code.DATE, 2)]),
        ("1,2026-03-05,ana,,1,9\n", [(Code.SEATS, 2)]),
        ("".join(f"1,2026-03-05,p{n},,{n},\n" for n in range(1, 8)), [(Code.SEATS, 2)]),
        ("1,2026-03-05,ana,,1,9\n1,2026-03-05,Ana,,2,3\n", [(Code.NAMES, 2)]),
        ("1,2026-03-05,ana,,1,9\n1,2026-03-05,kiko,,,3\n", [(Code.PLACES, 2)]),
        ("1,2026-03-05,ana,,,9\n1,2026-03-05,kiko,,,\n", [(Code.PLACES, 2)]),
        ("1,2026-03-05,ana,a,1,9\n1,2026-03-05,kiko,a,1,9\n", [(Code.SIDES, 2)]),
        ("1,2026-03-05,ana,a,1,9\n1,,kiko,b,2,9\n1,,pilar,a,3,9\n", [(Code.SIDES, 2)]),
        ("1,2026-03-05,a\x00b,,1,9\n1,,kiko,,2,9\n", [(Code.TEXT, 2)]),
        (f"1,2026-03-05,{'a' * 61},,1,9\n1,,kiko,,2,9\n", [(Code.TEXT, 2)]),
        ("1,2026-03-05,ana,,1,9999999999\n1,,kiko,,2,9\n", [(Code.NUMBER, 2)]),
    ],
)
def test_each_wrong_line_of_a_csv_file_is_named(lines: str, found: list[tuple[Code, int]]) -> None:
    reading = read_csv(HEADER + lines)
    assert codes(reading) == found
    assert reading.records == ()
    assert reading.findings[-1].verdict in {ImportVerdict.SKIP, ImportVerdict.UNREADABLE}


def test_error_in_one_match_does_not_affect_the_others() -> None:
    lines = "1,2026-03-05,ana,,1,9\n2,2026-03-05,ana,,1,x\n1,2026-03-05,kiko,,2,3\n2,,kiko,,2,3\n"
    reading = read_csv(HEADER + lines)
    assert codes(reading) == [(Code.NEW, 2), (Code.NUMBER, 3)]
    assert reading.findings[1].params == {"field": "points", "value": "x"}


def test_line_numbers_of_errors_count_line_breaks_within_cells() -> None:
    text = 'match,played_at,player,place,note\n1,2026-03-05,ana,1,"two\nlines"\n1,,kiko,x,\n'
    assert codes(read_csv(text)) == [(Code.WITH_LINE, 2), (Code.NUMBER, 4)]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", Code.COLUMNS),
        (b"player,points\nana,3\n", Code.COLUMNS),
        (b"match,played_at,player\n", Code.COLUMNS),
        (b"\xff\xfe\x00", Code.ENCODING),
        ("Sim—n".encode("cp1252"), Code.GARBLED),
        (b"x" * (MAX_BYTES + 1), Code.SIZE),
        ((HEADER + '1,"' + "x" * 200_000).encode(), Code.NOT_CSV),
    ],
)
def test_invalid_csv_file_is_rejected_as_a_whole(data: bytes, code: Code) -> None:
    assert only_finding(read_csv(data)).code is code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", Code.NOT_JSON),
        (b"[" * 100_000, Code.NOT_JSON),
        (b"9" * 10_000, Code.NOT_JSON),
        (b"[]", Code.FORMAT),
        (b'{"format": "another"}', Code.FORMAT),
        (b'{"format": "temporada-results", "version": 2, "results": []}', Code.VERSION),
        (b'{"format": "temporada-results", "results": []}', Code.VERSION),
        (b'{"format": "temporada-results", "version": 1}', Code.SHAPE),
        (b"\xff\xfe{", Code.ENCODING),
        (b"\xff", Code.NOT_JSON),
    ],
)
def test_invalid_json_file_is_rejected_as_a_whole(data: bytes, code: Code) -> None:
    finding = only_finding(read_json(data))
    assert finding.code is code
    assert finding.verdict is ImportVerdict.UNREADABLE


def test_results_of_another_format_version_are_rejected() -> None:
    text = write_csv([result(ana=3, kiko=1)]).replace("\r\n1,", "\r\n2,")
    assert {finding.code for finding in read_csv(text).findings} == {Code.VERSION}


def test_results_of_other_games_are_skipped() -> None:
    text = write_json([result(ana=3, kiko=1)])
    finding = only_finding(read_json(text, game="eltoro"))
    assert (finding.verdict, finding.code, finding.params) == (
        ImportVerdict.SKIP,
        Code.OTHER_GAME,
        {"game": "dominoes"},
    )
    assert (
        read_csv(write_csv([result(ana=3, kiko=1)]), game="eltoro").count(ImportVerdict.SKIP) == 1
    )


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)


@pytest.mark.slow
@fewer
@given(st.data(), results())
def test_json_results_with_any_changed_value_cause_no_crash(
    data: st.DataObject, record: ResultRecord
) -> None:
    content = json.loads(write_json([record, result(ana=1, kiko=0)]))
    target = data.draw(st.sampled_from(["result", "seat"]))
    place = content["results"][0] if target == "result" else content["results"][0]["seats"][0]
    place[data.draw(st.sampled_from(sorted(place)))] = data.draw(json_values)
    reading = read_json(json.dumps(content))
    assert len(reading.findings) == 2
    for found in reading.records:
        # A file is written with the key, and with an hour.
        written = found._replace(former_key="", day_only=False)
        assert read_json(write_json([found])).records == (written,)
        assert read_csv(write_csv([found])).records == (written,)


@given(json_values)
def test_arbitrary_json_contains_no_results(value: object) -> None:
    assert read_json(json.dumps(value)).records == ()
    assert (
        read_json(
            json.dumps({"format": "temporada-results", "version": 1, "results": [value]})
        ).records
        == ()
    )


@given(st.binary(max_size=300) | st.text(max_size=300))
def test_arbitrary_bytes_contain_no_results(data: bytes | str) -> None:
    assert read_json(data).findings
    assert read_csv(data).records == ()


@pytest.mark.slow
@fewer
@given(st.text(max_size=300), several, st.data())
def test_csv_results_with_inserted_noise_cause_no_crash(
    noise: str, records: list[ResultRecord], data: st.DataObject
) -> None:
    text = write_csv(records)
    at = data.draw(st.integers(0, len(text)))
    reading = read_csv(text[:at] + noise + text[at + data.draw(st.integers(0, 5)) :])
    for finding in reading.findings:
        for shown in (finding.key, *map(str, finding.params.values())):
            assert not any(unicodedata.category(sign) in {"Cc", "Cs"} for sign in shown)
    for found in reading.records:
        assert read_csv(write_csv([found])).records == (found,)


def test_errors_quote_values_shortened_and_printable() -> None:
    reading = read_csv(HEADER + f"1,{'x' * 500}\x07,ana,,1,\n1,,kiko,,2,\n")
    value = only_finding(reading).params["value"]
    assert isinstance(value, str)
    assert len(value) == 80
