"""API resources of rounds at live tables: seed digests, moves, steps and the record."""

from __future__ import annotations

from typing import Final

from django.http import Http404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers

from actas import NotYet
from api.types import JSONObject
from api.views import DetailView
from leagues.api.resources import op
from leagues.api.tables.serializers import PromiseShown, commitment_data, view_data
from leagues.api.tables.tables import TableResource
from leagues.tables import actas as table_actas
from leagues.tables import log as table_log
from leagues.tables import visibility
from leagues.tables.actas import acta_of_round
from leagues.tables.visibility import RoundCommitment, TableView

TAG: Final = "tables"


class PromiseList(serializers.Serializer[JSONObject]):
    """The digests of the seeds of all rounds so far, including the next round."""

    results = PromiseShown(many=True)


@extend_schema_view(get=op("tables_rounds", TAG, PromiseList))
class TableRounds(TableResource, DetailView):
    """The published digests of the seeds of all rounds of a live table, and the seeds of those
    rounds that are over.
    """

    serializer_class = PromiseList

    def get_object(self) -> TableView:
        return self.table_view()

    def represent(self, row: TableView) -> JSONObject:
        """Return the digests of all rounds on one page."""
        return {"results": [commitment_data(promise) for promise in row.promises]}


class MoveShown(serializers.Serializer[JSONObject]):
    """A move in notation. `bot` is the bot that played it, if any."""

    number = serializers.IntegerField()
    seat = serializers.IntegerField()
    text = serializers.CharField()
    bot = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()


class TableRoundFull(PromiseShown):
    """A round of a live table.

    Stake (the data that the seed's digest covers), moves and points are included once the round is
    over.
    """

    over = serializers.BooleanField()
    stake = serializers.JSONField()
    points = serializers.ListField(child=serializers.IntegerField())
    begun_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    moves = MoveShown(many=True)
    differs = serializers.ListField(
        child=serializers.CharField(), help_text="What is not as promised; nothing: all is."
    )


@extend_schema_view(get=op("tables_round", TAG, TableRoundFull))
class TableRoundOne(TableResource, DetailView):
    """One round of a live table, complete once the user has seen its end."""

    serializer_class = TableRoundFull

    def get_object(self) -> RoundCommitment:
        """Return the digest of the round's seed. Raises Http404."""
        number = self.kwargs["number"]
        promises = self.table_view().promises
        promise = next((promise for promise in promises if promise.number == number), None)
        if promise is None:
            raise Http404
        return promise

    def represent(self, row: RoundCommitment) -> JSONObject:
        representation = commitment_data(row) | {"over": bool(row.seed)}
        if not row.seed:
            nothing: JSONObject = {"stake": None, "begun_at": None, "ended_at": None}
            return representation | nothing | {"points": [], "moves": [], "differs": []}
        kept = self.log.rounds[row.number - 1]
        return representation | {
            "stake": kept.stake,
            "points": list(kept.points),
            "begun_at": kept.begun_at,
            "ended_at": kept.ended_at,
            "moves": _moves(self.log, row.number),
            "differs": [
                f"{difference.name}: {difference.claimed}, {difference.found}"
                for difference in table_actas.verify_round(self.log, row.number)
            ],
        }


def _moves(log: table_log.TableLog, round_number: int) -> list[JSONObject]:
    return [
        {
            "number": move.number,
            "seat": move.seat,
            "text": move.text,
            "bot": move.bot,
            "at": move.at,
        }
        for move in log.moves
        if move.round == round_number
    ]


class RoundStep(serializers.Serializer[JSONObject]):
    """A step of a round that all spectators have seen, with nothing hidden."""

    round = serializers.IntegerField()
    move = serializers.IntegerField(help_text="After so many moves of the round.")
    turn = serializers.IntegerField(allow_null=True)
    points = serializers.ListField(child=serializers.IntegerField())
    view = serializers.JSONField()


@extend_schema_view(get=op("tables_step", TAG, RoundStep))
class TableStep(TableResource, DetailView):
    """The table after some moves of a round that all spectators have seen. This never changes."""

    serializer_class = RoundStep

    def get_object(self) -> TableView:
        """Return the step named in the URL.

        Raises Http404 if it does not exist or is not public yet.
        """
        number, move = self.kwargs["number"], self.kwargs["move"]
        step = visibility.view_replay(self.log, round_number=number, move=move, at=timezone.now())
        if step is None:
            raise Http404
        return step

    def represent(self, row: TableView) -> JSONObject:
        return {
            "round": self.kwargs["number"],
            "move": self.kwargs["move"],
            "turn": row.turn,
            "points": list(row.moment.points),
            "view": view_data(row),
        }


@extend_schema_view(get=op("tables_record", TAG, OpenApiTypes.OBJECT))
class RoundRecord(TableResource, DetailView):
    """The acta (verifiable record) of a round that all spectators have seen."""

    def get_object(self) -> JSONObject:
        """Return the record. Raises Http404 until all spectators have seen the end of the round."""
        try:
            return acta_of_round(self.log, self.kwargs["number"], at=timezone.now())
        except NotYet as reason:
            raise Http404(str(reason)) from reason

    def represent(self, row: JSONObject) -> JSONObject:
        return row
