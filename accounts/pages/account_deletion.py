"""Pages for deleting an account and for cancelling the deletion."""

from __future__ import annotations

import time
from typing import TypedDict

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

from accounts.account_deletion import operations as account_deletion
from accounts.account_deletion.registry import Effect
from accounts.adapter import DELETION_SESSION_KEY, DELETION_SESSION_SECONDS
from accounts.models import Departure
from accounts.pages.forms import AccountDeletionForm
from accounts.pages.views import signed_in_user


class DeletionContext(TypedDict):
    form: AccountDeletionForm
    effects: list[Effect]
    obstacles: list[str]
    days: int


@require_http_methods(["GET", "POST"])
@login_required
@reauthentication_required(allow_get=True)
def deletion_page(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    form = AccountDeletionForm(request.POST or None, username=user.get_username())
    if request.method == "POST" and form.is_valid():
        return consume_or_429(request, action="leave") or _request_deletion(request)
    context: DeletionContext = {
        "form": form,
        "effects": account_deletion.effects_for(user),
        "obstacles": account_deletion.obstacles_for(user),
        "days": account_deletion.GRACE_PERIOD.days,
    }
    return render(request, "accounts/leave.html", context, status=422 if form.errors else 200)


def _request_deletion(request: HttpRequest) -> HttpResponse:
    try:
        departure = account_deletion.request_deletion(signed_in_user(request), at=timezone.now())
    except account_deletion.DeletionBlockedError as refused:
        for sentence in refused.sentences:
            messages.error(request, sentence)
        return redirect("account_leave")
    logout(request)
    return render(request, "accounts/left.html", {"departure": departure})


@require_http_methods(["GET", "POST"])
def cancellation_page(request: HttpRequest) -> HttpResponse:
    """Show the page on which users with a pending deletion can cancel it when they sign in."""
    departure = _authenticated_departure(request)
    if departure is None:
        return redirect("account_login")
    if request.method == "POST":
        account_deletion.cancel_deletion(departure)
        del request.session[DELETION_SESSION_KEY]
        messages.success(request, _("Your account will not be deleted. Sign in as usual."))
        return redirect("account_login")
    return render(request, "accounts/come_back.html", {"departure": departure})


def _authenticated_departure(request: HttpRequest) -> Departure | None:
    stored = request.session.get(DELETION_SESSION_KEY)
    if not isinstance(stored, list) or time.time() - stored[1] > DELETION_SESSION_SECONDS:
        return None
    return Departure.objects.select_related("user").filter(pk=stored[0]).first()
