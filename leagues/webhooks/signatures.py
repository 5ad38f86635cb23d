"""Secrets and signature headers of webhooks, following the Standard Webhooks specification."""

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
    """Return the headers with signatures of a body by each of these secrets.

    There are two secrets while a secret is being replaced.
    """
    at = at.astimezone(dt.UTC)  # `sign` treats every time as UTC
    signatures = [Webhook(key).sign(identifier, at, body.decode()) for key in keys]
    return {
        "webhook-id": identifier,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
