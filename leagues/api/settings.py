"""A league's settings as programs write them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from rest_framework import serializers

from leagues.api.people import RuleOptions
from leagues.models import League
from leagues.operations.settings import DAYS, HOURS, ROUNDS, SEATS, Settings
from leagues.standings import Kind, TieBreak

WORTH: Final = r"^-?[0-9]{1,4}([./][0-9]{1,3})?$"
"""What a place is worth: a number, or a fraction of two."""


def whole(bounds: tuple[int, int], **more: Any) -> serializers.IntegerField:
    """A whole number within bounds."""
    low, high = bounds
    return serializers.IntegerField(min_value=low, max_value=high, **more)


class WrittenScoring(serializers.Serializer[Any]):
    """What a match counts in the standings; numbers as texts, so that a third stays a third."""

    kind = serializers.ChoiceField(choices=list(Kind), required=False)
    by_place = serializers.ListField(
        child=serializers.RegexField(WORTH), required=False, max_length=6
    )
    draw = serializers.RegexField(WORTH, required=False, allow_null=True)
    bye = serializers.RegexField(WORTH, required=False)


class ChangedLeague(serializers.Serializer[Any]):
    """What is to be set anew; what is left out stays."""

    name = serializers.CharField(max_length=60, required=False)
    about = serializers.CharField(max_length=1000, allow_blank=True, required=False)
    profile = serializers.CharField(
        max_length=30, required=False, help_text="A profile of the game, or “own” with rules."
    )
    rules = RuleOptions(required=False, help_text="Options, where the profile is “own”.")
    visibility = serializers.ChoiceField(choices=League.Visibility.values, required=False)
    format = serializers.ChoiceField(choices=League.Format.values, required=False)
    seats = whole(SEATS, required=False)
    rounds_planned = whole(ROUNDS, required=False, allow_null=True)
    days_a_round = whole(DAYS, required=False)
    scoring = WrittenScoring(required=False)
    tie_breaks = serializers.ListField(
        child=serializers.ChoiceField(choices=list(TieBreak)), required=False, max_length=11
    )
    cut = whole((1, 1000), required=False, allow_null=True)
    hours_to_object = whole(HOURS, required=False)
    zone = serializers.CharField(
        max_length=40, required=False, help_text="A time zone, such as Europe/Madrid."
    )


class NewLeague(ChangedLeague):
    """A league to be founded; what is left out is as usual."""

    name = serializers.CharField(max_length=60)
    game = serializers.CharField(max_length=20)
    profile = serializers.CharField(
        max_length=30, help_text="A profile of the game, or “own” with rules."
    )
    plays = serializers.BooleanField(
        required=False, default=True, help_text="Whether its founder plays."
    )


def changed(settings: Settings, given: Mapping[str, Any]) -> Settings:
    """The settings with what was sent in place of what was."""
    return replace(settings, **given)
