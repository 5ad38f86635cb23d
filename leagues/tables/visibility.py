"""What one viewer may see of a table at one moment: for pages, feed and API."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from leagues.games import Game, Position
from leagues.models import Table
from leagues.tables.clock import Awaited, awaited, is_bot
from leagues.tables.log import Moment, SeatOccupant, TableLog
from leagues.text import number_duplicates


class SeatView(NamedTuple):
    """A seat as it is shown. `bot` is the label of the bot that moves there, if one does.

    `stand_in`: it does so for `name`, who is away. `place` is 0 before the end.
    """

    number: int
    name: str
    slug: str
    bot: str
    stand_in: bool
    ready: bool
    turn: bool
    you: bool
    points: int
    place: int

    @property
    def empty(self) -> bool:
        """Whether nobody has taken it."""
        return not self.name


class RoundCommitment(NamedTuple):
    """A round's commitment, and its seed once it is over, both as hexadecimal digits (F-2)."""

    number: int
    commitment: str
    seed: str


@dataclass(frozen=True, kw_only=True)
class TableView:
    """A table at a moment, from a seat or (None) from outside; `revealed` for replays."""

    log: TableLog
    moment: Moment
    seat: int | None = None
    revealed: bool = False

    @property
    def id(self) -> int:
        """The table's number."""
        return self.log.table.pk

    @property
    def table(self) -> Table:
        """The row, for what never changes: pace, delay, league. Its state is not the moment's."""
        return self.log.table

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.log.game

    @property
    def template(self) -> str:
        """The fragment that draws this."""
        return self.game.table.template

    @property
    def number(self) -> int:
        """The moment's number, from 1; the event of the feed bears it."""
        return self.moment.number

    @property
    def state(self) -> str:
        """A `Table.State`, as of the moment."""
        return self.moment.state

    @property
    def moves_made(self) -> int:
        """What who moves must name as `seen`."""
        return self.moment.moves

    @property
    def is_open(self) -> bool:
        """Whether it waits for players."""
        return self.state == Table.State.OPEN

    @property
    def is_over(self) -> bool:
        """Whether nothing will happen any more."""
        return self.state in (Table.State.OVER, Table.State.CLOSED)

    @cached_property
    def position(self) -> Position:
        """Where the game stands."""
        return self.log.position(self.moment)

    @property
    def turn(self) -> int | None:
        """The seat to move."""
        return self.position.turn if self.state == Table.State.PLAYING else None

    @property
    def waits(self) -> Awaited:
        """What the table waits for."""
        return awaited(self, self.moment.chairs)

    @property
    def deadline(self) -> dt.datetime | None:
        """When the clock runs out, of a person or of the pause between two rounds."""
        shown = self.waits.what in {"person", "round"}
        return self.moment.deadline if shown else None

    @property
    def counts_at(self) -> dt.datetime | None:
        """When a result that only those who sit here know takes effect."""
        return self.table.counts_at if self.is_over and self.seat is not None else None

    @property
    def kept_until(self) -> dt.datetime | None:
        """How long the table waits for its people, who are all away; None where one is there."""
        return self.moment.deadline if self.waits.what == "anybody" else None

    @property
    def players(self) -> tuple[int | None, ...]:
        """The primary keys of who sits there, by seat; None where a bot sits, or nobody."""
        people, chairs = self.log.people, self.moment.chairs
        return tuple(
            None if chair.player_id is None else people[chair.player_id].person for chair in chairs
        )

    @property
    def is_alone(self) -> bool:
        """Whether one person sits there, with bots."""
        return sum(chair.player_id is not None for chair in self.moment.chairs) == 1

    @cached_property
    def sitters(self) -> tuple[SeatView, ...]:
        """Everybody, by seat."""
        chairs = self.moment.chairs
        bots = number_duplicates(
            ["" if chair.player_id is not None else self._bot_label(chair) for chair in chairs]
        )
        return tuple(
            self._sitter(number, chair, bots[number] or self._bot_label(chair))
            for number, chair in enumerate(chairs)
        )

    def _sitter(self, number: int, chair: SeatOccupant, label: str) -> SeatView:
        person = None if chair.player_id is None else self.log.people[chair.player_id]
        places = self.position.places if self.state == Table.State.OVER else ()
        return SeatView(
            number=number,
            name=person.name if person else label,
            slug=person.slug if person else "",
            bot=label,
            stand_in=chair.stand_in,
            ready=chair.ready or is_bot(chair),
            turn=self.turn == number,
            you=self.seat == number,
            points=self.moment.points[number],
            place=places[number] if places else 0,
        )

    def _bot_label(self, chair: SeatOccupant) -> str:
        key = self.game.stand_in if chair.stand_in else chair.bot
        return str(dict(self.game.bots).get(key, key))

    @property
    def you(self) -> SeatView | None:
        """The viewer's own seat."""
        return None if self.seat is None else self.sitters[self.seat]

    @property
    def is_full(self) -> bool:
        """Whether every seat is taken."""
        return not any(sitter.empty for sitter in self.sitters)

    @property
    def may_move(self) -> bool:
        """Whether it is the viewer's turn."""
        return self.seat is not None and self.turn == self.seat

    @property
    def may_say_ready(self) -> bool:
        """Whether a next round waits for the viewer's word."""
        you = self.you
        return self.waits.what == "round" and you is not None and not you.ready

    @property
    def is_away(self) -> bool:
        """Whether a bot stands in for the viewer."""
        return self.you is not None and self.you.stand_in and not self.is_over

    @property
    def rounds_over(self) -> int:
        """How many rounds were played to their end: one that was broken off is not among them."""
        return self.moment.round - (0 if self.position.round_over else 1)

    @property
    def promises(self) -> tuple[RoundCommitment, ...]:
        """Every round sealed so far, the next one once this is over; opened are those over."""
        open_until = self.moment.round if self.is_over else self.rounds_over
        sealed = self.log.rounds[: max(1, self.rounds_over + 1)]
        return tuple(
            RoundCommitment(
                kept.number,
                kept.commitment.hex(),
                kept.seed.hex() if kept.number <= open_until else "",
            )
            for kept in sealed
        )

    def scene(self, chosen: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """What the game's template draws, in the language of the moment.

        `chosen`: the fields of a move that was refused, to be kept in the form. At a table that is
        closed nobody can do anything any more: it is drawn as for who watches.
        """
        return self.game.table.scene(
            self.position,
            seat=None if self.state == Table.State.CLOSED else self.seat,
            names=[sitter.name for sitter in self.sitters],
            notes=[self._note(sitter) for sitter in self.sitters],
            chosen=chosen,
            revealed=self.revealed,
        )

    def _note(self, sitter: SeatView) -> str:
        if sitter.stand_in:
            return _("away: %(bot)s is playing instead") % {"bot": sitter.bot}
        return _("bot") if sitter.bot else ""


def view_table(log: TableLog, *, seat: int | None, at: dt.datetime) -> TableView:
    """The latest that may be seen from a seat, or from outside."""
    return TableView(log=log, moment=log.shown(seat=seat, at=at), seat=seat)


def view_replay(
    log: TableLog, *, round_number: int, move: int, at: dt.datetime
) -> TableView | None:
    """A step of a round that is over for everybody: after so many of its moves, nothing hidden.

    None where there is no such step, or the round still goes on for who watches.
    """
    before = sum(1 for made in log.moves if made.round < round_number)
    if not 1 <= round_number <= view_table(log, seat=None, at=at).rounds_over:
        return None
    for moment in log.moments:
        if moment.round == round_number and moment.moves == before + move:
            return TableView(log=log, moment=moment, revealed=True)
    return None
