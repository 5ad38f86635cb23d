"""Queries that load the data for standings: players, rounds, results and open fixtures."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.db.models.functions import Coalesce

from fairness import Seed
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, Member, Place, Player, Result, Round
from leagues.pairing import rests_evenly
from leagues.standings.cut import CutLine
from leagues.standings.explanation import Explanation, explain_standing
from leagues.standings.ranking import (
    Criteria,
    StandingsRow,
    compute_standings,
    draw_lots,
    order_of,
    rows_of,
)
from leagues.standings.scoring import Placing, Scoring, StandingsEntry, UnplayedKind, UnplayedRound
from leagues.standings.tallies import Calendar, RulesVersion
from leagues.standings.tie_breaks import TieBreak

_FIELDS: Final = ("match", "player", "seat", "side", "place", "points", "against", "when", "game")
_COLUMNS: Final = (
    "result__match_id",
    "player_id",
    "seat",
    "side",
    "place",
    "points",
    "against",
    "result__played_at",
    "result__game",
)
# Additional database columns that are read for matches that belong to a fixture.
_FIXTURE_COLUMNS: Final = ("result__match__fixture__round__number", "result__match__origin")


def placings(chosen: QuerySet[Place], *, of_fixtures: bool = False) -> tuple[Placing, ...]:
    """Return rows of `Place` as `Placing` objects, oldest first.

    With `of_fixtures`, they include the number of the round and whether the match was forfeited.
    """
    columns = _COLUMNS + _FIXTURE_COLUMNS if of_fixtures else _COLUMNS
    rows = chosen.order_by("result__played_at", "result__match_id", "seat").values_list(*columns)
    return tuple(_placing(row) for row in rows)


def _placing(row: tuple[Any, ...]) -> Placing:
    placing = Placing(**dict(zip(_FIELDS, row, strict=False)))
    if len(row) == len(_FIELDS):
        return placing
    number, origin = row[len(_FIELDS) :]
    return replace(placing, round=number or 0, forfeit=origin == Match.Origin.FORFEIT)


# Tie-breaks of a league whose organiser has chosen no tie-breaks.
DEFAULT_TIE_BREAKS = (TieBreak.HEAD_TO_HEAD, TieBreak.MARGIN, TieBreak.WINS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enrolment:
    """A person's membership in a league, combining all memberships after merges.

    `joined_at` is the earliest time of joining. `left_at` is the latest time of leaving, None if
    one of the memberships still exists. `left_after_end` means that the standings were final at
    that time.
    """

    player: int
    joined_at: datetime | None = None
    left_at: datetime | None = None
    left_after_end: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnRound:
    """A drawn round, with three groups of players: those who have a fixture in it, a void fixture,
    or a bye.

    `excused` are players who announced their absence before the draw and get points for it.
    """

    number: int
    drawn_at: datetime
    byes: frozenset[int] = frozenset()
    seated: frozenset[int] = frozenset()
    void: frozenset[int] = frozenset()
    excused: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsBasis:
    """All data from which the standings of a league are calculated.

    `complete` means that all fixtures exist, as in a round robin after its draw. `moment` is the
    time of past standings. Everything that happened later is left out. `cut_matches` is the number
    of matches that a player needs to be placed above the cut-off line.
    """

    enrolments: tuple[Enrolment, ...]
    placings: tuple[Placing, ...]
    to_play: tuple[tuple[int, ...], ...]
    scoring: Scoring
    tie_breaks: tuple[TieBreak, ...]
    cut: int | None
    seed: Seed
    sides: bool
    complete: bool
    rounds: tuple[DrawnRound, ...] = ()
    rules: RulesVersion = RulesVersion.FIRST
    format: str = League.Format.LADDER
    moment: datetime | None = None
    cut_matches: int = 0

    @property
    def entries(self) -> tuple[StandingsEntry, ...]:
        """Return the players in the standings at the time `moment`.

        A player who joined later is included only if an earlier match of that player was entered
        afterwards.
        """
        counted = self._counted_rounds()
        seated = {placing.player for placing in self.placings}
        return tuple(
            self._entry(enrolment, counted)
            for enrolment in self.enrolments
            if enrolment.joined_at is None
            or self.has_come(enrolment.joined_at)
            or enrolment.player in seated
        )

    def _entry(self, enrolment: Enrolment, counted: Collection[DrawnRound]) -> StandingsEntry:
        left = enrolment.left_at is not None and self.has_come(enrolment.left_at)
        after_end = enrolment.left_after_end
        unplayed = (_unplayed(enrolment, drawn, self.rules, self.format) for drawn in counted)
        return StandingsEntry(
            player=enrolment.player,
            unplayed=tuple(found for found in unplayed if found is not None),
            withdrawn=left,
            after_end=left and after_end,
            ranked_last=left and self.rules is RulesVersion.FINAL and not after_end,
        )

    def has_come(self, when: datetime) -> bool:
        """Return whether an event had already happened at the time for which the standings
        are calculated.
        """
        # Past standings of a league that ended under the oldest version of the rules are shown as
        # they were then.
        return self.moment is None or self.rules is RulesVersion.FINAL or when < self.moment

    def _counted_rounds(self) -> list[DrawnRound]:
        """Return the rounds in which a bye counts.

        If all players of a round robin sit out equally often, they have rest days instead of byes.
        In other round robins, whose rounds are all drawn at once, a round counts as soon as it or a
        later round has a result.
        """
        if self.rules is RulesVersion.FINAL:
            return list(self.rounds)
        if self.rest_days:
            return []
        if self.format == League.Format.ROUND_ROBIN:
            return [drawn for drawn in self.rounds if drawn.number <= self._latest_round()]
        return [drawn for drawn in self.rounds if self.has_come(drawn.drawn_at)]

    @property
    def rest_days(self) -> bool:
        """Return whether all players of a round robin sit out equally often, so that nobody
        has a bye.
        """
        if self.rules is RulesVersion.FINAL or self.format != League.Format.ROUND_ROBIN:
            return False
        return self._rests_evenly()

    def _latest_round(self) -> int:
        return max((placing.round for placing in self.placings), default=0)

    def _rests_evenly(self) -> bool:
        seated = {player for drawn in self.rounds for player in drawn.seated | drawn.void}
        return rests_evenly((drawn.byes for drawn in self.rounds), seated)

    def rows(self) -> tuple[StandingsRow, ...]:
        entries = self.entries
        return compute_standings(
            entries,
            self.placings,
            cut=self._line(),
            least=self.cut_matches,
            **self._criteria(entries),
        )

    def explain(self, player: int) -> Explanation | None:
        """Return the explanation of a player's row. None if the player is not in the standings."""
        entries = self.entries
        if all(entry.player != player for entry in entries):
            return None
        order = order_of(entries, self.placings, **self._criteria(entries))
        return explain_standing(
            order, rows_of(order, self.scoring, self._line(), self.cut_matches), player
        )

    def _criteria(self, entries: Iterable[StandingsEntry]) -> Criteria:
        return Criteria(
            scoring=self.scoring,
            tie_breaks=self.tie_breaks,
            lots=draw_lots((entry.player for entry in entries), self.seed),
            rules=self.rules,
            calendar=self._calendar(),
        )

    def _line(self) -> CutLine | None:
        if not self.cut or not self.complete:
            return None
        return CutLine(
            after=self.cut,
            fixtures=self.to_play,
            sides=self.sides,
            free_rounds=self.format != League.Format.ROUND_ROBIN or not self._rests_evenly(),
        )

    def _calendar(self) -> Calendar:
        swiss = self.format == League.Format.SWISS
        drawn = [drawn.number for drawn in self._counted_rounds()] if swiss else []
        return Calendar(rounds=max([*drawn, self._latest_round()]), fixed=not swiss)

    def until_time(self, moment: datetime) -> StandingsBasis:
        played = tuple(placing for placing in self.placings if placing.when < moment)
        return replace(self, placings=played, complete=False, moment=moment)

    def without_match(self, match: int) -> StandingsBasis:
        kept = tuple(placing for placing in self.placings if placing.match != match)
        return replace(self, placings=kept)

    def with_places(self, match: int, placings: Iterable[Placing]) -> StandingsBasis:
        changed = [*self.without_match(match).placings, *placings]
        changed.sort(key=lambda placing: (placing.when, placing.match, placing.seat))
        return replace(self, placings=tuple(changed))

    def before_round(self, number: int, players: Collection[int]) -> StandingsBasis:
        """Return the data for drawing a round again, with the same players, all of them present.

        An imported round may contain an organiser who does not play in the league and therefore has
        no row in the standings.
        """
        known = {enrolment.player for enrolment in self.enrolments}
        guests = tuple(Enrolment(player=player) for player in sorted({*players} - known))
        earlier = tuple(drawn for drawn in self.rounds if drawn.number < number)
        return replace(
            self,
            enrolments=tuple(
                replace(enrolment, left_at=None)
                for enrolment in self.enrolments
                if enrolment.player in players
            )
            + guests,
            placings=tuple(placing for placing in self.placings if 0 < placing.round < number),
            rounds=earlier,
            cut=None,
        )

    def renamed(self, old: int, new: int) -> StandingsBasis:
        places = tuple(
            replace(placing, player=new) if placing.player == old else placing
            for placing in self.placings
        )
        fixtures = tuple(
            tuple(new if player == old else player for player in fixture)
            for fixture in self.to_play
        )
        return replace(
            self,
            enrolments=_merge_enrolments(
                replace(enrolment, player=new) if enrolment.player == old else enrolment
                for enrolment in self.enrolments
            ),
            placings=places,
            to_play=fixtures,
            rounds=tuple(_renamed(drawn, old, new) for drawn in self.rounds),
        )


def _renamed(drawn: DrawnRound, old: int, new: int) -> DrawnRound:
    def names(players: frozenset[int]) -> frozenset[int]:
        return frozenset(new if player == old else player for player in players)

    return replace(
        drawn,
        byes=names(drawn.byes),
        seated=names(drawn.seated),
        void=names(drawn.void),
        excused=names(drawn.excused),
    )


def _unplayed(
    enrolment: Enrolment, drawn: DrawnRound, rules: RulesVersion, format_: str
) -> UnplayedRound | None:
    """Return why a player did not play in a round, None if the player had a fixture.

    Under the first version of the rules, and in a round robin, only byes count.
    """
    player = enrolment.player
    if player in drawn.byes:
        return UnplayedRound(drawn.number)
    if rules is not RulesVersion.CURRENT or format_ != League.Format.SWISS:
        return None
    if player in drawn.seated:
        return None
    if player in drawn.void:
        return UnplayedRound(drawn.number, UnplayedKind.VOID)
    if player in drawn.excused:
        return UnplayedRound(drawn.number, UnplayedKind.EXCUSED)
    if enrolment.joined_at is not None and enrolment.joined_at > drawn.drawn_at:
        return UnplayedRound(drawn.number, UnplayedKind.NOT_ENTERED)
    if enrolment.left_at is not None and enrolment.left_at <= drawn.drawn_at:
        return UnplayedRound(drawn.number, UnplayedKind.LEFT)
    return UnplayedRound(drawn.number, UnplayedKind.ABSENT)


def _merge_enrolments(enrolments: Iterable[Enrolment]) -> tuple[Enrolment, ...]:
    """Return one enrolment for each person, in the order of the first membership."""
    by_person: dict[int, Enrolment] = {}
    for enrolment in enrolments:
        earlier = by_person.get(enrolment.player, enrolment)
        left = [at for at in (earlier.left_at, enrolment.left_at) if at is not None]
        joined = [at for at in (earlier.joined_at, enrolment.joined_at) if at is not None]
        by_person[enrolment.player] = Enrolment(
            player=enrolment.player,
            joined_at=min(joined, default=None),
            left_at=max(left) if len(left) == 2 else None,
            # A person has left the league only if all memberships have ended. The time of leaving
            # is the end of the last one.
            left_after_end=earlier.left_after_end or enrolment.left_after_end,
        )
    return tuple(by_person.values())


def standings_basis(league: League) -> StandingsBasis:
    """Return the data of the standings of a league, with at most four queries."""
    drawn = league.format != League.Format.LADDER
    seats = _seats(league) if drawn else []
    members = _members(league)
    rounds = _drawn_rounds(league, seats, members) if drawn else ()
    all_drawn = league.format == League.Format.ROUND_ROBIN and bool(rounds)
    return StandingsBasis(
        enrolments=_enrolments(members),
        placings=placings(Place.objects.filter(result__league=league), of_fixtures=drawn),
        to_play=_to_play(seats),
        scoring=scoring_of(league),
        tie_breaks=tuple(map(TieBreak, league.tie_breaks)) or DEFAULT_TIE_BREAKS,
        cut=league.cut,
        seed=Seed(bytes(league.seed)),
        sides=has_sides(league),
        complete=league.closed_at is not None or all_drawn,
        rounds=rounds,
        rules=RulesVersion(league.standings_rules),
        format=league.format,
        cut_matches=league.cut_matches,
    )


def scoring_of(league: League) -> Scoring:
    """Return the scoring of a league under its version of the rules."""
    sides = None
    if league.standings_rules == RulesVersion.CURRENT:
        sides = len(set(games[league.game].sides(league.rules, league.seats)))
    return Scoring.from_options(league.scoring, sides=sides)


def has_sides(league: League) -> bool:
    sides = games[league.game].sides(league.rules, league.seats)
    return len(set(sides)) < league.seats


class _Membership(NamedTuple):
    player: int
    person: int
    plays: bool
    joined_at: datetime
    left_at: datetime | None
    left_after_end: bool


def _members(league: League) -> list[_Membership]:
    members = Member.objects.filter(league=league).order_by("joined_at", "pk")
    person = Coalesce("player__merged_into", "player")
    columns = ("plays", "joined_at", "withdrawn_at", "left_after_end")
    return [_Membership(*row) for row in members.values_list("player", person, *columns)]


def enrolments_of(league: League) -> tuple[Enrolment, ...]:
    """Return the players of a league. Those whose memberships have all ended have withdrawn."""
    return _enrolments(_members(league))


def _enrolments(members: Iterable[_Membership]) -> tuple[Enrolment, ...]:
    return _merge_enrolments(
        Enrolment(
            player=member.person,
            joined_at=member.joined_at,
            left_at=member.left_at,
            left_after_end=member.left_after_end,
        )
        for member in members
        if member.plays
    )


class _Seat(NamedTuple):
    round: int
    fixture: int
    state: str
    player: int


def _seats(league: League) -> list[_Seat]:
    """Return the seats of all fixtures of a league in order, with players after merges."""
    seats = FixtureSeat.objects.filter(fixture__round__league=league)
    columns = ("fixture__round__number", "fixture", "fixture__state")
    rows = seats.order_by("fixture", "number").values_list(
        *columns, Coalesce("player__merged_into", "player")
    )
    return [_Seat(*row) for row in rows]


def _drawn_rounds(
    league: League, seats: Iterable[_Seat], members: Iterable[_Membership]
) -> tuple[DrawnRound, ...]:
    """Return the rounds of a league with their players after merges."""
    rounds = Round.objects.filter(league=league).order_by("number")
    rows = list(rounds.values_list("number", "drawn_at", "byes", "excused"))
    person = {member.player: member.person for member in members}
    seated: dict[int, set[int]] = {number: set() for number, *_ in rows}
    void: dict[int, set[int]] = {number: set() for number, *_ in rows}
    for seat in seats:
        people = void if seat.state == Fixture.State.VOID else seated
        people[seat.round].add(seat.player)
    return tuple(
        DrawnRound(
            number=number,
            drawn_at=drawn_at,
            byes=frozenset(person.get(bye["player"], bye["player"]) for bye in byes),
            seated=frozenset(seated[number]),
            void=frozenset(void[number]),
            excused=frozenset(person.get(key, key) for key in excused or ()),
        )
        for number, drawn_at, byes, excused in rows
    )


def _to_play(seats: Iterable[_Seat]) -> tuple[tuple[int, ...], ...]:
    players_by_fixture: dict[int, list[int]] = {}
    for seat in seats:
        if seat.state in Fixture.TO_PLAY:
            players_by_fixture.setdefault(seat.fixture, []).append(seat.player)
    return tuple(tuple(players) for players in players_by_fixture.values())


def merged_of(keys: Collection[int]) -> dict[int, int]:
    if not keys:
        return {}
    rows = Player.objects.filter(pk__in=keys).exclude(merged_into=None)
    return {key: kept for key, kept in rows.values_list("pk", "merged_into") if kept is not None}


def placing_of(place: Place, result: Result) -> Placing:
    match = result.match
    return Placing(
        match=result.match_id,
        player=place.player_id,
        seat=place.seat,
        side=place.side,
        place=place.place,
        points=place.points,
        against=place.against,
        when=result.played_at,
        game=result.game,
        round=match.fixture.round.number if match.fixture else 0,
        forfeit=match.origin == Match.Origin.FORFEIT,
    )


def is_final(league: League) -> bool:
    """Return whether the standings of a league cannot change any more.

    This is the case if the league is closed, or if all its rounds are drawn and every fixture has
    been played, forfeited or voided. A ladder is final only when it is closed.
    """
    if league.closed_at is not None:
        return True
    drawn = Round.objects.filter(league=league).count()
    if league.format == League.Format.LADDER or not drawn:
        return False
    if league.format == League.Format.SWISS and drawn < (league.rounds_planned or drawn + 1):
        return False
    return not Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY).exists()
