"""The address of a match, whatever game it is of."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leagues.models import League, Match
from leagues.views.matches import home_of, match_of, remember_key


@never_cache
@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """On to the page of its game.

    Who comes from a league that is seen by link names it (`?in=`), and may look on from there.
    """
    named = request.GET.get("in", "")
    rows = Match.objects.filter(pk=pk, league__visibility=League.Visibility.LINK)
    found = rows.filter(league__slug=named).first() if named else None
    if found is not None:
        remember_key(request, found)
    seen, _player = match_of(request, pk)
    return redirect(home_of(seen))
