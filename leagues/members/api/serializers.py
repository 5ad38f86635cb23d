"""Serializers of people, ratings and rule options that all resources share."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from leagues.models import Player


class Person(serializers.Serializer[Any]):
    """A player as others name them: who answers for the name today."""

    name = serializers.CharField()
    slug = serializers.SlugField(help_text="Names the player in addresses and requests.")

    def to_representation(self, instance: Any) -> Any:
        """Whom they were merged into, where they were."""
        return person(instance)


def person(player: Player) -> dict[str, str]:
    """Name and address of who answers for a player."""
    found = player.merged_into or player
    return {"name": found.name, "slug": found.slug}


class Figure(serializers.Serializer[Any]):
    """A rating: a whole number, and half the width of its 95 % interval."""

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
    """Options of a rule set by name: texts, whole numbers, yes or no."""

    def to_internal_value(self, data: Any) -> Any:
        """The options; whether they make a rule set the game says."""
        given = super().to_internal_value(data)
        if not isinstance(given, dict) or len(given) > 40:
            raise serializers.ValidationError(_("Options must be given as an object."))
        whole = {name: _whole(value) for name, value in given.items()}
        if not all(_is_option(value) for value in whole.values()):
            raise serializers.ValidationError(
                _("An option must be text, a whole number, true or false.")
            )
        return whole


def _whole(value: Any) -> Any:
    """7.0 is a whole number of JSON."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _is_option(value: Any) -> bool:
    if isinstance(value, bool):
        return True
    if isinstance(value, int):
        return abs(value) <= 1_000_000
    return isinstance(value, str) and len(value) <= 20_000
