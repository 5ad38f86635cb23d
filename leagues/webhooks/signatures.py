"""Secrets and signed headers of webhooks, as in the Standard Webhooks specification."""

from __future__ import annotations

import base64
import datetime as dt
import secrets
from collections.abc import Iterable
from typing import Final

from standardwebhooks import Webhook

PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def signature_headers(
    identifier: str, at: dt.datetime, body: bytes, keys: Iterable[str]
) -> dict[str, str]:
    """Return the headers that sign a body with each of these secrets. There are two of them while
    secrets change.
    """
    at = at.astimezone(dt.UTC)  # sign() takes every time for UTC
    signatures = [Webhook(key).sign(identifier, at, body.decode()) for key in keys]
    return {
        "webhook-id": identifier,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
