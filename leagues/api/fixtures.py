"""One fixture: when it is to be played, and what becomes of it where it is not."""

from __future__ import annotations

from typing import Any, Final

import django_filters as filters
from django.http import Http404
from django.utils import timezone
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import Filters, Word
from api.views import Act, Detail, Listing
from leagues.api.asking import InLeague, op
from leagues.api.people import Person
from leagues.models import Fixture, Match, Round
from leagues.operations import forfeits
from leagues.operations.reasons import in_words
from leagues.queries import fixtures
from leagues.queries.fixtures import FixtureLine

TAG: Final = "fixtures"


class FixtureSeatShown(serializers.Serializer[Any]):
    """Who is to sit where."""

    seat = serializers.IntegerField()
    player = Person()


class FixtureShown(serializers.Serializer[Any]):
    """Who is to meet whom, until when and why; its match, once there is one."""

    id = serializers.IntegerField()
    round = serializers.IntegerField()
    table = serializers.IntegerField(help_text="Its number within the round.")
    state = serializers.ChoiceField(choices=Fixture.State.values)
    deadline = serializers.DateTimeField()
    note = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField(), help_text="Why these meet.")
    seats = FixtureSeatShown(many=True)
    match = serializers.IntegerField(allow_null=True)
    match_state = serializers.ChoiceField(choices=Match.State.values, allow_null=True)

    def to_representation(self, instance: Any) -> Any:
        """A row with its seats at hand, or what `shown` made of one."""
        if isinstance(instance, Fixture):
            return shown(fixtures.line_from(instance), instance.round)
        return instance


def shown(line: FixtureLine, of: Round) -> dict[str, Any]:
    """A fixture of a round."""
    row, match = line.fixture, line.match
    return {
        "id": row.pk,
        "round": of.number,
        "table": row.number,
        "state": row.state,
        "deadline": row.deadline,
        "note": row.remark,
        "reasons": in_words(row.reasons),
        "seats": [
            {"seat": seat.side, "player": {"name": seat.player.name, "slug": seat.player.slug}}
            for seat in line.seats
        ],
        "match": match.pk if match else None,
        "match_state": match.state if match else None,
    }


class FixtureFilter(Filters):
    """Which fixtures."""

    state = filters.ChoiceFilter(choices=Fixture.State.choices)
    player = Word(method="of_player")

    def of_player(self, rows: Any, name: str, value: str) -> Any:
        """Where the player of this address sits."""
        return rows.filter(seats__player__slug=value)


@extend_schema_view(get=op("fixtures_list", TAG, FixtureShown(many=True)))
class Fixtures(InLeague, Listing):
    """The fixtures of a league, those that are due first before others."""

    queryset = Fixture.objects.none()
    serializer_class = FixtureShown
    filterset_class = FixtureFilter
    ordering = ("deadline", "pk")

    def get_queryset(self) -> Any:
        """Those of the league."""
        return fixtures.with_seats().filter(round__league=self.league)


class OfFixture(InLeague):
    """A resource of a fixture of a league."""

    serializer_class = FixtureShown

    def get_object(self) -> Fixture:
        """The fixture. Raises Http404."""
        rows = fixtures.with_seats().filter(round__league=self.league)
        found = rows.filter(pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        return found


@extend_schema_view(get=op("fixtures_read", TAG, FixtureShown))
class FixtureOne(OfFixture, Detail):
    """One fixture."""


class _Changed(OfFixture, Act):
    """What an organiser does with a fixture; the answer is how it stands then."""

    def told(self) -> Response:
        """The fixture as it stands."""
        return Response(self.get_serializer(self.get_object()).data)


class Postponed(serializers.Serializer[Any]):
    """A later deadline."""

    deadline = serializers.DateTimeField()
    note = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")


@extend_schema_view(post=op("fixtures_postpone", TAG, FixtureShown))
class FixturePostponing(_Changed):
    """Give a fixture a later deadline."""

    asks_for = Postponed

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        given = self.read(request)
        by, at = self.acting(), timezone.now()
        forfeits.postpone(fixture=self.get_object(), by=by, at=at, **given)
        return self.told()


class Forfeited(serializers.Serializer[Any]):
    """Who did not come."""

    seats = serializers.ListField(
        child=serializers.IntegerField(min_value=0, max_value=5), min_length=1, max_length=6
    )
    note = serializers.CharField(max_length=200, allow_blank=True, required=False, default="")


@extend_schema_view(post=op("fixtures_forfeit", TAG, FixtureShown))
class FixtureForfeiting(_Changed):
    """Who did not come loses: a result without points."""

    asks_for = Forfeited

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        given = self.read(request)
        by, at = self.acting(), timezone.now()
        forfeits.forfeit(
            fixture=self.get_object(), seats=set(given["seats"]), by=by, at=at, note=given["note"]
        )
        return self.told()


class FixtureReason(serializers.Serializer[Any]):
    """A word why."""

    reason = serializers.CharField(max_length=200)


@extend_schema_view(post=op("fixtures_void", TAG, FixtureShown))
class FixtureVoiding(_Changed):
    """Strike a fixture: nobody plays it, nobody loses it."""

    asks_for = FixtureReason

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        reason = self.read(request)["reason"]
        forfeits.void_fixture(fixture=self.get_object(), by=self.acting(), reason=reason)
        return self.told()


@extend_schema_view(post=op("fixtures_restore", TAG, FixtureShown))
class FixtureRestoring(_Changed):
    """Open a void fixture again."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        fixture = self.get_object()
        forfeits.restore_fixture(fixture=fixture, by=self.acting(), at=timezone.now())
        return self.told()
