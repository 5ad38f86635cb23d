"""Deleting one's account, and coming back within the week."""

from __future__ import annotations

import time

from allauth.account.decorators import reauthentication_required
from allauth.core.ratelimit import consume_or_429
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from accounts import leaving
from accounts.adapter import LEAVING, LEAVING_SECONDS
from accounts.forms import LeavingForm
from accounts.models import Departure
from accounts.views.visitor import person


@require_http_methods(["GET", "POST"])
@login_required
@reauthentication_required(allow_get=True)  # type: ignore[untyped-decorator]
def page(request: HttpRequest) -> HttpResponse:
    """What goes and what stays; then, by one's own name, good-bye."""
    user = person(request)
    form = LeavingForm(request.POST or None, username=user.get_username())
    if request.method == "POST" and form.is_valid():
        return consume_or_429(request, action="leave") or _leave(request)
    context = {
        "form": form,
        "effects": leaving.effects(user),
        "hindrances": leaving.hindrances(user),
        "days": leaving.GRACE.days,
    }
    return render(request, "accounts/leave.html", context, status=422 if form.errors else 200)


def _leave(request: HttpRequest) -> HttpResponse:
    try:
        departure = leaving.ask_to_leave(person(request), at=timezone.now())
    except leaving.MayNotLeaveError as refused:
        for sentence in refused.sentences:
            messages.error(request, sentence)
        return redirect("account_leave")
    logout(request)
    return render(request, "accounts/left.html", {"departure": departure})


@require_http_methods(["GET", "POST"])
def undo(request: HttpRequest) -> HttpResponse:
    """For who has just proved to own an account that is about to be deleted: keep it after all."""
    departure = _proved(request)
    if departure is None:
        return redirect("account_login")
    if request.method == "POST":
        leaving.come_back(departure)
        del request.session[LEAVING]
        messages.success(request, _("Your account will not be deleted. Sign in as usual."))
        return redirect("account_login")
    return render(request, "accounts/come_back.html", {"departure": departure})


def _proved(request: HttpRequest) -> Departure | None:
    """Whose departure this browser may undo, within minutes of the sign-in that proved it."""
    kept = request.session.get(LEAVING)
    if not isinstance(kept, list) or time.time() - kept[1] > LEAVING_SECONDS:
        return None
    return Departure.objects.select_related("user").filter(pk=kept[0]).first()
