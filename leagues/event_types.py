"""Types of public events of leagues and tables: the text of an event, its page and its audience."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from events.kinds import Data, EventKind, PublicEvent, StoredEvent, kinds
from events.scopes import Scope, scopes
from leagues.games import games
from leagues.models import League, Player
from leagues.permissions import may_view
from leagues.tables.permissions import player_of_visitor
from leagues.text import join_with_and


def _public() -> Any:
    return League.objects.filter(visibility=League.Visibility.PUBLIC).values("pk")


def _find_league(slug: str) -> int | None:
    return League.objects.filter(slug=slug).values_list("pk", flat=True).first()


def _may_see(key: int, visitor: object) -> bool:
    league = League.objects.filter(pk=key).first()
    if may_view(None, league, knows_link=True):
        return True
    return may_view(player_of_visitor(visitor), league, knows_link=True)


def _addresses(keys: Collection[int]) -> Mapping[int, str]:
    return dict(League.objects.filter(pk__in=keys).values_list("pk", "slug"))


def _with_names(events: Sequence[StoredEvent]) -> list[Data]:
    """Return the data of result events with the present names of the players added, with one
    query.
    """
    data = [event.data for event in events]
    keys = {place["player"] for item in data for place in item["places"]}
    names = dict(Player.objects.filter(pk__in=keys).values_list("pk", "name"))
    return [{**item, "places": list(_named(item["places"], names))} for item in data]


def _named(places: Iterable[Data], names: Mapping[int, str]) -> Iterable[Data]:
    for place in places:
        yield {**place, "name": names.get(place["player"], "")}


def _league_page(name: str) -> Callable[[PublicEvent], str]:
    return lambda event: reverse(name, args=[event.league]) if event.league else ""


def _match_page(event: PublicEvent) -> str:
    """Return the address of the match page.

    It names the league, which gives access if it is unlisted.
    """
    return f"{reverse('match', args=[int(event.key)])}?in={event.league}"


def _table_page(event: PublicEvent) -> str:
    return reverse("table", args=[int(event.key)])


def _league_created(event: PublicEvent) -> str:
    if event.data["again"]:
        return _("The league %(name)s has been reopened") % {"name": event.data["name"]}
    return _("The league %(name)s has been created") % {"name": event.data["name"]}


def _closed(event: PublicEvent) -> str:
    return _("The league %(name)s has been closed") % {"name": event.data["name"]}


def _rounds_drawn(event: PublicEvent) -> str:
    count: int = event.data["fixtures"]
    fixtures = ngettext("%d fixture", "%d fixtures", count) % count
    # Events that earlier versions recorded do not contain the number of byes.
    if byes := event.data.get("byes", 0):
        fixtures += ", " + ngettext("%d bye", "%d byes", byes) % byes
    words = {
        "first": event.data["first"],
        "last": event.data["last"],
        "fixtures": fixtures,
    }
    if event.data["first"] == event.data["last"]:
        return _("Round %(first)s has been drawn: %(fixtures)s") % words
    return _("Rounds %(first)s to %(last)s have been drawn: %(fixtures)s") % words


def _draw_changed(event: PublicEvent) -> str:
    count = len(event.data["fixtures"])
    text = ngettext(
        "Round %(round)s: %(count)d fixture has been changed",
        "Round %(round)s: %(count)d fixtures have been changed",
        count,
    )
    return text % {"round": event.data["round"], "count": count}


def _undrawn(event: PublicEvent) -> str:
    if event.data["first"] == event.data["last"]:
        return _("The draw for round %(first)s has been undone") % dict(event.data)
    return _("The draw for rounds %(first)s to %(last)s has been undone") % dict(event.data)


def _result(event: PublicEvent) -> str:
    places = sorted(event.data["places"], key=lambda place: place["place"])
    # Events that earlier versions recorded do not contain the sides of the players.
    sides: dict[object, list[Data]] = {}
    for number, place in enumerate(places):
        sides.setdefault(place.get("side", f"seat {number}"), []).append(place)
    line = ", ".join(
        f"{join_with_and([place['name'] for place in side])} {side[0]['points']}"
        for side in sides.values()
    )
    if event.data["corrected"]:
        return _("A result has been corrected: %s") % line
    return _("A result now counts: %s") % line


def _withdrawn(event: PublicEvent) -> str:
    return _("The result of match %s no longer counts") % event.key


def _imported(event: PublicEvent) -> str:
    count: int = event.data["results"]
    return (
        ngettext(
            "%d result was imported from a file", "%d results were imported from a file", count
        )
        % count
    )


def _table_ended(event: PublicEvent) -> str:
    game = games.find_game(event.data["game"])
    return _("A match at a table has ended (%s)") % (game.name if game else event.data["game"])


KINDS = (
    EventKind(
        key="league.opened",
        name=gettext_lazy("league opened"),
        words=_league_created,
        page=_league_page("league"),
    ),
    EventKind(
        key="league.round_drawn",
        name=gettext_lazy("round drawn"),
        words=_rounds_drawn,
        page=_league_page("league_fixtures"),
    ),
    EventKind(
        key="league.round_withdrawn",
        name=gettext_lazy("draw undone"),
        words=_undrawn,
        page=_league_page("league_fixtures"),
    ),
    EventKind(
        key="league.pairings_changed",
        name=gettext_lazy("pairings changed"),
        words=_draw_changed,
        page=_league_page("league_fixtures"),
    ),
    EventKind(
        key="league.result",
        name=gettext_lazy("league result"),
        words=_result,
        page=_match_page,
        complete=_with_names,
    ),
    EventKind(
        key="league.result_withdrawn",
        name=gettext_lazy("result no longer counts"),
        words=_withdrawn,
        page=_match_page,
    ),
    EventKind(
        key="league.imported",
        name=gettext_lazy("results imported"),
        words=_imported,
        page=_league_page("league_results"),
    ),
    EventKind(
        key="league.closed",
        name=gettext_lazy("league closed"),
        words=_closed,
        page=_league_page("league"),
    ),
    EventKind(
        key="table.over", name=gettext_lazy("table finished"), words=_table_ended, page=_table_page
    ),
)


def register_event_types() -> None:
    scopes.register(
        Scope(
            name="league", public=_public, find=_find_league, may_see=_may_see, addresses=_addresses
        )
    )
    kinds.register(*KINDS)
