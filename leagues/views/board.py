"""A league's standings and matrix as pages draw them: rows joined with people and ratings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from leagues.counting.standing import basis_of
from leagues.form import Duel, head_to_head
from leagues.forms.leagues import TIE_BREAKS
from leagues.models import League, Player
from leagues.queries.boards import league_ratings
from leagues.queries.people import persons
from leagues.ratings import Shown, span
from leagues.standings import Placing, Row, TieBreak


@dataclass(frozen=True, kw_only=True)
class Line:
    """One line of the table."""

    row: Row
    player: Player
    rating: Shown | None
    you: bool
    cut: bool

    @property
    def parted(self) -> str:
        """Why it stands below the one above, where the score does not tell."""
        by = self.row.parted_by
        if isinstance(by, TieBreak):
            return _("Tied on score; separated by: %s.") % TIE_BREAKS[by]
        return ""


@dataclass(frozen=True, kw_only=True)
class Board:
    """The standings with all a page needs: `span` of the ratings' line."""

    lines: tuple[Line, ...]
    span: tuple[int, int]
    cut: int | None
    placings: tuple[Placing, ...]

    @property
    def stated(self) -> bool:
        """Whether the cut already means something for somebody."""
        return any(line.row.state for line in self.lines)

    @property
    def matches(self) -> int:
        """How many matches it is reckoned from."""
        return len({placing.match for placing in self.placings})


def board_of(league: League, *, you: Player | None, until: dt.datetime | None = None) -> Board:
    """The standings now, or of the results played before `until`; a fixed number of queries."""
    basis = basis_of(league) if until is None else basis_of(league).until(until)
    rows = basis.rows()
    people = persons(row.player for row in rows)
    ratings = league_ratings(league, until)
    mine = you.person_id if you else None
    lines = tuple(
        Line(
            row=row,
            player=people[row.player],
            rating=ratings.get(row.player),
            you=row.player == mine,
            cut=_is_last_above(rows, position, league.cut),
        )
        for position, row in enumerate(rows)
    )
    return Board(
        lines=lines,
        span=span(ratings.values()),
        cut=league.cut,
        placings=basis.placings,
    )


def _is_last_above(rows: tuple[Row, ...], position: int, cut: int | None) -> bool:
    return cut is not None and position == cut - 1 and position + 1 < len(rows)


@dataclass(frozen=True, kw_only=True)
class Matrix:
    """Everybody against everybody; a cell is None on the diagonal."""

    people: tuple[Player, ...]
    cells: tuple[tuple[Duel | None, ...], ...]

    @property
    def rows(self) -> Iterator[tuple[Player, tuple[Duel | None, ...]]]:
        """Each person with their cells."""
        return zip(self.people, self.cells, strict=True)


def matrix_of(board: Board) -> Matrix:
    """The matrix of a league in the order of its standings."""
    players = [line.row.player for line in board.lines]
    found = head_to_head(players, board.placings)
    return Matrix(
        people=tuple(line.player for line in board.lines),
        cells=tuple(
            tuple(
                None if row == column else found.get((row, column), Duel(row, column))
                for column in players
            )
            for row in players
        ),
    )
