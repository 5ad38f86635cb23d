"""Perform an action only once if a client repeats the request or a browser sends a form twice."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Collection
from functools import wraps
from hashlib import sha256
from typing import cast

from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseRedirectBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils import json
from rest_framework.utils.encoders import JSONEncoder

from accounts.models import User
from api.models import DoneOnce
from api.problems import Problem

KEY_PATTERN = re.compile(r"[\x21-\x7e]{1,64}")
STORED_HEADERS = ("ETag", "Location")
# Maximum length of a stored response. Otherwise previews of large files would fill the disk.
MAX_STORED_LENGTH = 128 * 1024
# Status of a `DoneOnce` row whose action succeeded with a response that was too long to store.
NOT_STORED = 0


def run_once(
    request: Request,
    perform: Callable[[], Response],
    *,
    at: dt.datetime,
    without: Collection[str] = (),
) -> Response:
    """Run `perform` once per user and Idempotency-Key.

    A repeated request gets the stored response. The action and its stored response share one
    transaction, so a crash leaves neither. Concurrent requests with the same key wait for each
    other at its row. An error raised by `perform` rolls the transaction back and is not stored.
    `without` names response members, such as secrets, that only the first response contains. Raises
    Problem for a malformed key (400), a key used for another action (422), and a response that was
    too long to store (409).
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        with transaction.atomic():
            return perform()
    if not KEY_PATTERN.fullmatch(key):
        sentence = _("An Idempotency-Key must have 1 to 64 visible ASCII characters.")
        raise Problem(400, sentence, field="Idempotency-Key")
    user, fingerprint = cast(User, request.user), _fingerprint(request)
    try:
        with transaction.atomic():
            row = DoneOnce.objects.create(user=user, key=key, asked=fingerprint, at=at)
            response = perform()
            _store_answer(row, response, without)
            return response
    except IntegrityError:
        stored = DoneOnce.objects.filter(user=user, key=key).first()
        if stored is None:  # another constraint failed
            raise
    return _replay(stored, fingerprint)


def _fingerprint(request: Request) -> bytes:
    parts = (request.method or "", request.get_full_path(), repr(request.data))
    return sha256("\n".join(parts).encode(errors="backslashreplace")).digest()


def _store_answer(row: DoneOnce, response: Response, without: Collection[str]) -> None:
    row.headers = {name: response[name] for name in STORED_HEADERS if response.has_header(name)}
    sent = json.dumps(response.data, cls=JSONEncoder)
    if len(sent) > MAX_STORED_LENGTH:
        row.status = NOT_STORED
        row.save(update_fields=["status", "headers"])
        return
    row.status, row.answer = response.status_code, json.loads(sent)  # as clients see it
    if without:
        row.answer |= dict.fromkeys(without)
    row.save(update_fields=["status", "answer", "headers"])


def _replay(stored: DoneOnce, fingerprint: bytes) -> Response:
    if bytes(stored.asked) != fingerprint:
        sentence = _("This Idempotency-Key has already been used for another request.")
        raise Problem(422, sentence, field="Idempotency-Key")
    if stored.status == NOT_STORED:
        sentence = _(
            "The request was completed, but its response was too long to be stored. Request "
            "the current state instead."
        )
        raise Problem(409, sentence, headers=stored.headers | {"Idempotency-Replayed": "true"})
    headers = stored.headers | {"Idempotency-Replayed": "true"}
    return Response(stored.answer, status=stored.status, headers=headers)


# Time within which a second submission of the same form counts as a double click. After this time,
# the user means to submit the form again.
FORM_WINDOW = dt.timedelta(minutes=1)


def form_once(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view that creates an object, so that a form sent twice creates it only once.

    Without scripts a double click sends a form twice, and the browser shows the second response.
    This decorator redirects the second request to the page to which the first was redirected. It
    recognises a form by its CSRF token, which is masked differently on every page. Responses other
    than redirects show errors and are not stored. For visitors without an account, the view always
    runs.
    """

    @wraps(view)
    def once(request: HttpRequest, *args: str, **kwargs: str | int) -> HttpResponse:
        user = request.user
        if "csrfmiddlewaretoken" not in request.POST or not isinstance(user, User):
            return view(request, *args, **kwargs)
        form = repr((request.get_full_path(), list(request.POST.lists())))
        return _redirect_once(
            user, _digest(form), FORM_WINDOW, lambda: view(request, *args, **kwargs)
        )

    return once


# Header with the identifier of an attempt to submit a form. A script sends the same identifier
# again if it got no response.
ATTEMPT_HEADER = "X-Attempt"
ATTEMPTS_SESSION_KEY = "attempts"
# Maximum number of form submissions that the session of a visitor without an account remembers.
MAX_ATTEMPTS = 20


def attempt_once(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view whose form a script sends again after a lost connection: it acts once.

    If the first attempt was answered with a redirect, further attempts within a day get the same
    redirect. For visitors without an account, the session remembers the last attempts.
    """

    @wraps(view)
    def once(request: HttpRequest, *args: str, **kwargs: str | int) -> HttpResponse:
        user, attempt = request.user, request.headers.get(ATTEMPT_HEADER, "")
        if request.method != "POST" or not KEY_PATTERN.fullmatch(attempt):
            return view(request, *args, **kwargs)
        key = _digest(repr((request.get_full_path(), attempt)))
        if isinstance(user, User):
            return _redirect_once(user, key, RETENTION, lambda: view(request, *args, **kwargs))
        known = request.session.get(ATTEMPTS_SESSION_KEY, {})
        if key in known:
            return redirect(known[key])
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseRedirectBase):
            kept = [*known.items(), (key, response.url)][-MAX_ATTEMPTS:]
            request.session[ATTEMPTS_SESSION_KEY] = dict(kept)
        return response

    return once


def _digest(text: str) -> str:
    return sha256(text.encode(errors="backslashreplace")).hexdigest()


def _redirect_once(
    user: User, key: str, window: dt.timedelta, perform: Callable[[], HttpResponse]
) -> HttpResponse:
    """Run `perform` once per user and key within `window`.

    A repeated call within this time gets the redirect of the first call.
    """
    at = timezone.now()
    rows = DoneOnce.objects.filter(user=user, key=key)
    try:
        with transaction.atomic():
            rows.filter(at__lt=at - window).delete()
            row = DoneOnce.objects.create(user=user, key=key, asked=b"", at=at)
            response = perform()
            if isinstance(response, HttpResponseRedirectBase):
                row.status, row.headers = response.status_code, {"Location": response.url}
                row.save(update_fields=["status", "headers"])
            else:
                row.delete()
            return response
    except IntegrityError:
        stored = rows.first()
        if stored is None:  # another constraint failed
            raise
    return redirect(stored.headers["Location"])


RETENTION = dt.timedelta(hours=24)


def delete_old_responses(*, at: dt.datetime) -> int:
    return DoneOnce.objects.filter(at__lt=at - RETENTION).delete()[0]
