"""Pages for notifications, their settings, feeds and unsubscribing."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TypedDict

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.notifications import feeds, kinds, queries, tokens
from accounts.notifications import operations as notifications
from accounts.notifications.kinds import Channel
from accounts.pages.views import signed_in_user


@require_safe
@login_required
def notification_list(request: HttpRequest) -> HttpResponse:
    return render(
        request, "accounts/notices.html", {"lines": queries.latest(signed_in_user(request))}
    )


@require_safe
@login_required
def open_notification(request: HttpRequest, pk: int) -> HttpResponse:
    link = notifications.open_notification(signed_in_user(request), pk, at=timezone.now())
    if link is None:
        raise Http404
    return redirect(link or "notices")


@require_POST
@login_required
def mark_all_read(request: HttpRequest) -> HttpResponse:
    notifications.mark_all_read(signed_in_user(request), at=timezone.now())
    return redirect("notices")


class NotificationSettingsContext(TypedDict):
    # Kinds of notifications for the settings page. For each kind and channel: whether the site
    # offers the channel and whether the user has chosen it.
    rows: list[tuple[kinds.NotificationKind, list[tuple[Channel, bool, bool]]]]
    calendar: str  # secret URL of the calendar
    feed: str
    mail: bool


@require_http_methods(["GET", "POST"])
@login_required
def notification_settings(request: HttpRequest) -> HttpResponse:
    user = signed_in_user(request)
    offered = [kind for kind in kinds.registered_kinds.values() if kind.is_for(user)]
    if request.method == "POST":
        chosen: dict[str, Collection[Channel]] = {}
        for kind in offered:
            values = request.POST.getlist(kind.key)
            chosen[kind.key] = [way for way in Channel if way in values]
        notifications.set_channels(user, chosen)
        messages.success(request, _("Saved."))
        return redirect("notices_choices")
    every = queries.channels_by_kind(user)
    rows = [
        (kind, [(way, way in kind.ways, way in every[kind.key]) for way in Channel])
        for kind in offered
        if kind.ways
    ]
    calendar = reverse("calendar", args=[tokens.make_token(user, tokens.CALENDAR)])
    feed = reverse("notices_feed", args=[tokens.make_token(user, tokens.FEED)])
    context: NotificationSettingsContext = {
        "rows": rows,
        "calendar": request.build_absolute_uri(calendar),
        "feed": request.build_absolute_uri(feed),
        "mail": any(Channel.MAIL in kind.ways for kind, _ways in rows),
    }
    return render(request, "accounts/notices_choices.html", context)


@require_POST
@login_required
def renew_tokens(request: HttpRequest) -> HttpResponse:
    tokens.invalidate_tokens(signed_in_user(request))
    messages.success(request, _("The old addresses no longer work."))
    return redirect("notices_choices")


@require_safe
def calendar_file(request: HttpRequest, token: str) -> HttpResponse:
    with _owner_of(token, tokens.CALENDAR) as user:
        body = feeds.render_calendar(user, now=timezone.now())
    return _private_file(HttpResponse(body, content_type="text/calendar; charset=utf-8"))


@require_safe
def feed_file(request: HttpRequest, token: str) -> HttpResponse:
    address = request.build_absolute_uri()
    with _owner_of(token, tokens.FEED) as user:
        body = feeds.render_feed(user, address=address, absolute=request.build_absolute_uri)
    return _private_file(HttpResponse(body, content_type="application/atom+xml; charset=utf-8"))


def _private_file(response: HttpResponse) -> HttpResponse:
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


@contextmanager
def _owner_of(token: str, purpose: str) -> Iterator[User]:
    """Yield the user to whom a signed token belongs, with this user's language active.

    Raises Http404 for an invalid token.
    """
    user = tokens.user_of_token(token, purpose)
    if user is None:
        raise Http404
    with translation.override(user.language or translation.get_language()):
        yield user


@csrf_exempt
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Stop notification emails of one kind.

    A GET shows a page with a confirmation button. Mail clients post here directly (RFC 8058). The
    view is CSRF-exempt on purpose: the token authorises this one action.
    """
    payload = tokens.read_unsubscribe_token(token)
    if payload is None:
        raise Http404
    user, key = payload
    if request.method == "POST":
        notifications.disable_channel(user, key, Channel.MAIL)
    context = {"kind": kinds.registered_kinds[key], "done": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)
