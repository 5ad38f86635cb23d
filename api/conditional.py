"""ETags over what is told, and requests that hold only while it is still so."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.utils import json
from rest_framework.utils.encoders import JSONEncoder

from api.problems import Problem

CHECKED: Final = "api.held"
"""Where a request says that its condition has been looked at."""


def etag(data: Any) -> str:
    """The strong validator of a representation: a digest of its JSON, in quotes."""
    text = json.dumps(data, cls=JSONEncoder, sort_keys=True, separators=(",", ":"))
    return f'"{sha256(text.encode()).hexdigest()[:32]}"'


def matches_if_none_match(request: Request, tag: str) -> bool:
    """Whether who asks has this very representation already (`If-None-Match`)."""
    told = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in told or tag in {one.removeprefix("W/") for one in told}


def check_if_match(request: Request, data: Any, *, required: bool = False) -> None:
    """Hold `If-Match` against the representation as it stands.

    Call it in the transaction of the act, after the row is locked. Raises Problem: 412 where
    something has changed since it was read, 428 where the header is `required` and missing.
    """
    told = request.headers.get("If-Match", "")
    request.META[CHECKED] = True
    if not told:
        if required:
            raise Problem(428, _("Send If-Match with the version you have seen."))
        return
    tags = parse_etags(told)
    if "*" not in tags and etag(data) not in tags:
        raise Problem(412, _("This has changed since you read it. Read it again."))


def check_if_match_used(request: Request) -> None:
    """Raises Problem (412) for an `If-Match` that the act of a request did not look at.

    To act all the same would be to act on what may have changed; call it before the act is kept.
    """
    told = request.headers.get("If-Match", "")
    if told and CHECKED not in request.META and "*" not in parse_etags(told):
        raise Problem(412, _("This address does not support If-Match. Leave it out."))
