"""Leagues, matches and tables of a user in the export of personal data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q

from accounts.data_export import registry as export_registry
from accounts.data_export.registry import ExportTable
from leagues.byes import rounds_sat_out
from leagues.models import (
    Absence,
    CancelledEntry,
    Claim,
    Dispute,
    FixtureSeat,
    FormerName,
    Match,
    MatchSeat,
    Member,
    Merge,
    Place,
    Player,
    Proposal,
    Rating,
    RatingStep,
    Round,
    Sheet,
    Table,
    TableMove,
    TableSeat,
)

if TYPE_CHECKING:
    from django.db.models import Model, QuerySet

    from accounts.models import User


def register_data_export() -> None:
    export_registry.register_tables(
        ExportTable(name="leagues/players", model=Player, rows=_players),
        _rows_of("leagues/former-names", FormerName, "player"),
        _rows_of("leagues/memberships", Member, "player"),
        _rows_of("leagues/absences", Absence, "player"),
        _rows_of("leagues/cancelled-calendar-entries", CancelledEntry, "player"),
        _rows_of("leagues/fixture-seats", FixtureSeat, "player"),
        ExportTable(
            name="leagues/byes", model=Round, rows=_byes, without=frozenset({"byes", "excused"})
        ),
        _rows_of("leagues/seats", MatchSeat, "player"),
        ExportTable(name="leagues/matches", model=Match, rows=_matches, without=frozenset({"key"})),
        _rows_of("leagues/sheets-handed-in", Sheet, "by"),
        _rows_of("leagues/disputes", Dispute, "by", "settled_by"),
        _rows_of("leagues/proposals", Proposal, "by", "answered_by"),
        _rows_of("leagues/results", Place, "player"),
        _rows_of("leagues/ratings", Rating, "player"),
        _rows_of("leagues/ratings-by-result", RatingStep, "player"),
        _rows_of("leagues/claims", Claim, "by", "guest", "answered_by"),
        _rows_of("leagues/merges", Merge, "absorbed", "kept", "by"),
        ExportTable(
            name="tables/tables", model=Table, rows=_tables, without=frozenset({"invitation"})
        ),
        _rows_of("tables/seats", TableSeat, "player"),
        ExportTable(name="tables/moves", model=TableMove, rows=_moves),
    )
    export_registry.exclude_models(
        leagues__League="its players are in leagues/memberships",
        leagues__SiteIdentity="names nobody",
    )


def _players(user: User) -> QuerySet[Player]:
    return Player.objects.filter(Q(user=user) | Q(merged_into__user=user))


def _rows_of(name: str, model: type[Model], *columns: str) -> ExportTable:
    def rows(user: User) -> QuerySet[Model]:
        players = _players(user).values("pk")
        named = Q()
        for column in columns:
            named |= Q(**{f"{column}__in": players})
        return model._default_manager.filter(named)

    return ExportTable(name=name, model=model, rows=rows)


def _byes(user: User) -> QuerySet[Round]:
    """Return the rounds in which the user has no match."""
    player = Player.objects.filter(user=user).first()
    rounds = rounds_sat_out(player, Round.objects.all()) if player else []
    return Round.objects.filter(pk__in=[round_.pk for round_ in rounds])


def _matches(user: User) -> QuerySet[Match]:
    players = _players(user).values("pk")
    sat = MatchSeat.objects.filter(player__in=players).values("match")
    return Match.objects.filter(
        Q(pk__in=sat)
        | Q(entered_by__in=players)
        | Q(confirmed_by__in=players)
        | Q(voided_by__in=players)
    )


def _tables(user: User) -> QuerySet[Table]:
    players = _players(user).values("pk")
    sat = TableSeat.objects.filter(player__in=players).values("table")
    return Table.objects.filter(Q(pk__in=sat) | Q(host__in=players))


def _moves(user: User) -> QuerySet[TableMove]:
    """Return the moves made from the user's seats, including moves of a bot that replaced the
    user.
    """
    seats = TableSeat.objects.filter(
        player__in=_players(user).values("pk"), table=OuterRef("table"), number=OuterRef("seat")
    )
    return TableMove.objects.filter(Exists(seats))
