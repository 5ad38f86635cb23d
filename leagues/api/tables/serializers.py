"""Serializers of a live table as a user may see it."""

from __future__ import annotations

from rest_framework import serializers

from api.types import JSON, JSONObject
from leagues.games import schema as game_schema
from leagues.models import Player, Table
from leagues.tables.visibility import RoundCommitment, SeatView, TableView


class SitterShown(serializers.Serializer[JSONObject]):
    """A seat of a live table with its player.

    `bot` is the bot that moves for this seat. `stand_in` is true if the bot replaces an absent
    player.
    """

    seat = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True, help_text="Empty: the seat is free.")
    slug = serializers.CharField(allow_blank=True)
    bot = serializers.CharField(allow_blank=True)
    stand_in = serializers.BooleanField()
    ready = serializers.BooleanField()
    turn = serializers.BooleanField()
    points = serializers.IntegerField()
    place = serializers.IntegerField(help_text="0 before the end.")


class PromiseShown(serializers.Serializer[JSONObject]):
    """The digest of a round's seed, and the seed once the round is over: 64 hexadecimal digits
    each.
    """

    number = serializers.IntegerField()
    commitment = serializers.CharField()
    seed = serializers.CharField(allow_blank=True)


class TableSeen(serializers.Serializer[JSONObject]):
    """A live table as the user may see it. A request to move sends `moves_made` as `seen`."""

    id = serializers.IntegerField()
    game = serializers.CharField()
    profile = serializers.CharField()
    rules = serializers.JSONField()
    rules_hash = serializers.CharField()
    league = serializers.SlugField(allow_null=True)
    fixture = serializers.IntegerField(allow_null=True)
    host = serializers.CharField()
    pace = serializers.ChoiceField(choices=Table.Pace.values)
    allowance = serializers.IntegerField(help_text="Seconds a move.")
    seating = serializers.ChoiceField(choices=Table.Seating.values)
    watch = serializers.ChoiceField(choices=Table.Watch.values)
    delay = serializers.IntegerField(help_text="Seconds that watchers are behind.")
    rated = serializers.BooleanField()
    moment = serializers.IntegerField()
    state = serializers.ChoiceField(choices=Table.State.values)
    round = serializers.IntegerField(help_text="Rounds begun.")
    moves_made = serializers.IntegerField()
    turn = serializers.IntegerField(allow_null=True, help_text="The seat to move.")
    waits_for = serializers.CharField(help_text="players, anybody, round, person, bot or nothing.")
    deadline = serializers.DateTimeField(allow_null=True)
    seats = SitterShown(many=True)
    you = serializers.IntegerField(allow_null=True, help_text="Your seat.")
    may_move = serializers.BooleanField()
    may_say_ready = serializers.BooleanField()
    away = serializers.BooleanField(help_text="A bot stands in for you.")
    view = serializers.JSONField(
        help_text="The game as your seat sees it; null before the first round."
    )
    promises = PromiseShown(many=True)
    match = serializers.IntegerField(allow_null=True, help_text="Its match, once it is over.")
    invitation = serializers.CharField(
        allow_null=True, help_text="The secret of its link; for who sits there or laid it."
    )

    def to_representation(self, instance: JSONObject) -> JSONObject:
        """Return a table as JSON, from the dictionary that `table_data` made."""
        return instance


ROW_FIELDS = (
    "profile",
    "rules",
    "rules_hash",
    "pace",
    "allowance",
    "seating",
    "watch",
    "delay",
    "rated",
)


def table_data(view: TableView, player: Player | None) -> JSONObject:
    table, log = view.table, view.log
    host = log.people[table.host_id]
    is_host = player is not None and host.person == player.person_id
    inside = view.seat is not None or is_host
    return {name: getattr(table, name) for name in ROW_FIELDS} | {
        "id": table.pk,
        "game": table.game,
        "league": table.league.slug if table.league else None,
        "fixture": table.fixture_id,
        "host": host.name,
        **_at_the_moment(view),
        "match": table.match_id if view.is_over else None,
        "invitation": table.invitation if inside else None,
    }


def _at_the_moment(view: TableView) -> JSONObject:
    return {
        "moment": view.number,
        "state": view.state,
        "round": view.moment.round,
        "moves_made": view.moves_made,
        "turn": view.turn,
        "waits_for": view.waits.what,
        "deadline": view.deadline,
        "seats": [_seat_data(item) for item in view.sitters],
        "you": view.seat,
        "may_move": view.may_move,
        "may_say_ready": view.may_say_ready,
        "away": view.is_away,
        "view": view_data(view),
        "promises": [commitment_data(item) for item in view.promises],
    }


def view_data(view: TableView) -> JSON:
    """Return the position as seen from the viewer's seat. None before the first round."""
    if not view.moment.round:
        return None
    return game_schema.schema_of(view.game).view(view.position, view.seat, view.revealed)


def commitment_data(round_commitment: RoundCommitment) -> JSONObject:
    return {
        "number": round_commitment.number,
        "commitment": round_commitment.commitment,
        "seed": round_commitment.seed,
    }


def _seat_data(seat_view: SeatView) -> JSONObject:
    names = ("name", "slug", "bot", "stand_in", "ready", "turn", "points", "place")
    return {"seat": seat_view.number} | {name: getattr(seat_view, name) for name in names}
