"""The fixtures of a league for calendar programs."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from leagues.calendar import Occasion, feed
from leagues.models import Fixture, League
from leagues.queries import fixtures
from leagues.queries.fixtures import FixtureLine
from leagues.telling import entry_of
from leagues.views.visiting import league_of


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Every fixture, marked on its deadline. Programs bring no session: a private league's
    calendar is for who opens it in the browser.
    """
    found, _player = league_of(request, slug)
    occasions = [
        _occasion(request, found, line) for each in fixtures.rounds(found) for line in each.fixtures
    ]
    domain = request.get_host().partition(":")[0]
    body = feed(occasions, name=found.name, domain=domain, now=timezone.now())
    response = HttpResponse(body, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="{found.slug}.ics"'
    response["Cache-Control"] = "no-cache"
    return response


def _occasion(request: HttpRequest, found: League, line: FixtureLine) -> Occasion:
    address = reverse("fixture", args=[found.slug, line.fixture.pk])
    names = [seat.name for seat in line.seats]
    return Occasion(
        key=f"fixture/{line.fixture.pk}",
        summary=entry_of(line.fixture, found, names),
        changed=line.fixture.round.drawn_at,
        deadline=line.fixture.deadline,
        description=line.fixture.remark,
        address=request.build_absolute_uri(address),
        version=1 if line.fixture.state == Fixture.State.POSTPONED else 0,
        void=line.fixture.state == Fixture.State.VOID,
    )
