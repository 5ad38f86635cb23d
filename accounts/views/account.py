"""My account: one page that gathers all, and the profile."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.forms import ProfileForm
from accounts.models import User
from accounts.names import NameRefusedError, display_name, public_page
from accounts.operations import change_profile
from accounts.preferences import remember
from accounts.views.visitor import person


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """Everything about one's account, a card each."""
    user = person(request)
    kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context = {
        "name": display_name(user),
        "public_page": public_page(user),
        "addresses": list(EmailAddress.objects.filter(user=user).order_by("-primary", "email")),
        "has_password": user.has_usable_password(),
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "has_app": Authenticator.Type.TOTP in kinds,
        "has_codes": Authenticator.Type.RECOVERY_CODES in kinds,
        "sessions": UserSession.objects.filter(user=user).count(),
        "keys": _address("tokens"),
    }
    return render(request, "accounts/account.html", context)


def _address(name: str) -> str | None:
    try:
        return reverse(name)
    except NoReverseMatch:
        return None


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    """Name, language, theme, wording and time zone."""
    user = person(request)
    form = ProfileForm(request.POST or None, initial=_initial(user))
    if request.method == "POST" and form.is_valid() and _changed(form, user):
        messages.success(request, _("Saved."))
        response = redirect("profile")
        kept = form.cleaned_data
        remember(
            response,
            language=kept["language"],
            theme=kept["theme"],
            bloodless=kept["bloodless"],
            zone=kept["zone"],
        )
        return response
    status = 422 if form.errors else 200
    context = {"form": form, "public_page": public_page(user)}
    return render(request, "accounts/profile.html", context, status=status)


def _initial(user: User) -> dict[str, Any]:
    return {
        "name": display_name(user),
        "language": user.language,
        "theme": user.theme,
        "bloodless": user.bloodless,
        "zone": user.zone,
        "shielded": user.shielded_since is not None,
    }


def _changed(form: ProfileForm, user: User) -> bool:
    try:
        change_profile(user=user, at=timezone.now(), **form.cleaned_data)
    except NameRefusedError as refused:
        form.add_error("name", str(refused))
        return False
    return True
