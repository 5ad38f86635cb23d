"""Pages of members, players, guests and merges."""

from __future__ import annotations

from typing import NamedTuple, TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leagues import matches_read as match_queries
from leagues.exceptions import OperationError, is_accepted
from leagues.games import Game, games
from leagues.league.operations import renew_invitation
from leagues.members.operations import merging
from leagues.members.operations.membership import (
    FixtureHandling,
    add_guest,
    check_may_join,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.members_read.queries import Career, career_of, members_of, visible_leagues
from leagues.models import Claim, League, Member, Merge, Player
from leagues.pages.access import (
    league_context,
    league_of,
    organised_league,
    perform_and_redirect,
    visitor,
)
from leagues.pages.forms import add_refusal
from leagues.pages.members.forms import (
    GuestForm,
    MergeForm,
    OwnPlayerForm,
    RoleForm,
    WithdrawForm,
)
from leagues.permissions import may_view_player
from leagues.players import player_of, rename_player, set_player_visibility
from leagues.ratings.queries import LeaderboardLine, site_ratings


@require_safe
def member_list(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    return _members(request, league, player)


def _members(
    request: HttpRequest,
    league: League,
    player: Player | None,
    form: GuestForm | None = None,
    status: int = 200,
) -> HttpResponse:
    shared = league_context(league, player, "members")
    invitation, members = "", members_of(league)
    claims: list[ShownClaim] = []
    same_names: list[merging.SameName] = []
    may_join = is_accepted(lambda: check_may_join(league))
    if may_join and (shared["role"] is not None or shared["organises"]):
        address = reverse("league_join", args=[league.invitation])
        invitation = request.build_absolute_uri(address)
    if shared["organises"]:
        waiting = Claim.objects.filter(answered_at=None, guest__memberships__league=league)
        rows = waiting.select_related("guest", "by").distinct().order_by("at", "pk")
        claims = [_shown_claim(claim, player) for claim in rows]
        same_names = merging.same_names(members, player) if player else []
    context = shared | {
        "members": members,
        "same_names": same_names,
        "roles": Member.Role.choices,
        "guest_form": form or GuestForm(),
        "may_join": may_join,
        "sole_organiser": _sole_organiser(members),
        "invitation": invitation,
        "claims": claims,
    }
    return render(request, "leagues/members.html", context, status=status)


class ShownClaim(NamedTuple):
    """A claim to be a guest, and whether the visitor can reject (`may_answer`) or accept it."""

    claim: Claim
    may_answer: bool
    may_merge: bool


def _shown_claim(claim: Claim, by: Player | None) -> ShownClaim:
    may_answer = by is not None and is_accepted(lambda: merging.check_may_answer(claim, by))
    may_merge = is_accepted(lambda: merging.check_mergeable(claim.guest, claim.by))
    return ShownClaim(claim, may_answer, may_answer and may_merge)


def _sole_organiser(members: list[Member]) -> int | None:
    """Return the primary key of the only organiser, whose role cannot be changed, or None."""
    organisers = [member.pk for member in members if member.role == Member.Role.ORGANISER]
    return organisers[0] if len(organisers) == 1 else None


@require_POST
def add_guest_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = league_of(request, slug)
    if player is None:
        raise Http404("not for you")
    form = GuestForm(request.POST)
    if form.is_valid():
        try:
            added = add_guest(
                league=league, name=form.cleaned_data["name"], by=player, at=timezone.now()
            )
        except OperationError as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("%s now plays in the league.") % added.player)
            return redirect("league_members", league.slug)
    return _members(request, league, player, form, status=422)


@require_POST
def renew_invitation_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    return perform_and_redirect(
        request,
        lambda: renew_invitation(league=league, by=player),
        _("The league has a new invitation link. The old link no longer works."),
        reverse("league_members", args=[league.slug]),
    )


@require_POST
def role_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = organised_league(request, slug)
    member = get_object_or_404(Member, pk=pk, league=league)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Http404("no such role")
    wanted = Member.Role(form.cleaned_data["role"])
    return perform_and_redirect(
        request,
        lambda: set_role(
            league=league, player=member.player, role=wanted, by=player, at=timezone.now()
        ),
        _("%(name)s now has the role “%(role)s”.") % {"name": member.player, "role": wanted.label},
        reverse("league_members", args=[league.slug]),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def withdraw_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = league_of(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    if player is None:
        raise Http404("not for you")
    going = preview_withdrawal(league=league, player=member.player)
    form = WithdrawForm(going, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            withdraw(
                league=league,
                player=member.player,
                by=player,
                at=timezone.now(),
                handling=FixtureHandling(form.cleaned_data["handling"]),
            )
        except OperationError as error:
            add_refusal(form, error)
        else:
            messages.success(request, _("%s has withdrawn from the league.") % member.player)
            return redirect("league_members", league.slug)
    context = league_context(league, player, "members") | {
        "member": member,
        "going": going,
        "form": form,
        # Only organisers can choose what happens to open fixtures. Players who withdraw themselves
        # cannot.
        "usual": going.handlings[0].value,
    }
    return render(request, "leagues/leave.html", context, status=422 if form.errors else 200)


@require_POST
def return_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = organised_league(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    return perform_and_redirect(
        request,
        lambda: return_to_league(league=league, player=member.player, by=player),
        _("%s is back in the league.") % member.player,
        reverse("league_members", args=[league.slug]),
    )


@require_POST
def guest_link_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = organised_league(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    try:
        token = merging.guest_link(guest=member.player, by=player)
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect("league_members", league.slug)
    link = request.build_absolute_uri(reverse("guest_claim", args=[token]))
    context = league_context(league, player, "members") | {"member": member, "link": link}
    return render(request, "leagues/guest_link.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = organised_league(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    people = merging.mergeable_with(member.player, members_of(league), player)
    given = request.POST if request.method == "POST" else request.GET
    form = MergeForm(people, given if "into" in given else None)
    context = league_context(league, player, "members") | {"member": member, "form": form}
    if form.is_valid():
        into = next(person for person in people if person.slug == form.cleaned_data["into"])
        try:
            if request.method == "POST":
                merging.merge_players(
                    absorbed=member.player, kept=into, by=player, at=timezone.now()
                )
                messages.success(
                    request, _("The guests have been merged. You can undo the merge here.")
                )
                return redirect("player", into.slug)
            known = {person.pk for person in visible_leagues(of=member.player, to=player)}
            context["consequences"] = merging.preview_merge(
                absorbed=member.player, kept=into, among=known
            )
            context["into"] = into
        except OperationError as error:
            add_refusal(form, error)
    return render(request, "leagues/merge.html", context, status=422 if form.errors else 200)


@require_POST
def answer_claim_page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    league, player = organised_league(request, slug)
    claim = get_object_or_404(Claim, pk=pk, guest__memberships__league=league)
    granted = request.POST.get("granted") == "yes"
    return perform_and_redirect(
        request,
        lambda: merging.answer_claim(claim=claim, granted=granted, by=player, at=timezone.now()),
        _("The guest has been merged with the player. You can undo the merge on the player’s page.")
        if granted
        else _("The request has been rejected."),
        reverse("league_members", args=[league.slug]),
    )


RECENT_RESULTS = 12


@require_safe
def player_page(request: HttpRequest, slug: str) -> HttpResponse:
    player = get_object_or_404(Player.objects.select_related("merged_into", "user"), slug=slug)
    if player.merged_into is not None:
        return redirect("player", player.merged_into.slug)
    you = visitor(request)
    leagues = visible_leagues(of=player, to=you)
    if not may_view_player(player, you, in_common=bool(leagues)):
        raise Http404("no such player")
    return render(request, "leagues/player.html", _player_page(player, you, leagues))


class PlayerContext(TypedDict):
    """Template context of a player's page. `careers` are tuples of game, rating and career."""

    player: Player
    own: bool
    own_form: OwnPlayerForm
    you: Player | None
    leagues: list[League]
    careers: list[tuple[Game, LeaderboardLine | None, Career]]
    results: list[match_queries.ResultLine]
    merges: list[Merge]
    may_claim: bool
    claimed: bool


def _player_page(
    player: Player, you: Player | None, leagues: list[League], form: OwnPlayerForm | None = None
) -> PlayerContext:
    own = you is not None and you.person_id == player.pk
    keys = [league.pk for league in leagues]
    ratings = site_ratings(player)
    return {
        "player": player,
        "own": own,
        "own_form": form or OwnPlayerForm(initial={"name": player.name, "public": player.public}),
        "you": you,
        "leagues": leagues,
        "careers": [
            (game, ratings.get(game.key), career)
            for game in games.all_games()
            if (career := career_of(player, game.key, keys)) is not None
        ],
        "results": match_queries.results_of_player(player, RECENT_RESULTS, keys),
        "merges": merging.merges_of(player, to=you),
        **_claim_offer(player, you, known=bool(keys)),
    }


class ClaimOffer(TypedDict):
    may_claim: bool
    claimed: bool


def _claim_offer(guest: Player, you: Player | None, *, known: bool) -> ClaimOffer:
    """Return whether the visitor can claim to be the guest, or has already done so."""
    if you is None or not known or not guest.is_guest or you.is_guest:
        return {"may_claim": False, "claimed": False}
    return {
        "may_claim": is_accepted(lambda: merging.check_may_claim(guest, you)),
        "claimed": Claim.objects.filter(guest=guest, by=you, answered_at=None).exists(),
    }


@require_safe
def own_page(request: HttpRequest) -> HttpResponse:
    you = player_of(request) if request.user.is_authenticated else visitor(request)
    return redirect("player", you.slug) if you else redirect("leagues")


@require_POST
def change_player(request: HttpRequest, slug: str) -> HttpResponse:
    you = visitor(request)
    player = get_object_or_404(Player, slug=slug)
    if you is None or you.person_id != player.pk:
        raise Http404("not for you")

    form = OwnPlayerForm(request.POST)
    if form.is_valid():
        try:
            rename_player(player=player, name=form.cleaned_data["name"])
        except OperationError as error:
            add_refusal(form, error)
        else:
            set_player_visibility(player=player, public=form.cleaned_data["public"])
            messages.success(request, _("Saved."))
            return redirect("player", player.slug)
    context = _player_page(player, you, visible_leagues(of=player, to=you), form)
    return render(request, "leagues/player.html", context, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def claim_page(request: HttpRequest, slug: str) -> HttpResponse:
    guest = get_object_or_404(Player, slug=slug)
    you = player_of(request)
    assert you is not None
    known = {league.pk for league in visible_leagues(of=guest, to=you)}
    if not known:
        raise Http404("no such player")
    if request.method == "POST":
        return perform_and_redirect(
            request,
            lambda: merging.propose_claim(guest=guest, by=you, at=timezone.now()),
            _("Your request has been sent. An organiser of the league will answer it."),
            reverse("player", args=[guest.slug]),
        )
    context: dict[str, object] = {"guest": guest, "you": you, "problem": ""}
    try:
        merging.check_may_claim(guest, you)
        context["consequences"] = merging.preview_merge(absorbed=guest, kept=you, among=known)
    except OperationError as error:
        context["problem"] = str(error)
    return render(request, "leagues/claim.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def guest_page(request: HttpRequest, token: str) -> HttpResponse:
    try:
        guest = merging.guest_of_link(token)
    except OperationError as error:
        return render(request, "leagues/guest_claim.html", {"problem": str(error)}, status=410)
    if request.method == "POST":
        return _take_guest(request, token, guest)
    you = player_of(request) if request.user.is_authenticated else None
    context: dict[str, object] = {"guest": guest, "you": visitor(request), "not_you": ""}
    try:
        if you is not None:
            merging.check_mergeable(guest, you)
    except OperationError as error:
        context["not_you"] = str(error)
    return render(request, "leagues/guest_claim.html", context)


def _take_guest(request: HttpRequest, token: str, guest: Player) -> HttpResponse:
    def act() -> None:
        you = player_of(request) if request.user.is_authenticated else None
        if you is None:
            merging.play_as_guest(request, token=token)
        else:
            merging.claim_by_link(token=token, by=you, at=timezone.now())

    return perform_and_redirect(
        request, act, _("You are playing as %s.") % guest, reverse("leagues")
    )


@login_required
@require_POST
def take_held_guest(request: HttpRequest) -> HttpResponse:
    you = player_of(request)
    assert you is not None

    def act() -> None:
        if merging.claim_held_guest(request, by=you, at=timezone.now()) is None:
            raise OperationError(_("This browser is no longer linked to a guest."))

    return perform_and_redirect(
        request, act, _("The guest’s matches are now yours."), reverse("player_me")
    )


@require_POST
def undo_merge_page(request: HttpRequest, pk: int) -> HttpResponse:
    merge = get_object_or_404(Merge.objects.select_related("kept", "absorbed"), pk=pk)
    you = visitor(request)
    if you is None or not merging.may_undo(you, merge):
        raise Http404("not for you")
    return perform_and_redirect(
        request,
        lambda: merging.undo_merge(merge=merge, by=you, at=timezone.now()),
        _("The merge has been undone."),
        reverse("player", args=[merge.kept.slug]),
    )
