"""Where sign-in meets the account's preferences, and those who are leaving."""

import time
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.models import Departure, User
from accounts.preferences import remember

LEAVING: Final = "leaving"
"""Where a session keeps whose departure it may undo, and since when."""
LEAVING_SECONDS: Final = 600


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth as it comes, but whoever signs in finds the site as they like it."""

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """The answer to a sign-in, carrying the person's language, theme, wording and time zone."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if user.language or user.theme != "system" or user.bloodless or user.zone:
            remember(
                response,
                language=user.language,
                theme=user.theme,
                bloodless=user.bloodless,
                zone=user.zone,
            )
        return response

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        """Who is leaving and signs in within the week may stay; other locked accounts are told."""
        departure = Departure.objects.filter(user=user).first()
        if departure is None:
            told: HttpResponse = super().respond_user_inactive(request, user)
            return told
        request.session[LEAVING] = [departure.pk, time.time()]
        return redirect("account_leave_undo")
