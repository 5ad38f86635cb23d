"""Who is in a league: guests, roles, leaving and coming back, and who says to be a guest."""

from __future__ import annotations

from typing import Any, Final

import django_filters as filters
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import Filters
from api.views import Act, Detail, Listing
from leagues.api.asking import InLeague, op
from leagues.api.people import Person
from leagues.models import Claim, Member
from leagues.operations import merging
from leagues.operations.errors import NotAllowed
from leagues.operations.members import (
    Handling,
    Withdrawal,
    add_guest,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.rules import may_organise

TAG: Final = "members"


class MemberShown(serializers.ModelSerializer[Member]):
    """Who is in a league, in which role, since when and until when."""

    player = Person()
    guest = serializers.BooleanField(source="player.is_guest", help_text="Without an account.")

    class Meta:
        model = Member
        fields = ["id", "player", "guest", "role", "plays", "joined_at", "withdrawn_at"]


class MemberFilter(Filters):
    """Which members."""

    role = filters.ChoiceFilter(choices=Member.Role.choices)


class NewGuest(serializers.Serializer[Any]):
    """Somebody without an account."""

    name = serializers.CharField(max_length=60)


@extend_schema_view(
    get=op("members_list", TAG, MemberShown(many=True)),
    post=op("members_add_guest", TAG, {201: MemberShown}),
)
class Members(InLeague, Act, Listing):
    """Everybody in the league; a POST adds a guest."""

    queryset = Member.objects.none()
    serializer_class = MemberShown
    asks_for = NewGuest
    filterset_class = MemberFilter
    ordering = ("joined_at", "pk")

    def get_queryset(self) -> Any:
        """Those of the league."""
        rows = Member.objects.filter(league=self.league)
        return rows.select_related("player__merged_into")

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser or a scorer."""
        name = self.read(request)["name"]
        added = add_guest(league=self.league, name=name, by=self.acting(), at=timezone.now())
        return Response(self.get_serializer(added).data, status=201)


class OfMember(InLeague):
    """A resource of a member of a league."""

    def member(self) -> Member:
        """The member. Raises Http404."""
        rows = Member.objects.select_related("player__merged_into").filter(league=self.league)
        found = rows.filter(pk=self.kwargs["pk"]).first()
        if found is None:
            raise Http404
        return found


class NewRole(serializers.Serializer[Any]):
    """What a member may do."""

    role = serializers.ChoiceField(choices=Member.Role.values)


@extend_schema_view(post=op("members_set_role", TAG, MemberShown))
class MemberRole(OfMember, Act):
    """Give a member a role."""

    asks_for = NewRole

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; a league keeps one always."""
        role, player = Member.Role(self.read(request)["role"]), self.member().player
        row = set_role(
            league=self.league, player=player, role=role, by=self.acting(), at=timezone.now()
        )
        return Response(MemberShown(row).data)


class Leaving(serializers.Serializer[Any]):
    """What becomes of the fixtures still to be played."""

    handling = serializers.ChoiceField(
        choices=list(Handling), required=False, default=Handling.FORFEIT
    )


class Going(serializers.Serializer[Any]):
    """Fixtures and matches, by number, that leaving touches or leaves to go their way."""

    fixtures = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.ListField(child=serializers.IntegerField())


@extend_schema_view(
    get=op("members_preview_leaving", TAG, Going), post=op("members_leave", TAG, Going)
)
class MemberLeaving(OfMember, Act, Detail):
    """What leaving would bring; a POST leaves, or withdraws somebody."""

    serializer_class = Going
    asks_for = Leaving

    def get_object(self) -> Withdrawal:
        """Worked out, nothing written."""
        return preview_withdrawal(league=self.league, player=self.member().player)

    def represent(self, row: Withdrawal) -> dict[str, Any]:
        """By their numbers."""
        return {
            "fixtures": [one.pk for one in row.fixtures],
            "waiting": [one.pk for one in row.waiting],
        }

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By oneself, or by an organiser."""
        handling = Handling(self.read(request)["handling"])
        gone = withdraw(
            league=self.league,
            player=self.member().player,
            by=self.acting(),
            at=timezone.now(),
            handling=handling,
        )
        return Response(self.represent(gone))


@extend_schema_view(post=op("members_return", TAG, MemberShown))
class MemberReturning(OfMember, Act):
    """Let one who withdrew play again."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser."""
        player = self.member().player
        row = return_to_league(league=self.league, player=player, by=self.acting())
        return Response(MemberShown(row).data)


class GuestToken(serializers.Serializer[Any]):
    """What a guest takes the name by, on any device, or into an account."""

    token = serializers.CharField()


@extend_schema_view(post=op("members_guest_link", TAG, GuestToken))
class MemberLink(OfMember, Act):
    """The token for a guest in person; it opens for thirty days."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By who answers for the guest."""
        return Response({"token": merging.guest_link(guest=self.member().player, by=self.acting())})


class ClaimShown(serializers.ModelSerializer[Claim]):
    """Somebody says that a guest is they."""

    guest = Person()
    by = Person()

    class Meta:
        model = Claim
        fields = ["id", "guest", "by", "at", "answered_at", "granted"]


@extend_schema_view(get=op("claims_list", TAG, ClaimShown(many=True), 403))
class Claims(InLeague, Listing):
    """Claims of guests of the league that nobody has answered; for organisers."""

    queryset = Claim.objects.none()
    serializer_class = ClaimShown
    ordering = ("at", "pk")

    def get_queryset(self) -> Any:
        """Those that wait. Raises NotAllowed."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do that."))
        return claims_of(self.league.pk).filter(answered_at=None)


def claims_of(league: int) -> Any:
    """Claims of guests of a league."""
    rows = Claim.objects.filter(guest__memberships__league=league).distinct()
    return rows.select_related("guest__merged_into", "by__merged_into")


class Answer(serializers.Serializer[Any]):
    """Whether it is so."""

    granted = serializers.BooleanField()


@extend_schema_view(post=op("claims_answer", TAG, ClaimShown))
class ClaimAnswer(InLeague, Act):
    """Say yes or no to a claim; yes merges."""

    asks_for = Answer

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser, never of a claim of one's own."""
        granted = self.read(request)["granted"]
        claim = claims_of(self.league.pk).filter(pk=self.kwargs["pk"]).first()
        if claim is None or not may_organise(self.acting(), self.league):
            raise Http404
        merging.answer_claim(claim=claim, granted=granted, by=self.acting(), at=timezone.now())
        return Response(ClaimShown(claims_of(self.league.pk).get(pk=claim.pk)).data)
