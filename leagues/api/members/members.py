"""API resources of members and guests: roles, withdrawals, claims and merges."""

from __future__ import annotations

from typing import Final

import django_filters as filters
from django.db.models import QuerySet
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from api.filters import StrictFilterSet
from api.types import JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from leagues.api.matches.sheets import ConsequencesShown, consequences_data
from leagues.api.people import Person, person
from leagues.api.resources import LeagueResource, VisitorResource, op
from leagues.exceptions import NotAllowed, OperationError
from leagues.members.operations import merging
from leagues.members.operations.membership import (
    FixtureHandling,
    WithdrawalPreview,
    add_guest,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.members_read.queries import members_of, visible_leagues
from leagues.models import Claim, Member, Merge, Player
from leagues.permissions import may_organise

TAG: Final = "members"


class MemberShown(serializers.ModelSerializer[Member]):
    """A member with role and dates of joining and leaving."""

    player = Person()
    guest = serializers.BooleanField(source="player.is_guest", help_text="Without an account.")

    class Meta:
        model = Member
        fields = ["id", "player", "guest", "role", "plays", "joined_at", "withdrawn_at"]


class MemberFilter(StrictFilterSet):
    """Filter of the list of members."""

    role = filters.ChoiceFilter(choices=Member.Role.choices)


class NewGuest(serializers.Serializer[JSONObject]):
    """A guest to add, that is a player without an account."""

    name = CleanCharField(max_length=60)


@extend_schema_view(get=op("members_list", TAG, MemberShown(many=True)))
class Members(LeagueResource, ListView):
    """List the members of the league. A POST adds a guest."""

    queryset = Member.objects.none()
    serializer_class = MemberShown
    filterset_class = MemberFilter
    ordering = ("joined_at", "pk")

    def get_queryset(self) -> QuerySet[Member]:
        rows = Member.objects.filter(league=self.league)
        return rows.select_related("player__merged_into")

    @op("members_add_guest", TAG, {201: MemberShown})
    @idempotent(NewGuest)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Add a guest, for organisers and scorers."""
        name = self.read(request)["name"]
        added = add_guest(league=self.league, name=name, by=self.acting(), at=timezone.now())
        return Response(self.get_serializer(added).data, status=201)


class MemberResource(LeagueResource):
    """Base resource of a member of a league."""

    def member(self) -> Member:
        """Return the member named in the URL. Raises Http404."""
        rows = Member.objects.select_related("player__merged_into").filter(league=self.league)
        member = rows.filter(pk=self.kwargs["pk"]).first()
        if member is None:
            raise Http404
        return member


class NewRole(serializers.Serializer[JSONObject]):
    """A new role for a member."""

    role = serializers.ChoiceField(choices=Member.Role.values)


class Leaving(serializers.Serializer[JSONObject]):
    """The choice of what happens to open fixtures of a member who withdraws."""

    handling = serializers.ChoiceField(
        choices=list(FixtureHandling),
        required=False,
        default=FixtureHandling.FORFEIT,
        help_text=(
            "In the last round of a Swiss league, `match` lets a player with the bye play instead, "
            "and `bye` gives the opponent a bye."
        ),
    )


class Going(serializers.Serializer[JSONObject]):
    """Numbers of the fixtures that a withdrawal from the league affects, and of the matches that
    stay pending.
    """

    fixtures = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.ListField(child=serializers.IntegerField())
    handlings = serializers.ListField(
        child=serializers.ChoiceField(choices=list(FixtureHandling)),
        help_text="What can happen to the fixtures, the choice of the pages first.",
    )
    stand_in = Person(allow_null=True, help_text="The player with a bye who plays with `match`.")


@extend_schema_view(get=op("members_preview_leaving", TAG, Going))
class MemberLeaving(MemberResource, DetailView):
    """Preview a member's withdrawal from the league. A POST withdraws the member."""

    serializer_class = Going

    def get_object(self) -> WithdrawalPreview:
        return preview_withdrawal(league=self.league, player=self.member().player)

    def represent(self, row: WithdrawalPreview) -> JSONObject:
        return {
            "fixtures": [fixture.pk for fixture in row.fixtures],
            "waiting": [fixture.pk for fixture in row.waiting],
            "handlings": [handling.value for handling in row.handlings],
            "stand_in": person(row.stand_in) if row.stand_in is not None else None,
        }

    @op("members_leave", TAG, Going)
    @idempotent(Leaving)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Withdraw from the league, for the member and for organisers."""
        handling = FixtureHandling(self.read(request)["handling"])
        gone = withdraw(
            league=self.league,
            player=self.member().player,
            by=self.acting(),
            at=timezone.now(),
            handling=handling,
        )
        return Response(self.represent(gone))


class GuestToken(serializers.Serializer[JSONObject]):
    """Token of a link to a guest, with which the guest can play on any device or join an
    account.
    """

    token = serializers.CharField()


class MemberViewSet(ViewSetMixin, MemberResource):
    """Actions on a member of a league."""

    @op("members_set_role", TAG, MemberShown)
    @idempotent(NewRole)
    def set_role(self, request: Request, slug: str, pk: int) -> Response:
        """Change the role of a member, for organisers.

        A league always has at least one organiser.
        """
        role, player = Member.Role(self.read(request)["role"]), self.member().player
        row = set_role(
            league=self.league, player=player, role=role, by=self.acting(), at=timezone.now()
        )
        return Response(MemberShown(row).data)

    @op("members_return", TAG, MemberShown)
    @idempotent()
    def let_return(self, request: Request, slug: str, pk: int) -> Response:
        """Let a withdrawn member play again, for organisers."""
        player = self.member().player
        row = return_to_league(league=self.league, player=player, by=self.acting())
        return Response(MemberShown(row).data)

    @op("members_guest_link", TAG, GuestToken)
    @idempotent()
    def create_link(self, request: Request, slug: str, pk: int) -> Response:
        """Create a link to a guest, valid for thirty days, for users who may manage the guest."""
        return Response({"token": merging.guest_link(guest=self.member().player, by=self.acting())})


class ClaimShown(serializers.ModelSerializer[Claim]):
    """A claim by a user that a guest is them."""

    guest = Person()
    by = Person()

    class Meta:
        model = Claim
        fields = ["id", "guest", "by", "at", "answered_at", "granted"]


@extend_schema_view(get=op("claims_list", TAG, ClaimShown(many=True), 403))
class Claims(LeagueResource, ListView):
    """List pending claims of guests of the league, for organisers."""

    queryset = Claim.objects.none()
    serializer_class = ClaimShown
    ordering = ("at", "pk")

    def get_queryset(self) -> QuerySet[Claim]:
        """Return the pending claims. Raises NotAllowed."""
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        return claims_of(self.league.pk).filter(answered_at=None)


def claims_of(league: int) -> QuerySet[Claim]:
    rows = Claim.objects.filter(guest__memberships__league=league).distinct()
    return rows.select_related("guest__merged_into", "by__merged_into")


class Answer(serializers.Serializer[JSONObject]):
    """Whether the claim to be a guest is accepted."""

    granted = serializers.BooleanField()


class ClaimAnswer(LeagueResource):
    """Accept or reject a claim to be a guest. Accepting it merges the guest into the claimant."""

    @op("claims_answer", TAG, ClaimShown)
    @idempotent(Answer)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Answer the claim, for organisers other than the claimant."""
        granted = self.read(request)["granted"]
        claim = claims_of(self.league.pk).filter(pk=self.kwargs["pk"]).first()
        if claim is None or not may_organise(self.acting(), self.league):
            raise Http404
        merging.answer_claim(claim=claim, granted=granted, by=self.acting(), at=timezone.now())
        return Response(ClaimShown(claims_of(self.league.pk).get(pk=claim.pk)).data)


PLAYERS_TAG: Final = "players"


@extend_schema_view(get=op("players_preview_claim", PLAYERS_TAG, ConsequencesShown, 409))
class PlayerClaim(VisitorResource, DetailView):
    """Preview the merge of a guest into the user's player. A POST claims to be the guest."""

    serializer_class = ConsequencesShown

    def get_object(self) -> Player:
        """Return a guest in a league that the user may know of. Raises Http404."""
        player = Player.objects.filter(slug=self.kwargs["slug"]).first()
        if self.person is None:
            raise NotAuthenticated
        if player is None or not visible_leagues(of=player, to=self.player):
            raise Http404
        return player

    def represent(self, row: Player) -> JSONObject:
        """Return the effects of the merge, or only the guest's name if the guest has never
        played.
        """
        if self.player is None:
            raise Http404
        known = {league.pk for league in visible_leagues(of=row, to=self.player)}
        return consequences_data(merging.preview_merge(absorbed=row, kept=self.player, among=known))

    @op("players_claim", PLAYERS_TAG, {201: ClaimShown})
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Claim to be the guest. An organiser accepts or rejects the claim."""
        guest = self.get_object()
        claim = merging.propose_claim(guest=guest, by=self.acting(), at=timezone.now())
        return Response(ClaimShown(claim).data, status=201)


class Merged(serializers.Serializer[JSONObject]):
    """A merge of two players, with the number that undoes it."""

    id = serializers.IntegerField()
    absorbed = Person()
    kept = Person()
    undone_at = serializers.DateTimeField(allow_null=True)


def merge_data(row: Merge) -> JSONObject:
    """Return a merge of a guest into a player as JSON, with the guest's former name."""
    return {
        "id": row.pk,
        "absorbed": {"name": row.absorbed.name, "slug": row.absorbed.slug},
        "kept": person(row.kept),
        "undone_at": row.undone_at,
    }


@extend_schema_view(get=op("guests_read", PLAYERS_TAG, Person))
class GuestLink(VisitorResource, DetailView):
    """The guest of a link. A POST merges the guest into the user's account."""

    serializer_class = Person

    def get_object(self) -> Player:
        """Return the guest of the link. Raises Http404 if the link is invalid or expired."""
        try:
            return merging.guest_of_link(self.kwargs["token"])
        except OperationError as error:
            raise Http404 from error

    @op("guests_claim", PLAYERS_TAG, Merged)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Merge the guest into the user's account."""
        self.get_object()
        token, at = self.kwargs["token"], timezone.now()
        return Response(merge_data(merging.claim_by_link(token=token, by=self.acting(), at=at)))


class SamePerson(serializers.Serializer[JSONObject]):
    """The player into whom the guest is merged."""

    into = serializers.SlugField(
        max_length=80, help_text="The address of another guest of the league, or your own."
    )


@extend_schema_view(get=op("members_preview_merge", "members", ConsequencesShown, 403, 409))
class MemberMerging(MemberResource, DetailView):
    """Preview the merge of a guest into another player. A POST merges them."""

    serializer_class = ConsequencesShown
    query_serializer_class = SamePerson

    def get_object(self) -> Player:
        """Return the guest, for organisers. Raises NotAuthenticated and NotAllowed."""
        if self.person is None:
            raise NotAuthenticated
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do this."))
        return self.member().player

    def represent(self, row: Player) -> JSONObject:
        into = self._into(row, self.read_query(self.request)["into"])
        known = {league.pk for league in visible_leagues(of=row, to=self.player)}
        return consequences_data(merging.preview_merge(absorbed=row, kept=into, among=known))

    @op("members_merge", "members", Merged)
    @idempotent(SamePerson)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Merge a guest into another player, for organisers.

        The response has the number that undoes it.
        """
        guest = self.get_object()
        into = self._into(guest, self.read(request)["into"])
        row = merging.merge_players(absorbed=guest, kept=into, by=self.acting(), at=timezone.now())
        return Response(merge_data(row))

    def _into(self, guest: Player, slug: str) -> Player:
        """Return the other player of the league. Raises OperationError."""
        people = merging.mergeable_with(guest, members_of(self.league), self.acting())
        account = next((player for player in people if player.slug == slug), None)
        if account is None:
            raise OperationError(
                _("There is no other guest “%s” in this league.") % slug, field="into"
            )
        return account


class MergeUndoing(VisitorResource):
    """Undo a merge: standings and ratings return to what they were."""

    @op("merges_undo", PLAYERS_TAG, Merged)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Undo the merge, for the owner of the account and users who may manage the guest."""
        rows = Merge.objects.select_related("kept", "absorbed")
        row, me = rows.filter(pk=self.kwargs["pk"]).first(), self.acting()
        if row is None or not merging.may_undo(me, row):
            raise Http404
        merging.undo_merge(merge=row, by=me, at=timezone.now())
        return Response(merge_data(rows.get(pk=row.pk)))
