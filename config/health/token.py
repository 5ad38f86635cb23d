"""Whether a request may read the figures from another machine."""

import hmac

from django.conf import settings
from django.http import HttpRequest


def bears_token(request: HttpRequest) -> bool:
    """Whether it says METRICS_TOKEN as a bearer; nobody does where none is set."""
    if not settings.METRICS_TOKEN:
        return False
    said = request.headers.get("Authorization", "").encode()
    return hmac.compare_digest(said, f"Bearer {settings.METRICS_TOKEN}".encode())
