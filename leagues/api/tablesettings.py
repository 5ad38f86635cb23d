"""A table to be laid, as programs write it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404
from rest_framework import serializers

from leagues.api.people import RuleOptions
from leagues.models import Fixture, League, Player, Table
from leagues.operations.tables import House
from leagues.rules import may_view


class BotSeat(serializers.Serializer[Any]):
    """A bot by its key, and where it sits."""

    seat = serializers.IntegerField(min_value=0, max_value=5)
    bot = serializers.CharField(max_length=20)


class NewTable(serializers.Serializer[Any]):
    """Game, rules and seats, or a league or one of its fixtures, which bring them."""

    game = serializers.CharField(max_length=20, required=False, default="")
    profile = serializers.CharField(max_length=30, required=False, default="")
    rules = RuleOptions(required=False, help_text="Options, where the profile is “own”.")
    seats = serializers.IntegerField(min_value=2, max_value=6, required=False, default=2)
    bots = serializers.ListField(child=BotSeat(), required=False, max_length=6)
    host_sits = serializers.BooleanField(required=False, default=True)
    pace = serializers.ChoiceField(
        choices=Table.Pace.values, required=False, default=Table.Pace.LIVE
    )
    allowance = serializers.IntegerField(
        min_value=1,
        max_value=900,
        required=False,
        help_text="A move may take so many seconds (5 to 900), or days (1 to 14), by pace.",
    )
    seating = serializers.ChoiceField(
        choices=Table.Seating.values, required=False, default=Table.Seating.LINK
    )
    watch = serializers.ChoiceField(
        choices=Table.Watch.values, required=False, default=Table.Watch.ANYBODY
    )
    delay = serializers.IntegerField(min_value=0, max_value=3600, required=False, default=30)
    rated = serializers.BooleanField(required=False, default=True)
    league = serializers.SlugField(max_length=80, required=False)
    fixture = serializers.IntegerField(min_value=0, max_value=2**63 - 1, required=False)


def arguments(given: Mapping[str, Any], by: Player) -> dict[str, Any]:
    """What `lay_table` is asked for. Raises Http404 for a league that may not be seen."""
    asked: dict[str, Any] = {"house": _house(given), "host_sits": given["host_sits"]}
    asked["bots"] = {one["seat"]: one["bot"] for one in given.get("bots", ())}
    if "fixture" in given:
        return asked | {"fixture": _fixture(given["fixture"], by)}
    if "league" in given:
        return asked | {"league": _league(given["league"], by)}
    rules = {"game": given["game"], "profile": given["profile"], "seats": given["seats"]}
    return asked | rules | {"options": given.get("rules")}


def _house(given: Mapping[str, Any]) -> House:
    pace = Table.Pace(given["pace"])
    usual = 60 if pace is Table.Pace.LIVE else 1
    return House(
        pace=pace,
        allowance=given.get("allowance", usual),
        seating=Table.Seating(given["seating"]),
        watch=Table.Watch(given["watch"]),
        delay=given["delay"],
        rated=given["rated"],
    )


def _league(slug: str, by: Player) -> League:
    found = League.objects.filter(slug=slug).first()
    if found is None or not may_view(by, found, knows_link=True):
        raise Http404
    return found


def _fixture(key: int, by: Player) -> Fixture:
    """Numbers can be counted up: who names one knows no league's address by that."""
    found = Fixture.objects.select_related("round__league").filter(pk=key).first()
    if found is None or not may_view(by, found.round.league):
        raise Http404
    return found
