"""Serializers of matches, and of scoresheets in the format of their game."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from drf_spectacular.utils import Direction
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match, relevance
from rest_framework import serializers

from api.problems import Problem
from api.types import JSON, JSONObject
from leagues import matches_read as match_queries
from leagues.api.people import Person, person
from leagues.games import games
from leagues.games import schema as game_schema
from leagues.matches.operations.matches import may_rematch
from leagues.models import Dispute, Match, Player, Proposal
from leagues.permissions import Action, match_relation, permits

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema


class MatchSeatShown(serializers.Serializer[JSONObject]):
    """A player of a match with seat, side and result."""

    seat = serializers.IntegerField()
    side = serializers.IntegerField()
    player = Person()
    place = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)


class MatchSideShown(serializers.Serializer[JSONObject]):
    """A player, or partners, with their place and points."""

    side = serializers.IntegerField()
    players = Person(many=True)
    place = serializers.IntegerField(allow_null=True)
    points = serializers.IntegerField(allow_null=True)


class MatchLine(serializers.Serializer[Match | JSONObject]):
    """Summary of a match. Points and places are those of its present scoresheet."""

    id = serializers.IntegerField()
    game = serializers.CharField()
    league = serializers.SlugField(allow_null=True)
    fixture = serializers.IntegerField(allow_null=True)
    state = serializers.ChoiceField(choices=Match.State.values)
    origin = serializers.ChoiceField(choices=Match.Origin.values)
    version = serializers.IntegerField(help_text="Who acts names the one they saw.")
    rated = serializers.BooleanField()
    played_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()
    seats = MatchSeatShown(many=True)
    sides = MatchSideShown(many=True)

    def to_representation(self, instance: Match | JSONObject) -> JSONObject:
        """Return a match as JSON. It must have its seats loaded."""
        return match_line(instance) if isinstance(instance, Match) else instance


class DisputeShown(serializers.Serializer[JSONObject]):
    """A dispute about a result, open until it is settled."""

    by = Person()
    at = serializers.DateTimeField()
    reason = serializers.CharField()
    settled_at = serializers.DateTimeField(allow_null=True)
    settled_by = Person(allow_null=True)
    settled_by_played = serializers.BooleanField(
        help_text="Whether who settled it played in the match."
    )
    settlement = serializers.CharField(allow_blank=True)


class ProposalShown(serializers.Serializer[JSONObject]):
    """A proposal to settle a match, open until the other side answers it."""

    by = Person()
    at = serializers.DateTimeField()
    verdict = serializers.ChoiceField(choices=Proposal.Outcome.values)
    reason = serializers.CharField()
    answered_at = serializers.DateTimeField(allow_null=True)
    answered_by = Person(allow_null=True)
    accepted = serializers.BooleanField(
        allow_null=True, help_text="Null also if another decision came first."
    )


class MatchFull(MatchLine):
    """A match with its rules, its history and the actions that the user may perform now."""

    rules = serializers.JSONField()
    rules_hash = serializers.CharField()
    sheet = serializers.IntegerField(allow_null=True, help_text="The version that stands.")
    evidence = serializers.CharField(allow_null=True, help_text="score, open, sheet or log.")
    entered_by = Person(allow_null=True)
    handed_in_at = serializers.DateTimeField(allow_null=True)
    confirmed_by = Person(allow_null=True)
    confirmed_at = serializers.DateTimeField(allow_null=True)
    objections_until = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(allow_blank=True)
    voided_by = Person(allow_null=True)
    table = serializers.IntegerField(allow_null=True, help_text="Where it was played here.")
    disputes = DisputeShown(many=True)
    proposals = ProposalShown(many=True)
    actions = serializers.ListField(
        child=serializers.ChoiceField(choices=[*Action, "rematch"]),
        help_text="What who asks may do with it as it stands.",
    )
    key = serializers.CharField(allow_null=True, help_text="Opens it; for who sat there.")


def match_line(match: Match) -> JSONObject:
    """Return the summary of a match from `queries.with_seats`, without a query."""
    return {
        "id": match.pk,
        "game": match.game,
        "league": match.league.slug if match.league else None,
        "fixture": match.fixture_id,
        "state": match.state,
        "origin": match.origin,
        "version": match.version,
        "rated": match.rated,
        "played_at": match.played_at,
        "created_at": match.created_at,
        "seats": (seats := _seats(match)),
        "sides": _sides(seats),
    }


def _seats(match: Match) -> list[JSONObject]:
    sheet = match.sheet
    places, points = (sheet.places, sheet.points) if sheet else ([], [])
    return [
        {
            "seat": seat.number,
            "side": seat.side,
            "player": person(seat.player),
            "place": places[seat.number] if seat.number < len(places) else None,
            "points": points[seat.number] if seat.number < len(points) else None,
        }
        for seat in match.seats.all()
    ]


def _sides(seats: list[JSONObject]) -> list[JSONObject]:
    sides: dict[object, list[JSONObject]] = {}
    for seat in seats:
        sides.setdefault(seat["side"], []).append(seat)
    return [
        {
            "side": side,
            "players": [seat["player"] for seat in own],
            "place": own[0]["place"],
            "points": own[0]["points"],
        }
        for side, own in sides.items()
    ]


def full_match(key: int, player: Player | None) -> JSONObject:
    """Return a match in full as seen by a player, with a fixed number of queries."""
    rows = match_queries.with_seats(Match.objects.filter(pk=key))
    match = rows.select_related(
        "entered_by__merged_into", "confirmed_by__merged_into", "voided_by__merged_into", "table"
    ).get()
    relation, table = (
        match_relation(player, match, at=timezone.now()),
        getattr(match, "table", None),
    )
    actions = [action.value for action in Action if permits(relation, action, match.state)]
    if may_rematch(match, player):
        actions.append("rematch")
    disputes = match.disputes.select_related("by__merged_into", "settled_by__merged_into")
    proposals = match.proposals.select_related("by__merged_into", "answered_by__merged_into")
    seated = {seat.player.person_id for seat in match.seats.all()}
    return match_line(match) | {
        "rules": match.rules,
        "rules_hash": match.rules_hash,
        "sheet": match.sheet.number if match.sheet else None,
        "evidence": match.sheet.evidence if match.sheet else None,
        "entered_by": match.entered_by and person(match.entered_by),
        "handed_in_at": match.handed_in_at,
        "confirmed_by": match.confirmed_by and person(match.confirmed_by),
        "confirmed_at": match.confirmed_at,
        "objections_until": match.objections_until,
        "note": match.note,
        "table": table.pk if table else None,
        "voided_by": match.voided_by and person(match.voided_by),
        "disputes": [_dispute_data(dispute, seated) for dispute in disputes.order_by("-at", "-pk")],
        "proposals": [_proposal(proposal) for proposal in proposals.order_by("-at", "-pk")],
        "actions": actions,
        "key": match.key if relation.seated or relation.scores else None,
    }


def _dispute_data(row: Dispute, seated: Collection[int]) -> JSONObject:
    return {
        "by": person(row.by),
        "at": row.at,
        "reason": row.reason,
        "settled_at": row.settled_at,
        "settled_by": row.settled_by and person(row.settled_by),
        "settled_by_played": row.settled_by is not None and row.settled_by.person_id in seated,
        "settlement": row.settlement,
    }


def _proposal(row: Proposal) -> JSONObject:
    return {
        "by": person(row.by),
        "at": row.at,
        "verdict": row.outcome,
        "reason": row.reason,
        "answered_at": row.answered_at,
        "answered_by": row.answered_by and person(row.answered_by),
        "accepted": row.accepted,
    }


ANY_SHEET: Final = {"type": "object", "description": "What has another form the referee refuses."}
SCHEMA_KEYS: Final = frozenset({"$schema"})
MAX_FORM_ERRORS: Final = 50


class SheetDocument(serializers.JSONField):
    """A scoresheet in the format of its game (`sheet_schema` of the game)."""

    def to_internal_value(self, data: JSON) -> JSONObject:
        """Accept any object. Errors in its content are reported by the referee."""
        given = super().to_internal_value(data)
        if not isinstance(given, dict):
            raise serializers.ValidationError(_("This value must be an object."))
        return given


class SheetInSchema(OpenApiSerializerFieldExtension):
    """Schema of a scoresheet: the format of one of the games, each of which is a component."""

    target_class = SheetDocument

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> JSONObject:
        """Return references to the scoresheet formats of all games."""
        offered = [
            game.key
            for game in games.all_games()
            if game_schema.schema_of(game) is not game_schema.NO_SCHEMA
        ]
        return {"anyOf": [*(_component(auto_schema, key) for key in offered), dict(ANY_SHEET)]}


def _component(auto_schema: AutoSchema, key: str) -> JSONObject:
    form = game_schema.schema_of(games[key]).sheet()
    resolved_component = ResolvedComponent(
        name=f"{key.capitalize()}Sheet",
        type=ResolvedComponent.SCHEMA,
        object=f"sheet/{key}",
        schema={name: part for name, part in form.items() if name not in SCHEMA_KEYS},
    )
    auto_schema.registry.register_on_missing(resolved_component)
    return resolved_component.ref


def check_sheet_form(key: str, content: JSON) -> None:
    """Raise Problem if a draft does not match the scoresheet format of the game.

    Drafts are not checked against the rules, but pages render them, so their format must be valid.
    """
    faults = sorted(_validator(key).iter_errors(content), key=relevance, reverse=True)
    if not faults:
        return
    sentence = _("A scoresheet for this game must have a different format.")
    # If the draft matches none of several alternatives, the error of the best-fitting alternative
    # is reported.
    paths = (best_match([fault]).absolute_path for fault in faults[:MAX_FORM_ERRORS])
    pointers = dict.fromkeys("/".join(["/content", *map(str, path)]) for path in paths)
    errors = [{"pointer": pointer, "detail": sentence} for pointer in pointers]
    raise Problem(422, sentence, extra={"errors": errors})


@lru_cache(maxsize=16)
def _validator(key: str) -> Draft202012Validator:
    return Draft202012Validator(game_schema.schema_of(games[key]).sheet())
