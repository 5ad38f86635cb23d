"""Readers and writers of result files: CSV, JSON, and plays of the BG Stats app.

Readers never raise exceptions and save nothing. For each result of a file they report whether it
can be imported, and otherwise why not. `docs/results-files.md` describes the formats.
"""

from __future__ import annotations

from leagues.exchange.formats.bgstats import (
    PlayFilter,
    play_uuid,
    player_uuid,
    read_bgstats,
    write_bgstats,
)
from leagues.exchange.formats.csv_results import (
    COLUMNS,
    ORIGIN_COLUMNS,
    csv_rows,
    read_csv,
    write_csv,
)
from leagues.exchange.formats.json_results import read_json, write_json
from leagues.exchange.formats.results import (
    MAX_LISTED,
    Code,
    FileReading,
    ImportVerdict,
    Remark,
    ResultFinding,
    ResultRecord,
    SeatRecord,
    fingerprint,
    mark_repeated,
    places_contradict,
    places_in_order,
    with_code,
)
from leagues.exchange.formats.untrusted import RESULT_TYPES, read_untrusted

__all__ = [
    "COLUMNS",
    "MAX_LISTED",
    "ORIGIN_COLUMNS",
    "RESULT_TYPES",
    "Code",
    "FileReading",
    "ImportVerdict",
    "PlayFilter",
    "Remark",
    "ResultFinding",
    "ResultRecord",
    "SeatRecord",
    "csv_rows",
    "fingerprint",
    "mark_repeated",
    "places_contradict",
    "places_in_order",
    "play_uuid",
    "player_uuid",
    "read_bgstats",
    "read_csv",
    "read_json",
    "read_untrusted",
    "with_code",
    "write_bgstats",
    "write_csv",
    "write_json",
]
