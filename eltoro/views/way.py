"""The way of one runner over the map of a table: where it will come to, and what it risks."""

from __future__ import annotations

import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from eltoro.stage.marks import SEATS, Marks, Way
from eltoro.stage.names import told_apart
from eltoro.stage.town import picture
from eltoro.table import ElToroPosition
from leagues.members.marks import seat_marks
from leagues.tables import broadcast
from leagues.tables.views.table import never_stored, visit_table

RUNNER: Final = re.compile("[a-f][1-9][0-9]?")


@require_safe
def page(request: HttpRequest, pk: int, runner: str) -> HttpResponse:
    """The map as the visitor may see it now; the way is drawn while the runner has one.

    Raises `Http404` for who may not see the table, another game's table, and what is no runner.
    """
    found = visit_table(request, pk)
    seen = broadcast.current_view(found.log, found.seat)
    position = seen.position
    if not isinstance(position, ElToroPosition) or position.game is None:
        raise Http404("no town here")
    if not RUNNER.fullmatch(runner):
        raise Http404("no runner")
    town = position.game.town()
    drawn = picture(
        town,
        position.rules,
        names=told_apart([sitter.name for sitter in seen.sitters]),
        seat=found.seat,
        marks=Marks(way=_way(position, runner), shown=runner),
    )
    with seat_marks(seen.players):
        return never_stored(render(request, "eltoro/way.html", {"map": drawn, "table": seen}))


def _way(position: ElToroPosition, runner: str) -> Way | None:
    """The chances of a runner; None where it is not in town, or bulls are still to come."""
    number = (SEATS.index(runner[0]), int(runner[1:]) - 1)
    odds = position.odds().get(number)
    if odds is None:
        return None
    ends = position.rules.board.rows[-1]
    keys = [position.rules.board.spaces[end].key for end in ends]
    arrives = {key: share for key, share in zip(keys, odds.arrives, strict=True) if share}
    return Way(runner=runner, arrives=arrives, trampled=odds.trampled)
