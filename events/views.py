"""The page of what has happened lately."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.kinds import Happening, Kind, kinds
from events.numbering import newest
from events.queries import Reader, latest
from events.telling import told

SHOWN: Final = 50


class Line:
    """A happening as the page tells it."""

    def __init__(self, happening: Happening) -> None:
        kind = kinds[happening.kind]
        self.number, self.at = happening.number, happening.at
        self.kind, self.family = kind, kind.key.partition(".")[0]
        self.words, self.page = kind.words(happening), kind.page(happening)


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What has happened lately, the newest first, of all kinds or of one (`?kind=`).

    The list alone where a script asks for it, which follows the stream and asks again.
    """
    chosen = _chosen(request)
    last = newest()
    rows = latest(Reader(kinds=(chosen.key,) if chosen else ()), SHOWN)
    context = {
        "lines": [Line(one) for one in told(rows)],
        "kinds": kinds.all(),
        "chosen": chosen,
        "newest": last,
    }
    alone = request.headers.get("HX-Request") == "true"
    return render(request, "events/_list.html" if alone else "events/page.html", context)


def _chosen(request: HttpRequest) -> Kind | None:
    """The kind asked for; None for all, and for what is none."""
    key = request.GET.get("kind", "")
    return kinds.find(key)
