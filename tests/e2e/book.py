"""What really lies where at a table, taken from the database file and not from any page."""

from __future__ import annotations

import datetime as dt
import json
import re
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from dominoes.engine import bits, domino_set
from dominoes.table import DominoTable
from leagues.games import RoundLog
from tests.e2e.fragment import Tile, tile
from tests.waiting import PATIENCE

if TYPE_CHECKING:
    from tests.site import Site

HALVES = re.compile(r"(\d+)[|+](\d+)")


class Moment(NamedTuple):
    """One change of a table: its number, how many rounds had begun and moves been made, when."""

    number: int
    round: int
    moves: int
    at: float


class Made(NamedTuple):
    """One move: hand, seat, notation, the bot that made it or nothing."""

    round: int
    seat: int
    text: str
    bot: str


class Deal(NamedTuple):
    """One hand: its seed, and what was at stake."""

    number: int
    seed: bytes
    stake: Any


class Lying(NamedTuple):
    """Where every tile is: laid, in which hand, in the boneyard; `over`: the hand has ended."""

    laid: list[Tile]
    held: tuple[frozenset[Tile], ...]
    boneyard: frozenset[Tile]
    over: bool

    def open_to(self, seat: int | None) -> set[Tile]:
        """What a seat, or (None) a watcher, sees of the tiles while the hand goes on."""
        own = set(self.held[seat]) if seat is not None and self.held else set()
        return own.union(self.laid)

    def hidden_from(self, seat: int | None) -> frozenset[Tile]:
        """What a seat, or (None) a watcher, must not know while the hand goes on."""
        if self.over:
            return frozenset()
        others = (held for number, held in enumerate(self.held) if number != seat)
        return self.boneyard.union(*others)


def query_rows(site: Site, question: str, **about: int) -> list[Any]:
    """The rows that answer a question, out of the site's database file."""
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=PATIENCE)) as found:
        return found.execute(question, about).fetchall()


def write(site: Site, statement: str, **about: object) -> int:
    """Change the site's rows behind its back; how many were changed."""
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as found:
        return found.execute(statement, about).rowcount


class TableRows:
    """A table of the site as its rows say it is."""

    def __init__(self, site: Site, table: str) -> None:
        self._site = site
        self.table = int(table.rstrip("/").rsplit("/", 1)[-1])

    def rows(self, question: str) -> list[Any]:
        """The rows of a question about this table."""
        return query_rows(self._site, question, table=self.table)

    def row(self, question: str) -> Any:
        """The only row of a question."""
        (found,) = self.rows(question)
        return found

    @property
    def rules(self) -> Any:
        """The rule set that is played by."""
        return json.loads(self.row("SELECT rules FROM leagues_table WHERE id = :table")[0])

    def moments(self) -> dict[int, Moment]:
        """Every moment there has been, by number."""
        question = (
            "SELECT number, round, moves, at FROM leagues_tablemoment WHERE table_id = :table"
        )
        return {n: Moment(n, hand, made, _instant(at)) for n, hand, made, at in self.rows(question)}

    def made(self) -> list[Made]:
        """Every move."""
        question = (
            "SELECT round, seat, text, bot FROM leagues_tablemove WHERE table_id = :table"
            " ORDER BY number"
        )
        return [Made(*row) for row in self.rows(question)]

    def deals(self) -> list[Deal]:
        """Every hand that was sealed, whether it has begun or not."""
        question = (
            "SELECT number, seed, stake FROM leagues_tableround WHERE table_id = :table"
            " ORDER BY number"
        )
        return [Deal(n, bytes(seed), json.loads(stake)) for n, seed, stake in self.rows(question)]

    def match(self) -> tuple[int, str] | None:
        """Number and state of the match that the table was recorded as."""
        found = self.rows(
            "SELECT leagues_match.id, leagues_match.state FROM leagues_match JOIN leagues_table"
            " ON match_id = leagues_match.id WHERE leagues_table.id = :table"
        )
        return found[0] if found else None


class Positions:
    """Where the tiles lie after so many rounds and moves, at a table that is not played on.

    `tiles`: the whole set, by the number that the engine and the forms give to each.
    """

    def __init__(self, book: TableRows) -> None:
        self._rules, self._made, self._deals = book.rules, book.made(), book.deals()
        self._seats = len({made.seat for made in self._made})
        self.tiles = domino_set(self._rules["highest"]).tiles

    def after(self, rounds: int, moves: int) -> Lying:
        """Where they lay then; before the first deal nowhere."""
        if not rounds:
            return Lying([], (), frozenset(self.tiles), over=False)
        present = self._played(rounds, moves)
        found = DominoTable().restore(rules=self._rules, seats=self._seats, rounds=present)
        held = tuple(frozenset(self.tiles[n] for n in bits(hand)) for hand in found.held() or ())
        laid = [tile(*halves) for text in present[-1].moves for halves in HALVES.findall(text)]
        boneyard = frozenset(self.tiles).difference(laid, *held)
        return Lying(laid, held, boneyard, found.round_over)

    def _played(self, rounds: int, moves: int) -> list[RoundLog]:
        made = self._made[:moves]
        return [
            RoundLog(
                number=deal.number,
                seed=deal.seed,
                stake=deal.stake,
                moves=tuple(one.text for one in made if one.round == deal.number),
            )
            for deal in self._deals[:rounds]
        ]


def _instant(written: str) -> float:
    return dt.datetime.fromisoformat(written).replace(tzinfo=dt.UTC).timestamp()
