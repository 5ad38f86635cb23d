"""Bodies say what the schema says: no member that is not there, no number in place of a text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.utils.translation import gettext as _
from rest_framework import serializers

KINDS: Final[tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...]], ...]] = (
    (serializers.BooleanField, (bool,)),
    (serializers.IntegerField, (int,)),
    (serializers.FloatField, (int, float)),
    (serializers.CharField, (str,)),
    (serializers.ChoiceField, (str,)),
    (serializers.DateTimeField, (str,)),
    (serializers.DateField, (str,)),
)
"""What a field of each kind is in JSON; the framework alone takes "7" for 7 and 7 for "7"."""


def faults(field: Any, value: Any) -> Any:
    """What of a value is of another shape than the field: a tree of sentences; empty: nothing.

    Nothing is said of what the field itself refuses: null, a length, a choice.
    """
    if value is None:
        return {}
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return _of_list(field.child, value)
    if isinstance(field, serializers.Serializer):
        return _of_object(field, value)
    if isinstance(field, serializers.DictField):
        return _of_members(dict.fromkeys(value, field.child), value) if _maps(value) else {}
    return [] if _is_of_kind(field, value) else [_("This value has the wrong type.")]


def _of_list(child: Any, value: Any) -> Any:
    if not isinstance(value, list):
        return {}
    found = {str(place): faults(child, one) for place, one in enumerate(value)}
    return {place: wrong for place, wrong in found.items() if wrong}


def _of_object(serializer: serializers.Serializer[Any], value: Any) -> Any:
    if not _maps(value):
        return {}
    fields = {name: field for name, field in serializer.fields.items() if not field.read_only}
    strangers = {name: [_("Unknown member.")] for name in value if name not in fields}
    return strangers | _of_members(fields, value)


def _of_members(fields: Mapping[str, Any], value: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: faults(field, value.get(name)) for name, field in fields.items()}
    return {name: wrong for name, wrong in found.items() if wrong}


def _maps(value: Any) -> bool:
    return isinstance(value, Mapping)


def _is_of_kind(field: Any, value: Any) -> bool:
    if isinstance(field, serializers.IntegerField) and isinstance(value, float):
        return value.is_integer()  # 7.0 is a whole number of JSON
    for kind, wanted in KINDS:
        if isinstance(field, kind):
            truth = isinstance(value, bool)
            return isinstance(value, wanted) and (not truth or bool in wanted)
    return True
