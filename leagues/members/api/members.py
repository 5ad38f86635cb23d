"""API resources of members and guests: roles, leaving, claims and merges."""

from __future__ import annotations

from typing import Any, Final

import django_filters as filters
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.filters import StrictFilterSet
from api.views import ActionView, DetailView, ListView
from leagues.api import LeagueResource, VisitorResource, op
from leagues.exceptions import NotAllowed, OperationError
from leagues.matches.api.sheets import ConsequencesShown, consequences_data
from leagues.members.api.serializers import Person, person
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
from leagues.members.queries import members_of, visible_leagues
from leagues.models import Claim, Member, Merge, Player
from leagues.permissions import may_organise

TAG: Final = "members"


class MemberShown(serializers.ModelSerializer[Member]):
    """Who is in a league, in which role, since when and until when."""

    player = Person()
    guest = serializers.BooleanField(source="player.is_guest", help_text="Without an account.")

    class Meta:
        model = Member
        fields = ["id", "player", "guest", "role", "plays", "joined_at", "withdrawn_at"]


class MemberFilter(StrictFilterSet):
    """Which members."""

    role = filters.ChoiceFilter(choices=Member.Role.choices)


class NewGuest(serializers.Serializer[Any]):
    """Somebody without an account."""

    name = serializers.CharField(max_length=60)


@extend_schema_view(
    get=op("members_list", TAG, MemberShown(many=True)),
    post=op("members_add_guest", TAG, {201: MemberShown}),
)
class Members(LeagueResource, ActionView, ListView):
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


class MemberResource(LeagueResource):
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
class MemberRole(MemberResource, ActionView):
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
        choices=list(FixtureHandling), required=False, default=FixtureHandling.FORFEIT
    )


class Going(serializers.Serializer[Any]):
    """Fixtures and matches, by number, that leaving touches or leaves to go their way."""

    fixtures = serializers.ListField(child=serializers.IntegerField())
    waiting = serializers.ListField(child=serializers.IntegerField())


@extend_schema_view(
    get=op("members_preview_leaving", TAG, Going), post=op("members_leave", TAG, Going)
)
class MemberLeaving(MemberResource, ActionView, DetailView):
    """What leaving would bring; a POST leaves, or withdraws somebody."""

    serializer_class = Going
    asks_for = Leaving

    def get_object(self) -> WithdrawalPreview:
        """Worked out, nothing written."""
        return preview_withdrawal(league=self.league, player=self.member().player)

    def represent(self, row: WithdrawalPreview) -> dict[str, Any]:
        """By their numbers."""
        return {
            "fixtures": [one.pk for one in row.fixtures],
            "waiting": [one.pk for one in row.waiting],
        }

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By oneself, or by an organiser."""
        handling = FixtureHandling(self.read(request)["handling"])
        gone = withdraw(
            league=self.league,
            player=self.member().player,
            by=self.acting(),
            at=timezone.now(),
            handling=handling,
        )
        return Response(self.represent(gone))


@extend_schema_view(post=op("members_return", TAG, MemberShown))
class MemberReturning(MemberResource, ActionView):
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
class MemberLink(MemberResource, ActionView):
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
class Claims(LeagueResource, ListView):
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
class ClaimAnswer(LeagueResource, ActionView):
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


PLAYERS_TAG: Final = "players"


@extend_schema_view(
    get=op("players_preview_claim", PLAYERS_TAG, ConsequencesShown, 409),
    post=op("players_claim", PLAYERS_TAG, {201: ClaimShown}),
)
class PlayerClaim(VisitorResource, ActionView, DetailView):
    """What would move if a guest were who asks; a POST says “that is me”."""

    serializer_class = ConsequencesShown

    def get_object(self) -> Player:
        """The guest, in a league that who asks may know of. Raises Http404."""
        found = Player.objects.filter(slug=self.kwargs["slug"]).first()
        if self.person is None:
            raise NotAuthenticated
        if found is None or not visible_leagues(of=found, to=self.player):
            raise Http404
        return found

    def represent(self, row: Player) -> dict[str, Any]:
        """The consequences; of one who never played, none but the guest's name."""
        if self.player is None:
            raise Http404
        known = {league.pk for league in visible_leagues(of=row, to=self.player)}
        return consequences_data(merging.preview_merge(absorbed=row, kept=self.player, among=known))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """An organiser answers."""
        guest = self.get_object()
        claim = merging.propose_claim(guest=guest, by=self.acting(), at=timezone.now())
        return Response(ClaimShown(claim).data, status=201)


class Merged(serializers.Serializer[Any]):
    """Who was merged into whom, and by which number that is undone."""

    id = serializers.IntegerField()
    absorbed = Person()
    kept = Person()
    undone_at = serializers.DateTimeField(allow_null=True)


def merge_data(row: Merge) -> dict[str, Any]:
    """A merge; the guest under the name that it bore."""
    return {
        "id": row.pk,
        "absorbed": {"name": row.absorbed.name, "slug": row.absorbed.slug},
        "kept": person(row.kept),
        "undone_at": row.undone_at,
    }


@extend_schema_view(
    get=op("guests_read", PLAYERS_TAG, Person), post=op("guests_claim", PLAYERS_TAG, Merged)
)
class GuestLink(VisitorResource, ActionView, DetailView):
    """The guest of a link; a POST takes it into one's account."""

    serializer_class = Person

    def get_object(self) -> Player:
        """The guest. Raises Http404 for a link that is old or none."""
        try:
            return merging.guest_of_link(self.kwargs["token"])
        except OperationError as error:
            raise Http404 from error

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What the guest played is one's own from now on."""
        self.get_object()
        token, at = self.kwargs["token"], timezone.now()
        return Response(merge_data(merging.claim_by_link(token=token, by=self.acting(), at=at)))


class SamePerson(serializers.Serializer[Any]):
    """Whom a guest is the same person as."""

    into = serializers.SlugField(
        max_length=80, help_text="The address of another guest of the league, or your own."
    )


@extend_schema_view(
    get=op("members_preview_merge", "members", ConsequencesShown, 403, 409),
    post=op("members_merge", "members", Merged),
)
class MemberMerging(MemberResource, ActionView, DetailView):
    """What would move if a guest were merged into another; a POST merges them."""

    serializer_class = ConsequencesShown
    asks_for = questions = SamePerson

    def get_object(self) -> Player:
        """The guest, for organisers. Raises NotAuthenticated and NotAllowed."""
        if self.person is None:
            raise NotAuthenticated
        if not may_organise(self.player, self.league):
            raise NotAllowed(_("Only an organiser of the league can do that."))
        return self.member().player

    def represent(self, row: Player) -> dict[str, Any]:
        """The consequences, in leagues that who asks may know of."""
        into = self._into(row, self.asked(self.request)["into"])
        known = {league.pk for league in visible_leagues(of=row, to=self.player)}
        return consequences_data(merging.preview_merge(absorbed=row, kept=into, among=known))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; undone by the number it answers with."""
        guest = self.get_object()
        into = self._into(guest, self.read(request)["into"])
        row = merging.merge_players(absorbed=guest, kept=into, by=self.acting(), at=timezone.now())
        return Response(merge_data(row))

    def _into(self, guest: Player, slug: str) -> Player:
        """Another guest of the league. Raises OperationError."""
        people = merging.mergeable_with(guest, members_of(self.league), self.acting())
        found = next((player for player in people if player.slug == slug), None)
        if found is None:
            raise OperationError(
                _("“%s” is not another guest in this league.") % slug, field="into"
            )
        return found


@extend_schema_view(post=op("merges_undo", PLAYERS_TAG, Merged))
class MergeUndoing(VisitorResource, ActionView):
    """Take a merge back: standings and ratings are again what they were."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whose account it is, or who answers for the guest."""
        rows = Merge.objects.select_related("kept", "absorbed")
        row, me = rows.filter(pk=self.kwargs["pk"]).first(), self.acting()
        if row is None or not merging.may_undo(me, row):
            raise Http404
        merging.undo_merge(merge=row, by=me, at=timezone.now())
        return Response(merge_data(rows.get(pk=row.pk)))
