"""The key of a match: on the scoresheet and in the link that is passed round the table."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from leagues.games import games
from leagues.models import Match, Player
from leagues.operations.players import hold_guest
from leagues.rules import may_view_match
from leagues.views.matches import home_of, remember_key
from leagues.views.visiting import visitor


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest, key: str) -> HttpResponse:
    """Open the match of this key; who is nobody yet says which of its guests they are."""
    match = get_object_or_404(Match.objects.select_related("league"), key=key)
    remember_key(request, match)
    player = visitor(request)
    guests = _guests(match)
    if request.method == "POST":
        return _sit_down(request, match, player, guests)
    seated = player is not None and may_view_match(player, match)
    if seated or not guests:
        return redirect(home_of(match))
    context = {"match": match, "game": games[match.game], "guests": guests, "you": player}
    return render(request, "leagues/who.html", context)


def _guests(match: Match) -> list[tuple[int, Player]]:
    """Seat and player of those at the match who have no account."""
    seats = match.seats.select_related("player__merged_into").order_by("number")
    persons = [(seat.number, seat.player.merged_into or seat.player) for seat in seats]
    return [(number, player) for number, player in persons if player.is_guest]


def _sit_down(
    request: HttpRequest, match: Match, player: Player | None, guests: list[tuple[int, Player]]
) -> HttpResponse:
    """From now on this browser is one of the guests; one who is somebody already stays that."""
    chosen = request.POST.get("guest", "")
    found = next((guest for _seat, guest in guests if str(guest.pk) == chosen), None)
    if player is not None:
        messages.warning(
            request, _("You are already playing as %(name)s here.") % {"name": player.name}
        )
    elif found is None:
        messages.warning(request, _("This guest did not play in this match."))
        return redirect(request.path)
    else:
        hold_guest(request, found)
        messages.success(request, _("You are now playing as %(name)s.") % {"name": found.name})
    return redirect(home_of(match))
