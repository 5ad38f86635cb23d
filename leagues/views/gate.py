"""The address of a match, whatever game it is of."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leagues.models import League, Match
from leagues.views.matches import LINKS, home_of, match_of, remember_key


@never_cache
@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """On to the page of its game.

    Who comes from a league that is seen by link names it (`?in=`), and may look on from there.
    """
    rows = Match.objects.filter(pk=pk, league__visibility=League.Visibility.LINK)
    found = rows.select_related("league").first() if "in" in request.GET else None
    if found is not None and found.league is not None and found.league.slug == request.GET["in"]:
        remember_key(request, found, LINKS)
    seen, _player = match_of(request, pk)
    return redirect(home_of(seen))
