"""Secrets and signatures of webhooks, as in the Standard Webhooks specification.

Headers are `webhook-id`, `webhook-timestamp` (Unix seconds) and `webhook-signature`: `v1,` and the
HMAC-SHA256 over `<id>.<timestamp>.<body>` in Base64, separated by spaces while secrets change.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Iterable
from typing import Final

PREFIX: Final = "whsec_"
KEY_BYTES: Final = 32


def new_secret() -> str:
    return PREFIX + base64.b64encode(secrets.token_bytes(KEY_BYTES)).decode()


def signature_headers(
    identifier: str, timestamp: int, body: bytes, keys: Iterable[str]
) -> dict[str, str]:
    """Return the headers that sign a body with each of these secrets."""
    signed = b"%b.%d.%b" % (identifier.encode(), timestamp, body)
    return {
        "webhook-id": identifier,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": " ".join(_signature(key, signed) for key in keys),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
