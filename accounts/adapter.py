"""allauth adapter: sign-in attempts, preference cookies, and cancelling an account deletion."""

from __future__ import annotations

import time
from typing import Any, Final

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import record_authentication
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.authentication import count_login_attempt, user_called
from accounts.cookies import set_preference_cookies
from accounts.models import Departure, User
from core.names.fields import name_is_taken
from core.names.text import clean

# Session key of a pair of values: the primary key of the account deletion that this session may
# cancel, and the time of the sign-in that permits this.
DELETION_SESSION_KEY: Final = "leaving"
DELETION_SESSION_SECONDS: Final = 600


class AccountAdapter(DefaultAccountAdapter):
    """Adapter that counts sign-in attempts and applies the user's preferences."""

    def pre_authenticate(self, request: HttpRequest, **credentials: object) -> None:
        self._login_failed_rl_usage = count_login_attempt(request, **credentials)
        if self._login_failed_rl_usage is None:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> User | None:
        """Return the user with these credentials. The username may be typed in another case."""
        user = user_called(credentials.get("username") or "")
        if user is not None:
            # Pass the username as it is stored. allauth searches for inactive users with the
            # database's rules for upper and lower case, which would miss a different spelling.
            credentials["username"] = user.username
        signed_in: User | None = super().authenticate(request, **credentials)
        return signed_in

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the cleaned username.

        Raises `ValidationError` if another user has this username in any case.
        """
        # `comparison_key` also matches capitals with accents, which the database's comparison
        # misses.
        cleaned: str = super().clean_username(clean(username), shallow=shallow)
        if not shallow and name_is_taken(User.objects.all(), "username_key", cleaned):
            raise self.validation_error("username_taken")
        return cleaned

    def post_login(self, request: HttpRequest, user: User, **kwargs: object) -> HttpResponse:
        if kwargs.get("signup"):
            record_authentication(request, user, method="password")
        response: HttpResponse = super().post_login(request, user, **kwargs)
        plain = user.theme == "system" and user.single_keys
        if user.language or user.bloodless or user.zone or not plain:
            set_preference_cookies(
                response,
                language=user.language,
                theme=user.theme,
                bloodless=user.bloodless,
                zone=user.zone,
                single_keys=user.single_keys,
            )
        return response

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        departure = Departure.objects.filter(user=user).first()
        if departure is None:
            response: HttpResponse = super().respond_user_inactive(request, user)
            return response
        request.session[DELETION_SESSION_KEY] = [departure.pk, time.time()]
        return redirect("account_leave_undo")
