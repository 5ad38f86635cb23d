"""The director's chair, and what a visitor prefers."""

from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from accounts.context_processors import THEME_COOKIE, wants_bloodless
from accounts.forms import PreferencesForm
from accounts.operations import ChairError, prefer, take_chair
from accounts.preferences import remember
from accounts.redirects import redirect_back
from accounts.time_zones import COOKIE as ZONE_COOKIE

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"


@require_POST
def chair(request: HttpRequest) -> HttpResponse:
    """Sit down as director; where that is not to be had, there is no such page."""
    try:
        director = take_chair(request=request)
    except ChairError as error:
        raise Http404(str(error)) from error
    login(request, director, backend=MODEL_BACKEND)
    messages.success(request, _("You are now signed in as the director."))
    return redirect_back(request, request.POST.get("next", ""))


@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Language, theme, wording and time zone, kept with the account and in the browser."""
    form = PreferencesForm(request.POST or None, initial=_current(request))
    if request.method != "POST" or not form.is_valid():
        return render(request, "accounts/preferences.html", {"form": form})
    if request.user.is_authenticated:
        prefer(user=request.user, **form.cleaned_data)
    response = redirect_back(request, request.POST.get("next", ""), reverse("preferences"))
    remember(response, **form.cleaned_data)
    return response


def _current(request: HttpRequest) -> dict[str, Any]:
    user = request.user
    if user.is_authenticated:
        return {
            "language": user.language,
            "theme": user.theme,
            "bloodless": user.bloodless,
            "zone": user.zone,
        }
    return {
        "language": request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""),
        "theme": request.COOKIES.get(THEME_COOKIE, "system"),
        "bloodless": wants_bloodless(request),
        "zone": request.COOKIES.get(ZONE_COOKIE, ""),
    }
