"""Where sign-in meets the account's preferences, and those who are leaving."""

from __future__ import annotations

import time
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.authentication import count_login_attempt
from accounts.cookies import set_preference_cookies
from accounts.models import Departure, User

DELETION_SESSION_KEY: Final = "leaving"
"""Where a session keeps whose departure it may undo, and since when."""
DELETION_SESSION_SECONDS: Final = 600


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth as it comes, but whoever signs in finds the site as they like it."""

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt; raises ValidationError where there were too many."""
        self._login_failed_rl_usage = count_login_attempt(request, **credentials)
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """The answer to a sign-in, carrying the person's language, theme, wording and time zone."""
        if kwargs.get("signup"):
            record_authentication(request, user, method="password")
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if user.language or user.theme != "system" or user.bloodless or user.zone:
            set_preference_cookies(
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
        request.session[DELETION_SESSION_KEY] = [departure.pk, time.time()]
        return redirect("account_leave_undo")
