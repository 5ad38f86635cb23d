"""ETags of representations, and conditional requests."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.utils import json
from rest_framework.utils.encoders import JSONEncoder

from api.problems import Problem
from api.types import JSON

# Key in `request.META`, set once the request's `If-Match` header has been checked.
CHECKED: Final = "api.held"


def etag(data: JSON) -> str:
    """Return a strong ETag: a quoted digest of the representation's JSON."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True, separators=(",", ":"))
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def matches_if_none_match(request: Request, tag: str) -> bool:
    etags = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in etags or tag in {etag.removeprefix("W/") for etag in etags}


def check_if_match(request: Request, data: JSON, *, required: bool = False) -> None:
    """Compare `If-Match` with the ETag of the current representation.

    Call this in the transaction of the action, after locking the row. Raises Problem: 412 if the
    representation has changed since the client read it, 428 if the header is `required` and
    missing.
    """
    header = request.headers.get("If-Match", "")
    request.META[CHECKED] = True
    if not header:
        if required:
            raise Problem(428, _("Send an If-Match header with the version that you have seen."))
        return
    tags = parse_etags(header)
    if "*" not in tags and etag(data) not in tags:
        raise Problem(412, _("The resource has changed since you read it. Read it again."))


def check_if_match_used(request: Request) -> None:
    """Raise Problem (412) if the request has an `If-Match` that the action did not check.

    Ignoring the condition could overwrite a change. Call this before the action is committed.
    """
    header = request.headers.get("If-Match", "")
    if header and CHECKED not in request.META and "*" not in parse_etags(header):
        raise Problem(
            412,
            _("This address does not support the If-Match header. Send the request without it."),
        )
