"""Authentication by an API key in the header, or by a browser session."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import User
from api.keys.operations import find_token
from api.models import Token

SCHEME = "Bearer"


class TokenAuthentication(BaseAuthentication):
    """API authentication with the header `Authorization: Bearer temporada_…`.

    A request with an invalid key is rejected, not treated as anonymous.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        scheme, _blank, text = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != SCHEME.lower():
            return None
        token = find_token(text.strip(), at=timezone.now())
        if token is None:
            raise AuthenticationFailed(_("This key is not valid."))
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return f'{SCHEME} realm="Temporada"'


class TokenAuthenticationScheme(OpenApiAuthenticationExtension):
    target_class = TokenAuthentication
    name = "key"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer"}
