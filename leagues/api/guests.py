"""Guests who turn out to be somebody: claims, links, and a merge undone."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.views import Act, Detail
from leagues.api.asking import ByPlayer, op
from leagues.api.members import ClaimShown, OfMember
from leagues.api.people import Person, person
from leagues.api.sheets import ConsequencesShown, told
from leagues.models import Merge, Player
from leagues.operations import merging
from leagues.operations.errors import NotAllowed, OperationError
from leagues.queries.careers import visible_leagues
from leagues.queries.people import members_of
from leagues.rules import may_organise

TAG: Final = "players"


@extend_schema_view(
    get=op("players_preview_claim", TAG, ConsequencesShown, 409),
    post=op("players_claim", TAG, {201: ClaimShown}),
)
class PlayerClaim(ByPlayer, Act, Detail):
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
        return told(merging.preview_merge(absorbed=row, kept=self.player, among=known))

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


def merged(row: Merge) -> dict[str, Any]:
    """A merge; the guest under the name that it bore."""
    return {
        "id": row.pk,
        "absorbed": {"name": row.absorbed.name, "slug": row.absorbed.slug},
        "kept": person(row.kept),
        "undone_at": row.undone_at,
    }


@extend_schema_view(get=op("guests_read", TAG, Person), post=op("guests_claim", TAG, Merged))
class GuestLink(ByPlayer, Act, Detail):
    """The guest of a link; a POST takes it into one's account."""

    serializer_class = Person

    def get_object(self) -> Player:
        """The guest. Raises Http404 for a link that is old or none."""
        try:
            return merging.guest_behind(self.kwargs["token"])
        except OperationError as error:
            raise Http404 from error

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """What the guest played is one's own from now on."""
        self.get_object()
        token, at = self.kwargs["token"], timezone.now()
        return Response(merged(merging.claim_by_link(token=token, by=self.acting(), at=at)))


class SamePerson(serializers.Serializer[Any]):
    """Whom a guest is the same person as."""

    into = serializers.SlugField(
        max_length=80, help_text="The address of another guest of the league, or your own."
    )


@extend_schema_view(
    get=op("members_preview_merge", "members", ConsequencesShown, 403, 409),
    post=op("members_merge", "members", Merged),
)
class MemberMerging(OfMember, Act, Detail):
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
        return told(merging.preview_merge(absorbed=row, kept=into, among=known))

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By an organiser; undone by the number it answers with."""
        guest = self.get_object()
        into = self._into(guest, self.read(request)["into"])
        row = merging.merge_players(absorbed=guest, kept=into, by=self.acting(), at=timezone.now())
        return Response(merged(row))

    def _into(self, guest: Player, slug: str) -> Player:
        """Another guest of the league. Raises OperationError."""
        people = merging.mergeable_with(guest, members_of(self.league), self.acting())
        found = next((player for player in people if player.slug == slug), None)
        if found is None:
            raise OperationError(
                _("“%s” is not another guest in this league.") % slug, field="into"
            )
        return found


@extend_schema_view(post=op("merges_undo", TAG, Merged))
class MergeUndoing(ByPlayer, Act):
    """Take a merge back: standings and ratings are again what they were."""

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """By whose account it is, or who answers for the guest."""
        rows = Merge.objects.select_related("kept", "absorbed")
        row, me = rows.filter(pk=self.kwargs["pk"]).first(), self.acting()
        if row is None or not merging.may_undo(me, row):
            raise Http404
        merging.undo_merge(merge=row, by=me, at=timezone.now())
        return Response(merged(rows.get(pk=row.pk)))
