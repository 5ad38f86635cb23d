"""Results in files: CSV and JSON of our own, and plays of the BG Stats app, in and out.

Reading never raises and changes nothing: it tells line by line what would happen. The formats
are explained in the README beside this file.
"""

from leagues.exchange.bgstats import Wanted, read_bgstats
from leagues.exchange.bgstats_export import write_bgstats
from leagues.exchange.csv_results import COLUMNS, read_csv, write_csv
from leagues.exchange.findings import Code, Finding, Reading, Verdict, sorted_out
from leagues.exchange.json_results import FORMAT, VERSION, read_json, write_json
from leagues.exchange.play_identity import play_uuid, player_uuid
from leagues.exchange.records import ResultRecord, SeatRecord, fingerprint
from leagues.exchange.values import MOST_BYTES

MADE_OF = (Reading, Finding, Code, ResultRecord, SeatRecord)
"""What readers answer with."""

__all__ = [
    "COLUMNS",
    "FORMAT",
    "MADE_OF",
    "MOST_BYTES",
    "VERSION",
    "Code",
    "Finding",
    "Reading",
    "ResultRecord",
    "SeatRecord",
    "Verdict",
    "Wanted",
    "fingerprint",
    "play_uuid",
    "player_uuid",
    "read_bgstats",
    "read_csv",
    "read_json",
    "sorted_out",
    "write_bgstats",
    "write_csv",
    "write_json",
]
