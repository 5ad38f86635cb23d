"""Request bodies must have the types of the schema, including nested values."""

from typing import Any

import pytest
from rest_framework import serializers

from api.parsing import type_errors


class Seat(serializers.Serializer[Any]):
    number = serializers.IntegerField()


class Asked(serializers.Serializer[Any]):
    name = serializers.CharField()
    open = serializers.BooleanField()
    seats = Seat(many=True)
    shares = serializers.DictField(child=serializers.FloatField())
    content = serializers.JSONField()


@pytest.mark.parametrize(
    ("body", "blamed"),
    [
        ({"name": "a", "open": True, "seats": [{"number": 1}], "content": {"x": 1}}, []),
        ({"shares": {"a": 1, "b": 1.5}, "name": None}, []),
        ({"name": 7}, ["name"]),
        ({"open": "true", "stranger": 1}, ["open", "stranger"]),
        ({"seats": [{"number": 1}, {"number": True}]}, ["seats"]),
        ({"seats": [{"number": 1, "more": 2}]}, ["seats"]),
        ({"seats": 7, "shares": [1]}, []),  # the fields' own validation reports these
        ({"shares": {"a": "1"}}, ["shares"]),
        ([], []),
    ],
)
def test_values_of_wrong_types_are_reported_by_field(body: Any, blamed: list[str]) -> None:
    assert sorted(type_errors(Asked(), body)) == blamed


def test_whole_number_may_be_written_with_a_decimal_point_in_json() -> None:
    assert type_errors(Seat(), {"number": 7.0}) == {}
    assert set(type_errors(Seat(), {"number": 7.5})) == {"number"}
