"""Who is in a league: the invitation, guests, roles, leaving and coming back, claims."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leagues.forms.leagues import GuestForm, MergeForm, RoleForm, WithdrawForm, refuse
from leagues.models import Claim, League, Member, Player
from leagues.operations import merging
from leagues.operations.errors import OperationError
from leagues.operations.leagues import renew_invitation
from leagues.operations.members import (
    Handling,
    add_guest,
    preview_withdrawal,
    return_to_league,
    set_role,
    withdraw,
)
from leagues.queries.careers import visible_leagues
from leagues.queries.people import members_of
from leagues.views.league import shared
from leagues.views.visiting import attempt, league_of, organised


@require_safe
def page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everybody in the league, and what may be done about it."""
    league, player = league_of(request, slug)
    return _members(request, league, player)


def _members(
    request: HttpRequest,
    league: League,
    player: Player | None,
    form: GuestForm | None = None,
    status: int = 200,
) -> HttpResponse:
    context = shared(league, player, "members")
    inside = context["role"] is not None or context["organises"]
    context |= {
        "members": members_of(league),
        "roles": Member.Role.choices,
        "guest_form": form or GuestForm(),
        "invitation": _invitation(request, league) if inside else "",
        "claims": _claims(league) if context["organises"] else [],
    }
    return render(request, "leagues/members.html", context, status=status)


def _invitation(request: HttpRequest, league: League) -> str:
    return request.build_absolute_uri(reverse("league_join", args=[league.invitation]))


def _claims(league: League) -> list[Claim]:
    waiting = Claim.objects.filter(answered_at=None, guest__memberships__league=league)
    return list(waiting.select_related("guest", "by").distinct().order_by("at"))


@require_POST
def guest(request: HttpRequest, slug: str) -> HttpResponse:
    """Add somebody without an account."""
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
            refuse(form, error)
        else:
            messages.success(request, _("%s now plays in the league.") % added.player)
            return redirect("league_members", league.slug)
    return _members(request, league, player, form, status=422)


@require_POST
def renew(request: HttpRequest, slug: str) -> HttpResponse:
    """A new link to join by."""
    league, player = organised(request, slug)
    return attempt(
        request,
        lambda: renew_invitation(league=league, by=player),
        _("You have a new link. The old one no longer works."),
        reverse("league_members", args=[league.slug]),
    )


@require_POST
def role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Give a member a role."""
    league, player = organised(request, slug)
    member = get_object_or_404(Member, pk=pk, league=league)
    form = RoleForm(request.POST)
    if not form.is_valid():
        raise Http404("no such role")
    wanted = Member.Role(form.cleaned_data["role"])
    return attempt(
        request,
        lambda: set_role(
            league=league, player=member.player, role=wanted, by=player, at=timezone.now()
        ),
        _("%(name)s is now: %(role)s.") % {"name": member.player, "role": wanted.label},
        reverse("league_members", args=[league.slug]),
    )


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Withdraw somebody, or oneself, after a look at what becomes of the fixtures."""
    league, player = league_of(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    if player is None:
        raise Http404("not for you")
    going = preview_withdrawal(league=league, player=member.player)
    form = WithdrawForm(request.POST or None, initial={"handling": Handling.FORFEIT.value})
    if request.method == "POST" and form.is_valid():
        try:
            withdraw(
                league=league,
                player=member.player,
                by=player,
                at=timezone.now(),
                handling=Handling(form.cleaned_data["handling"]),
            )
        except OperationError as error:
            refuse(form, error)
        else:
            messages.success(request, _("%s has withdrawn from the league.") % member.player)
            return redirect("league_members", league.slug)
    context: dict[str, Any] = shared(league, player, "members")
    context |= {"member": member, "going": going, "form": form}
    return render(request, "leagues/leave.html", context, status=422 if form.errors else 200)


@require_POST
def come_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Let one who withdrew play again."""
    league, player = organised(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    return attempt(
        request,
        lambda: return_to_league(league=league, player=member.player, by=player),
        _("%s is back in the league.") % member.player,
        reverse("league_members", args=[league.slug]),
    )


@require_POST
def guest_link(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """The link with which a guest takes the name on any device, or into an account."""
    league, player = organised(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    try:
        token = merging.guest_link(guest=member.player, by=player)
    except OperationError as error:
        messages.warning(request, str(error))
        return redirect("league_members", league.slug)
    link = request.build_absolute_uri(reverse("guest_claim", args=[token]))
    context = shared(league, player, "members") | {"member": member, "link": link}
    return render(request, "leagues/guest_link.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def merge(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Merge a guest into another of the league, after a look at what that moves."""
    league, player = organised(request, slug)
    member = get_object_or_404(Member.objects.select_related("player"), pk=pk, league=league)
    people = merging.mergeable_with(member.player, members_of(league), player)
    given = request.POST if request.method == "POST" else request.GET
    form = MergeForm(people, given if "into" in given else None)
    context = shared(league, player, "members") | {"member": member, "form": form}
    if form.is_valid():
        into = next(one for one in people if one.slug == form.cleaned_data["into"])
        try:
            if request.method == "POST":
                merging.merge_players(
                    absorbed=member.player, kept=into, by=player, at=timezone.now()
                )
                messages.success(request, _("The guests have been merged. You can undo this here."))
                return redirect("player", into.slug)
            known = {one.pk for one in visible_leagues(of=member.player, to=player)}
            context["consequences"] = merging.preview_merge(
                absorbed=member.player, kept=into, among=known
            )
            context["into"] = into
        except OperationError as error:
            refuse(form, error)
    return render(request, "leagues/merge.html", context, status=422 if form.errors else 200)


@require_POST
def answer(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Say yes or no to who says that a guest is they."""
    league, player = organised(request, slug)
    claim = get_object_or_404(Claim, pk=pk, guest__memberships__league=league)
    granted = request.POST.get("granted") == "yes"
    return attempt(
        request,
        lambda: merging.answer_claim(claim=claim, granted=granted, by=player, at=timezone.now()),
        _("The guest has been merged. You can undo this on the player's page.")
        if granted
        else _("The request has been refused."),
        reverse("league_members", args=[league.slug]),
    )
