"""Where sign-in meets the account's preferences."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest, HttpResponse

from accounts.models import User
from accounts.preferences import remember


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """allauth as it comes, but whoever signs in finds the site as they like it."""

    def post_login(self, request: HttpRequest, user: User, **kwargs: Any) -> HttpResponse:
        """The answer to a sign-in, carrying the person's language and theme."""
        response: HttpResponse = super().post_login(request, user, **kwargs)
        if user.language or user.theme != "system":
            remember(response, language=user.language, theme=user.theme)
        return response
