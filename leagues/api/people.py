"""Serializers of players, ratings and rule options, which all resources share."""

from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.types import JSON, JSONObject
from leagues.models import Player


class Person(serializers.Serializer[Player]):
    """Name and address of a player's page. A merged player is replaced by the other player."""

    name = serializers.CharField()
    slug = serializers.SlugField(help_text="Names the player in addresses and requests.")

    def to_representation(self, instance: Player) -> dict[str, str]:
        """Return a player as JSON, after merges."""
        return person(instance)


def person(player: Player) -> dict[str, str]:
    """Return name and address of a player, after merges."""
    shown_player = player.merged_into or player
    return {"name": shown_player.name, "slug": shown_player.slug}


class Figure(serializers.Serializer[JSONObject]):
    """A rating: an integer, and half the width of its 95 % interval."""

    rating = serializers.IntegerField()
    half_width = serializers.IntegerField()


@extend_schema_field(
    {
        "type": "object",
        "maxProperties": 40,
        "additionalProperties": {
            "oneOf": [
                {"type": "string", "maxLength": 20_000},
                {"type": "integer", "minimum": -1_000_000, "maximum": 1_000_000},
                {"type": "boolean"},
            ]
        },
    }
)
class RuleOptions(serializers.JSONField):
    """Rule options of a game by name: texts, integers or booleans."""

    def to_internal_value(self, data: JSON) -> JSONObject:
        """Accept any options. The game checks whether they are valid."""
        given = super().to_internal_value(data)
        if not isinstance(given, dict) or len(given) > 40:
            raise serializers.ValidationError(_("Options must be given as a JSON object."))
        options = {
            # In JSON, 7.0 is an integer too.
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in given.items()
        }
        if not all(_is_option(value) for value in options.values()):
            raise serializers.ValidationError(
                _("An option must be text, a whole number, true or false.")
            )
        return options


def _is_option(value: JSON) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return abs(value) <= 1_000_000
    return isinstance(value, str) and len(value) <= 20_000
