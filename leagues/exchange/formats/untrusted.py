"""Reader of untrusted result files in a separate process (`core.isolation`)."""

from __future__ import annotations

from typing import Any, Final

from leagues.exchange.formats.bgstats import read_bgstats
from leagues.exchange.formats.csv_results import read_csv
from leagues.exchange.formats.json_results import read_json
from leagues.exchange.formats.results import (
    Code,
    FileReading,
    Remark,
    ResultFinding,
    ResultRecord,
    SeatRecord,
    limited,
)

# Classes that may appear in the result which the separate process returns.
RESULT_TYPES: Final = (FileReading, ResultFinding, Code, Remark, ResultRecord, SeatRecord)

_READERS: Final[dict[str, Any]] = {"csv": read_csv, "json": read_json, "bgstats": read_bgstats}


def read_untrusted(data: bytes, file_format: str, **options: object) -> FileReading:
    """Read a file in a separate process, with the options of the reader for its format.

    Only a limited number of findings that add no result is returned.
    """
    return limited(_READERS[file_format](data, **options))
