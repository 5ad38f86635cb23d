"""Sheets in the forms of their games: what the schema says of them, and the form of a draft."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.plumbing import ResolvedComponent
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from jsonschema.exceptions import best_match  # type: ignore[import-untyped]
from rest_framework import serializers

from api.problems import Problem
from leagues.api import telling
from leagues.games import games

ANY: Final = {"type": "object", "description": "What has another form the referee refuses."}
OWN: Final = frozenset({"$schema"})


class SheetDocument(serializers.JSONField):
    """A sheet in the form of its game (`sheet_schema` of the game)."""

    def to_internal_value(self, data: Any) -> Any:
        """The object, whatever its members: the referee tells what is wrong with them."""
        given = super().to_internal_value(data)
        if not isinstance(given, dict):
            raise serializers.ValidationError(_("This value must be an object."))
        return given


class SheetInSchema(OpenApiSerializerFieldExtension):  # type: ignore[no-untyped-call]
    """How the schema names it: one of the forms that games offer, a component each."""

    target_class = SheetDocument

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """A reference to each form."""
        offered = [game.key for game in games.all() if telling.of(game) is not telling.NOTHING]
        return {"anyOf": [*(_component(auto_schema, key) for key in offered), dict(ANY)]}


def _component(auto_schema: Any, key: str) -> Any:
    """The form of a game's sheets, under a name of its own."""
    form = telling.of(games[key]).sheet
    found = ResolvedComponent(  # type: ignore[no-untyped-call]
        name=f"{key.capitalize()}Sheet",
        type=ResolvedComponent.SCHEMA,
        object=f"sheet/{key}",
        schema={name: part for name, part in form.items() if name not in OWN},
    )
    auto_schema.registry.register_on_missing(found)
    return found.ref


def check_form(key: str, content: Any) -> None:
    """Raises Problem where a draft has not the form of the sheets of this game.

    A draft is not judged, and pages draw it as it stands: so its form is held to.
    """
    fault = best_match(_validator(key).iter_errors(content))
    if fault is not None:
        place = "/".join(["content", *map(str, fault.absolute_path)])
        raise Problem(
            422, _("A scoresheet for this game must have a different format."), field=place
        )


@lru_cache(maxsize=16)
def _validator(key: str) -> Draft202012Validator:
    return Draft202012Validator(telling.of(games[key]).sheet)
