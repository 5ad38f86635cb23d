"""A live table as a viewer may see it at some time, for pages, the feed and the API."""

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
    """A seat of a live table for display. `bot` is the label of the bot that moves there, if any.

    `stand_in` means that the bot replaces the absent player `name`. `place` is 0 before the end of
    the match.
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
        return not self.name


class RoundCommitment(NamedTuple):
    """The published digest of a round's seed, and the seed itself once the round is over.

    Both are hexadecimal digits (Ruling F-2).
    """

    number: int
    commitment: str
    seed: str


@dataclass(frozen=True, kw_only=True)
class TableView:
    """A live table after some change, as seen from a seat or by a spectator (None).

    `revealed` is for replays, in which nothing is hidden.
    """

    log: TableLog
    moment: Moment
    seat: int | None = None
    revealed: bool = False

    @property
    def id(self) -> int:
        return self.log.table.pk

    @property
    def table(self) -> Table:
        """The database row, for properties that never change: pace, delay, league.

        Its columns contain the present state of the table, which may be later than the state that
        this view shows.
        """
        return self.log.table

    @property
    def game(self) -> Game:
        return self.log.game

    @property
    def template(self) -> str:
        return self.game.table.template

    @property
    def number(self) -> int:
        return self.moment.number

    @property
    def state(self) -> str:
        return self.moment.state

    @property
    def moves_made(self) -> int:
        """Return the number of moves made. A request to move must send this number as `seen`."""
        return self.moment.moves

    @property
    def is_open(self) -> bool:
        return self.state == Table.State.OPEN

    @property
    def is_over(self) -> bool:
        return self.state in (Table.State.OVER, Table.State.CLOSED)

    @cached_property
    def position(self) -> Position:
        return self.log.position(self.moment)

    @property
    def turn(self) -> int | None:
        return self.position.turn if self.state == Table.State.PLAYING else None

    @property
    def waits(self) -> Awaited:
        return awaited(self, self.moment.chairs)

    @property
    def deadline(self) -> dt.datetime | None:
        is_waiting = self.waits.what in {"person", "round"}
        return self.moment.deadline if is_waiting else None

    @property
    def counts_at(self) -> dt.datetime | None:
        """Return the time when a result takes effect that only the players know until then."""
        return self.table.counts_at if self.is_over and self.seat is not None else None

    @property
    def kept_until(self) -> dt.datetime | None:
        """Return the time when the table is closed because all players have left.

        None if a player is present.
        """
        return self.moment.deadline if self.waits.what == "anybody" else None

    @property
    def players(self) -> tuple[int | None, ...]:
        people, chairs = self.log.people, self.moment.chairs
        return tuple(
            None if chair.player_id is None else people[chair.player_id].person for chair in chairs
        )

    @property
    def is_alone(self) -> bool:
        return sum(chair.player_id is not None for chair in self.moment.chairs) == 1

    @cached_property
    def sitters(self) -> tuple[SeatView, ...]:
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
        return None if self.seat is None else self.sitters[self.seat]

    @property
    def is_full(self) -> bool:
        return not any(sitter.empty for sitter in self.sitters)

    @property
    def may_move(self) -> bool:
        return self.seat is not None and self.turn == self.seat

    @property
    def may_say_ready(self) -> bool:
        you = self.you
        return self.waits.what == "round" and you is not None and not you.ready

    @property
    def is_away(self) -> bool:
        return self.you is not None and self.you.stand_in and not self.is_over

    @property
    def rounds_over(self) -> int:
        """Return the number of rounds that were played to the end.

        A round that was broken off does not count.
        """
        return self.moment.round - (0 if self.position.round_over else 1)

    @property
    def promises(self) -> tuple[RoundCommitment, ...]:
        """Return the published digests of the seeds of all rounds so far, with the seeds of
        rounds that are over.
        """
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
        """Return the context of the game's template, in the active language.

        `chosen` are the fields of a rejected move, so that the form can show them again. A closed
        table is rendered as for spectators.
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
            return _("away; %(bot)s is playing for this player") % {"bot": sitter.bot}
        return _("bot") if sitter.bot else ""


def view_table(log: TableLog, *, seat: int | None, at: dt.datetime) -> TableView:
    return TableView(log=log, moment=log.latest_moment(seat=seat, at=at), seat=seat)


def view_replay(
    log: TableLog, *, round_number: int, move: int, at: dt.datetime
) -> TableView | None:
    """Return a step of a round that all spectators have seen, with nothing hidden.

    Returns None if the step does not exist, or if spectators have not seen the end of the round.
    """
    before = sum(1 for made in log.moves if made.round < round_number)
    if not 1 <= round_number <= view_table(log, seat=None, at=at).rounds_over:
        return None
    for moment in log.moments:
        if moment.round == round_number and moment.moves == before + move:
            return TableView(log=log, moment=moment, revealed=True)
    return None
