"""The actual state of a game table, read from the database file and not from a page."""

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
    """One change of a table: its number, the numbers of hands and moves so far, and its time."""

    number: int
    round: int
    moves: int
    at: float


class Made(NamedTuple):
    """One move: hand, seat, notation, and the bot that made it (or None)."""

    round: int
    seat: int
    text: str
    bot: str


class Deal(NamedTuple):
    """One hand: its seed, and the data to which the site has committed itself."""

    number: int
    seed: bytes
    stake: Any


class Lying(NamedTuple):
    """Where all tiles are: laid, in a hand, or in the boneyard. `over`: the hand has ended."""

    laid: list[Tile]
    held: tuple[frozenset[Tile], ...]
    boneyard: frozenset[Tile]
    over: bool

    def open_to(self, seat: int | None) -> set[Tile]:
        """Return the tiles that a seat, or a spectator (None), may see during the hand."""
        own = set(self.held[seat]) if seat is not None and self.held else set()
        return own.union(self.laid)

    def hidden_from(self, seat: int | None) -> frozenset[Tile]:
        """Return the tiles that a seat, or a spectator (None), must not see during the hand."""
        if self.over:
            return frozenset()
        others = (held for number, held in enumerate(self.held) if number != seat)
        return self.boneyard.union(*others)


def query_rows(site: Site, question: str, **about: int) -> list[Any]:
    """Return the rows of a query on the site's database file."""
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, timeout=PATIENCE)) as found:
        return found.execute(question, about).fetchall()


def write(site: Site, statement: str, **about: object) -> int:
    """Change rows of the site's database directly, and return the number of changed rows."""
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as found:
        return found.execute(statement, about).rowcount


class TableRows:
    """A game table as stored in the database."""

    def __init__(self, site: Site, table: str) -> None:
        self._site = site
        self.table = int(table.rstrip("/").rsplit("/", 1)[-1])

    def rows(self, question: str) -> list[Any]:
        """Return the rows of a query on this table."""
        return query_rows(self._site, question, table=self.table)

    def row(self, question: str) -> Any:
        """Return the only row of a query on this table."""
        (found,) = self.rows(question)
        return found

    @property
    def rules(self) -> Any:
        """Return the rules of the match."""
        return json.loads(self.row("SELECT rules FROM leagues_table WHERE id = :table")[0])

    def moments(self) -> dict[int, Moment]:
        """Return all changes of the table, by number."""
        question = (
            "SELECT number, round, moves, at FROM leagues_tablemoment WHERE table_id = :table"
        )
        return {n: Moment(n, hand, made, _instant(at)) for n, hand, made, at in self.rows(question)}

    def made(self) -> list[Made]:
        """Return all moves of the match."""
        question = (
            "SELECT round, seat, text, bot FROM leagues_tablemove WHERE table_id = :table"
            " ORDER BY number"
        )
        return [Made(*row) for row in self.rows(question)]

    def deals(self) -> list[Deal]:
        """Return all hands with a published commitment, including a hand that has not begun."""
        question = (
            "SELECT number, seed, stake FROM leagues_tableround WHERE table_id = :table"
            " ORDER BY number"
        )
        return [Deal(n, bytes(seed), json.loads(stake)) for n, seed, stake in self.rows(question)]

    def match(self) -> tuple[int, str] | None:
        """Return number and state of the match as which the table was recorded, or None."""
        found = self.rows(
            "SELECT leagues_match.id, leagues_match.state FROM leagues_match JOIN leagues_table"
            " ON match_id = leagues_match.id WHERE leagues_table.id = :table"
        )
        return found[0] if found else None


class Positions:
    """The positions of the tiles after any number of hands and moves of a finished table.

    `tiles` is the whole set, in the order of the numbers that the engine and the forms give to each
    tile.
    """

    def __init__(self, book: TableRows) -> None:
        self._rules, self._made, self._deals = book.rules, book.made(), book.deals()
        self._seats = len({made.seat for made in self._made})
        self.tiles = domino_set(self._rules["highest"]).tiles

    def after(self, rounds: int, moves: int) -> Lying:
        """Return the position after this number of hands and moves.

        Before the first deal it is empty.
        """
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
