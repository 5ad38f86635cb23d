"""Types of events about corridas: who may see them, and their texts."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Min
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corridas.addresses import address
from corridas.escalafon.queries.records import figure
from corridas.labels import AWARDS
from corridas.labels import KINDS as RECORDS
from corridas.models import Circuit, Matador, Plaza
from corridas.spoilers.hiding import ALL, revealed
from corridas.spoilers.queries import hidden
from corridas.world.awards import HERD
from corridas.world.names import plaza_in_sentence
from events.kinds import Data, EventKind, PublicEvent, StoredEvent, kinds
from events.scopes import Scope, scopes


def _public() -> Any:
    return Circuit.objects.filter(public=True, archived_at=None).values("pk")


def _find(slug: str) -> int | None:
    return Circuit.objects.filter(slug=slug).values_list("pk", flat=True).first()


def _may_see(key: int, visitor: Any) -> bool:
    circuit = Circuit.objects.filter(pk=key).first()
    return bool(visitor.has_perm("corridas.view_circuit", circuit))


def _unwatched(request: Any) -> Mapping[int, dt.datetime]:
    """Return, by circuit, when the first corrida that the user has not watched began to be
    broadcast.
    """
    user, at = request.user, timezone.now()
    if not getattr(user, "shielded_since", None):
        return {}
    shown = revealed(request.session, at=at)
    if ALL in shown:
        return {}
    rows = hidden(user, at).exclude(season__circuit__slug__in=shown).order_by()
    return dict(rows.values_list("season__circuit").annotate(Min("on_air_at")))


def _addresses(keys: Collection[int]) -> Mapping[int, str]:
    return dict(Circuit.objects.filter(pk__in=keys).values_list("pk", "slug"))


def _page(name: str, *parts: str) -> Callable[[PublicEvent], str]:
    def page(event: PublicEvent) -> str:
        given = {part: int(event.key) if part == "pk" else event.data[part] for part in parts}
        return address(event.circuit or "", name, **given)

    return page


def _award_page(event: PublicEvent) -> str:
    year, slug = event.data["year"], event.data["address"]
    if slug is None:
        return address(event.circuit or "", "season", year=year)
    return address(event.circuit or "", "feria", year=year, slug=slug)


def _with_names(events: Sequence[StoredEvent]) -> list[Data]:
    """Return the data of events with display names of matadors and plazas. Two queries."""
    circuits = {event.circuit for event in events}
    men = {name for event in events for name in _men(event.data)}
    posters: dict[tuple[int | None, str | None], set[str]] = defaultdict(set)
    for row in Matador.objects.filter(circuit__in=circuits, name__in=men):
        posters[row.circuit_id, row.name].add(row.billing)
    held = Plaza.objects.filter(
        circuit__in=circuits, slug__in={event.data.get("plaza", "") for event in events}
    )
    places = {(row.circuit_id, row.slug): (row.name, row.city) for row in held}

    def billed(circuit: int | None, name: str | None) -> str | None:
        called = posters.get((circuit, name), ())
        return (
            next(iter(called)) if len(called) == 1 else name
        )  # namesakes keep the name as written

    return [
        _named(event.data, partial(billed, event.circuit), places, event.circuit)
        for event in events
    ]


def _men(data: Data) -> Iterator[str]:
    prizes = (prize["to"] for prize in data.get("awards", ()))
    return filter(None, (data.get("matador"), *data.get("matadors", ()), *prizes))


def _named(
    data: Data,
    billed: Callable[[str | None], str | None],
    places: Mapping[tuple[int, str], tuple[str, str]],
    circuit: int | None,
) -> Data:
    named = dict(data)
    if "matador" in data:
        named["matador"] = billed(data["matador"])
    if "matadors" in data:
        named["matadors"] = [billed(name) for name in data["matadors"]]
    if "awards" in data:
        named["awards"] = [
            mention if mention["key"] == HERD else {**mention, "to": billed(mention["to"])}
            for mention in data["awards"]
        ]
    if "plaza" in data:
        unknown = (data["plaza"], "")
        named["place"], named["city"] = places.get((circuit or 0, data["plaza"]), unknown)
    return named


def _where(event: PublicEvent) -> dict[str, str]:
    names = ", ".join(event.data.get("matadors", ()))
    data = event.data
    return {"plaza": plaza_in_sentence(data.get("city", ""), data["place"]), "names": names}


def _announced(event: PublicEvent) -> str:
    count: int = event.data["carteles"]
    return ngettext("%d cartel announced", "%d carteles announced", count) % count


def _on_air(event: PublicEvent) -> str:
    return _("The corrida in %(plaza)s has begun: %(names)s") % _where(event)


def _posted(event: PublicEvent) -> str:
    ears = sum(event.data["ears"])
    cut = ngettext("%d ear", "%d ears", ears) % ears
    return _("The corrida in %(plaza)s has ended: %(names)s; %(ears)s cut") % {
        **_where(event),
        "ears": cut,
    }


def _suspended(event: PublicEvent) -> str:
    return _("The corrida in %(plaza)s was suspended: %(names)s") % _where(event)


def _withdrawn(event: PublicEvent) -> str:
    return _("The corrida in %(plaza)s, played with real cards, no longer counts") % _where(event)


def _figure(event: PublicEvent, name: str) -> str:
    number = figure(event.key, event.data[name])
    return intcomma(number)


def _fell(event: PublicEvent) -> str:
    words = {
        "record": RECORDS[event.key].label,
        "value": _figure(event, "value"),
        "before": _figure(event, "before"),
        "matador": event.data["matador"] or _("the whole circuit"),
    }
    return _("New record by %(matador)s – %(record)s: %(value)s (previously %(before)s)") % words


_ORDER = {key: number for number, key in enumerate(AWARDS)}


def _awards_sentence(event: PublicEvent) -> str:
    of = event.data["feria"] or _("the %s season") % event.data["year"]
    to = [prize["to"] for prize in event.data["awards"] if prize["to"]]
    if not to:
        return _("Awards for %(of)s: none were given") % {"of": of}
    void = len(event.data["awards"]) - len(to)
    titles: dict[str, list[str]] = defaultdict(list)
    for prize in sorted(event.data["awards"], key=lambda prize: _ORDER.get(prize["key"], 0)):
        if prize["to"]:
            titles[prize["to"]].append(str(AWARDS[prize["key"]].label))
    words = [", ".join(f"{name} ({', '.join(won)})" for name, won in titles.items())]
    words += [ngettext("%d not awarded", "%d not awarded", void) % void] if void else []
    return _("Awards for %(of)s: %(to)s") % {"of": of, "to": "; ".join(words)}


def _winter(event: PublicEvent) -> str:
    stopped = ngettext(
        "%(count)s matador retired", "%(count)s matadors retired", event.data["retired"]
    )
    begun = ngettext(
        "%(count)s novillero took the alternativa",
        "%(count)s novilleros took the alternativa",
        event.data["alternativas"],
    )
    return _("The winter after %(year)s has ended: %(stopped)s, %(begun)s") % {
        "year": event.data["year"],
        "stopped": stopped % {"count": event.data["retired"]},
        "begun": begun % {"count": event.data["alternativas"]},
    }


CORRIDA = _page("corrida", "pk")
KINDS = (
    EventKind(
        key="corrida.announced",
        name=gettext_lazy("carteles announced"),
        words=_announced,
        page=_page("season", "year"),
        spoils=False,
    ),
    EventKind(
        key="corrida.on_air",
        name=gettext_lazy("corrida on air"),
        words=_on_air,
        page=CORRIDA,
        complete=_with_names,
        spoils=False,
    ),
    EventKind(
        key="corrida.posted",
        name=gettext_lazy("corrida over"),
        words=_posted,
        page=CORRIDA,
        complete=_with_names,
    ),
    EventKind(
        key="corrida.suspended",
        name=gettext_lazy("corrida broken off"),
        words=_suspended,
        page=CORRIDA,
        complete=_with_names,
    ),
    EventKind(
        key="corrida.withdrawn",
        name=gettext_lazy("corrida withdrawn"),
        words=_withdrawn,
        page=_page("season"),
        complete=_with_names,
    ),
    EventKind(
        key="record.fell",
        name=gettext_lazy("record broken"),
        words=_fell,
        page=_page("records"),
        complete=_with_names,
    ),
    EventKind(
        key="award.given",
        name=gettext_lazy("awards given"),
        words=_awards_sentence,
        page=_award_page,
        complete=_with_names,
    ),
    EventKind(
        key="winter.over",
        name=gettext_lazy("winter over"),
        words=_winter,
        page=_page("winter", "year"),
    ),
)


def register_event_types() -> None:
    scopes.register(
        Scope(
            name="circuit",
            public=_public,
            find=_find,
            may_see=_may_see,
            addresses=_addresses,
            unwatched=_unwatched,
        )
    )
    kinds.register(*KINDS)
