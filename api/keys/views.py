"""The page on which users manage their API keys."""

from __future__ import annotations

import datetime as dt
from typing import TypedDict, cast

from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from accounts.authentication import needs_reauthentication
from accounts.models import User
from api.keys.forms import TokenForm
from api.keys.operations import TooManyKeys, make_token, revoke_token, tokens_of
from api.models import Token


@login_required
@require_GET
@never_cache
def key_list(request: HttpRequest) -> HttpResponse:
    return _page(request, TokenForm())


@login_required
@require_POST
@never_cache
@reauthentication_required(enabled=needs_reauthentication)
def create_key(request: HttpRequest) -> HttpResponse:
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=400)
    try:
        user, now = cast(User, request.user), timezone.now()
        _row, text = make_token(user=user, at=now, **form.cleaned_data)
    except TooManyKeys as refused:
        form.add_error(None, str(refused))
        return _page(request, form, status=400)
    return _page(request, TokenForm(), made=text)


@login_required
@require_POST
def revoke_key(request: HttpRequest, pk: int) -> HttpResponse:
    if revoke_token(user=cast(User, request.user), key=pk):
        messages.success(request, _("The API key has been revoked and no longer works."))
    return redirect("tokens")


class KeyListContext(TypedDict):
    form: TokenForm
    keys: QuerySet[Token]
    made: str  # the text of a new key, shown only once
    now: dt.datetime


def _page(
    request: HttpRequest, form: TokenForm, *, made: str = "", status: int = 200
) -> HttpResponse:
    context: KeyListContext = {
        "form": form,
        "keys": tokens_of(cast(User, request.user)),
        "made": made,
        "now": timezone.now(),
    }
    return render(request, "api/tokens.html", context, status=status)
