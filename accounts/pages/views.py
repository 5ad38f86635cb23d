"""Account overview, profile, preferences, and signing in as the local director."""

from __future__ import annotations

from typing import TypedDict

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.cookies import KEYS_OFF, set_preference_cookies
from accounts.display_names import NameRefusedError, display_name, public_page
from accounts.models import User
from accounts.operations import (
    LocalSignInError,
    change_profile,
    get_local_director,
    save_preferences,
)
from accounts.pages.forms import PreferencesForm, ProfileForm
from accounts.redirects import redirect_back
from accounts.wording import wants_bloodless


def signed_in_user(request: HttpRequest) -> User:
    """Return the signed-in user of a view that is decorated with `login_required`."""
    user = request.user
    assert isinstance(user, User)
    return user


class AccountContext(TypedDict):
    name: str
    public_page: str | None
    addresses: list[EmailAddress]
    has_password: bool
    passkeys: int
    has_app: bool  # an authenticator app for one-time passwords
    has_codes: bool
    sessions: int
    keys: str | None  # path of the page of API keys


@require_safe
@login_required
def account_page(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    kinds = list(Authenticator.objects.filter(user=user).values_list("type", flat=True))
    context: AccountContext = {
        "name": display_name(user),
        "public_page": public_page(user),
        "addresses": list(EmailAddress.objects.filter(user=user).order_by("-primary", "email")),
        "has_password": user.has_usable_password(),
        "passkeys": kinds.count(Authenticator.Type.WEBAUTHN),
        "has_app": Authenticator.Type.TOTP in kinds,
        "has_codes": Authenticator.Type.RECOVERY_CODES in kinds,
        # Count the current session in the list of sessions even if allauth has not recorded it yet.
        "sessions": max(1, UserSession.objects.filter(user=user).count()),
        "keys": _url_or_none("tokens"),
    }
    return render(request, "accounts/account.html", context)


def _url_or_none(name: str) -> str | None:
    try:
        return reverse(name)
    except NoReverseMatch:
        return None


@require_http_methods(["GET", "POST"])
@login_required
def profile(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    form = ProfileForm(request.POST or None, initial=_initial_profile(user))
    if request.method == "POST" and form.is_valid() and _save_profile(form, user):
        messages.success(request, _("Saved."))
        response = redirect("profile")
        saved = form.preferences()
        set_preference_cookies(
            response,
            language=saved["language"],
            theme=saved["theme"],
            bloodless=saved["bloodless"],
            zone=saved["zone"],
            single_keys=saved["single_keys"],
        )
        return response
    status = 422 if form.errors else 200
    context = {"form": form, "public_page": public_page(user)}
    return render(request, "accounts/profile.html", context, status=status)


def _initial_profile(user: User) -> dict[str, object]:
    return {
        "name": display_name(user),
        "language": user.language,
        "theme": user.theme,
        "bloodless": user.bloodless,
        "zone": user.zone,
        "single_keys": user.single_keys,
        "shielded": user.shielded_since is not None,
    }


def _save_profile(form: ProfileForm, user: User) -> bool:
    try:
        change_profile(user=user, at=timezone.now(), **form.preferences())
    except NameRefusedError as refused:
        form.add_error("name", str(refused))
        return False
    return True


MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_POST
def sign_in_as_director(request: HttpRequest) -> HttpResponse:
    try:
        director = get_local_director(request=request)
    except LocalSignInError as error:
        raise Http404(str(error)) from error
    login(request, director, backend=MODEL_BACKEND)
    messages.success(request, _("You are now signed in as the director."))
    return redirect_back(request, request.POST.get("next", ""))


@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    form = PreferencesForm(request.POST or None, initial=_current_preferences(request))
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/preferences.html", {"form": form})
    if request.user.is_authenticated:
        save_preferences(user=request.user, **form.preferences())
    response = redirect_back(request, request.POST.get("next", ""), reverse("preferences"))
    set_preference_cookies(response, **form.preferences())
    return response


def _current_preferences(request: HttpRequest) -> dict[str, object]:
    user = request.user
    if user.is_authenticated:
        return {
            "language": user.language,
            "theme": user.theme,
            "bloodless": user.bloodless,
            "zone": user.zone,
            "single_keys": user.single_keys,
        }
    return {
        "language": request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""),
        "theme": request.COOKIES.get(settings.THEME_COOKIE_NAME, "system"),
        "bloodless": wants_bloodless(request),
        "zone": request.COOKIES.get(settings.ZONE_COOKIE_NAME, ""),
        "single_keys": request.COOKIES.get(settings.KEYS_COOKIE_NAME) != KEYS_OFF,
    }
