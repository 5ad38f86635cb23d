"""Notices: the list, what one wants to be told, and the addresses that need no sign-in."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import notices
from accounts.models import User
from accounts.notices import Way, addresses, choices
from accounts.notices import calendar as writing
from accounts.views.visitor import person


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    """What the person was told, newest first."""
    return render(request, "accounts/notices.html", {"lines": notices.latest(person(request))})


@require_safe
@login_required
def opened(request: HttpRequest, pk: int) -> HttpResponse:
    """Go where a notice leads; it is read now."""
    link = notices.open_notice(person(request), pk, at=timezone.now())
    if link is None:
        raise Http404
    return redirect(link or "notices")


@require_POST
@login_required
def all_read(request: HttpRequest) -> HttpResponse:
    """Nothing is unread any more."""
    notices.mark_all_read(person(request), at=timezone.now())
    return redirect("notices")


@require_http_methods(["GET", "POST"])
@login_required
def chosen(request: HttpRequest) -> HttpResponse:
    """By which ways one wants to be told of what; and the secret addresses."""
    user = person(request)
    offered = [kind for kind in notices.kinds.values() if kind.is_for(user)]
    if request.method == "POST":
        notices.choose(user, {kind.key: _ticked(request, kind.key) for kind in offered})
        messages.success(request, _("Saved."))
        return redirect("notices_choices")
    every = choices.all_ways(user)
    rows = [
        (kind, [(way, way in kind.ways, way in every[kind.key]) for way in Way])
        for kind in offered
        if kind.ways
    ]
    calendar = reverse("calendar", args=[addresses.secret(user, addresses.CALENDAR)])
    feed = reverse("notices_feed", args=[addresses.secret(user, addresses.FEED)])
    context = {
        "rows": rows,
        "calendar": request.build_absolute_uri(calendar),
        "feed": request.build_absolute_uri(feed),
        "mail": any(Way.MAIL in kind.ways for kind, _ways in rows),
    }
    return render(request, "accounts/notices_choices.html", context)


def _ticked(request: HttpRequest, key: str) -> Collection[Way]:
    sent = request.POST.getlist(key)
    return [way for way in Way if way in sent]


@require_POST
@login_required
def renew(request: HttpRequest) -> HttpResponse:
    """New secret addresses; the old ones open nothing any more."""
    addresses.renew(person(request))
    messages.success(request, _("The old addresses no longer work."))
    return redirect("notices_choices")


@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """A person's calendar, for who has its address."""
    with _in_the_language_of(token, addresses.CALENDAR) as user:
        body = writing.calendar(user, now=timezone.now())
    return _file(HttpResponse(body, content_type="text/calendar; charset=utf-8"))


@require_safe
def feed(request: HttpRequest, token: str) -> HttpResponse:
    """A person's notices as an Atom feed, for who has its address."""
    address = request.build_absolute_uri()
    with _in_the_language_of(token, addresses.FEED) as user:
        body = writing.feed(user, address=address, absolute=request.build_absolute_uri)
    return _file(HttpResponse(body, content_type="application/atom+xml; charset=utf-8"))


def _file(response: HttpResponse) -> HttpResponse:
    """No proxy keeps it, no search engine lists it, no link tells where one came from."""
    response["Cache-Control"] = "private, no-cache"
    response["X-Robots-Tag"] = "noindex"
    response["Referrer-Policy"] = "no-referrer"
    return response


class _in_the_language_of:  # noqa: N801  # read as a word in `with`
    """The owner of a secret address, spoken to in their language; 404 where there is none."""

    def __init__(self, token: str, purpose: str) -> None:
        self._user = addresses.behind(token, purpose)
        if self._user is None:
            raise Http404
        self._before = translation.get_language()

    def __enter__(self) -> User:
        assert self._user is not None
        if self._user.language:
            translation.activate(self._user.language)
        return self._user

    def __exit__(self, *_how: object) -> None:
        if self._before:
            translation.activate(self._before)


@csrf_exempt
@require_http_methods(["GET", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """End letters of one kind: a mail program posts here (RFC 8058), a person confirms first.

    Without a CSRF token on purpose: the address itself proves who asks, and does this alone.
    """
    found = addresses.unsubscribed(token)
    if found is None:
        raise Http404
    user, key = found
    if request.method == "POST":
        notices.choose_none(user, key, Way.MAIL)
    context = {"kind": notices.kinds[key], "done": request.method == "POST"}
    return render(request, "accounts/unsubscribe.html", context)
