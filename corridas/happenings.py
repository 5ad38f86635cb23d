"""What happens in circuits, as the event stream tells it: whose it is, in words, on which page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from django.utils.formats import localize
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from corridas.addresses import address
from corridas.models import Circuit
from corridas.queries.recordbook.book import figure
from corridas.queries.recordbook.words import KINDS as RECORDS
from events.kinds import Happening, Kind, kinds
from events.scopes import Scope, scopes


def _public() -> Any:
    return Circuit.objects.filter(public=True, archived_at=None).values("pk")


def _find(slug: str) -> int | None:
    return Circuit.objects.filter(slug=slug).values_list("pk", flat=True).first()


def _may_see(key: int, visitor: Any) -> bool:
    circuit = Circuit.objects.filter(pk=key).first()
    return bool(visitor.has_perm("corridas.view_circuit", circuit))


def _addresses(keys: Collection[int]) -> Mapping[int, str]:
    return dict(Circuit.objects.filter(pk__in=keys).values_list("pk", "slug"))


def _page(name: str, *parts: str) -> Callable[[Happening], str]:
    """The page `name` of the happening's circuit; `parts` of its pattern are in the data."""

    def page(one: Happening) -> str:
        given = {part: int(one.key) if part == "pk" else one.data[part] for part in parts}
        return address(one.circuit or "", name, **given)

    return page


def _award_page(one: Happening) -> str:
    year, slug = one.data["year"], one.data["address"]
    if slug is None:
        return address(one.circuit or "", "season", year=year)
    return address(one.circuit or "", "feria", year=year, slug=slug)


def _where(one: Happening) -> dict[str, str]:
    names = ", ".join(one.data.get("matadors", ()))
    return {"plaza": one.data["plaza"].replace("-", " ").title(), "names": names}


def _announced(one: Happening) -> str:
    count: int = one.data["carteles"]
    return ngettext("%d cartel hangs", "%d carteles hang", count) % count


def _on_air(one: Happening) -> str:
    return _("%(plaza)s is on the sand: %(names)s") % _where(one)


def _posted(one: Happening) -> str:
    ears = sum(one.data["ears"])
    cut = ngettext("%d ear", "%d ears", ears) % ears
    return _("%(plaza)s is over: %(names)s; %(ears)s cut") % {**_where(one), "ears": cut}


def _suspended(one: Happening) -> str:
    return _("%(plaza)s was broken off: %(names)s") % _where(one)


def _withdrawn(one: Happening) -> str:
    return _("%(plaza)s, played at a table, counts no more") % _where(one)


def _fell(one: Happening) -> str:
    words = {
        "record": RECORDS[one.key].label,
        "value": localize(figure(one.key, one.data["value"])),
        "before": localize(figure(one.key, one.data["before"])),
        "matador": one.data["matador"] or _("the whole circuit"),
    }
    return _("%(record)s: %(value)s instead of %(before)s, by %(matador)s") % words


def _given(one: Happening) -> str:
    of = one.data["feria"] or _("the season %s") % one.data["year"]
    to = [prize["to"] for prize in one.data["awards"] if prize["to"]]
    if not to:
        return _("Awards of %(of)s: nobody won any") % {"of": of}
    void = len(one.data["awards"]) - len(to)
    words = [", ".join(dict.fromkeys(to))]
    words += [ngettext("%d unawarded", "%d unawarded", void) % void] if void else []
    return _("Awards of %(of)s: %(to)s") % {"of": of, "to": "; ".join(words)}


def _winter(one: Happening) -> str:
    stopped = ngettext("%(count)s stopped", "%(count)s stopped", one.data["retired"])
    begun = ngettext(
        "%(count)s took the alternativa",
        "%(count)s took the alternativa",
        one.data["alternativas"],
    )
    return _("The winter after %(year)s is over: %(stopped)s, %(begun)s") % {
        "year": one.data["year"],
        "stopped": stopped % {"count": one.data["retired"]},
        "begun": begun % {"count": one.data["alternativas"]},
    }


CORRIDA = _page("corrida", "pk")
KINDS = (
    Kind(
        key="corrida.announced",
        name=gettext_lazy("carteles announced"),
        words=_announced,
        page=_page("season", "year"),
    ),
    Kind(key="corrida.on_air", name=gettext_lazy("corrida on air"), words=_on_air, page=CORRIDA),
    Kind(key="corrida.posted", name=gettext_lazy("corrida over"), words=_posted, page=CORRIDA),
    Kind(
        key="corrida.suspended",
        name=gettext_lazy("corrida broken off"),
        words=_suspended,
        page=CORRIDA,
    ),
    Kind(
        key="corrida.withdrawn",
        name=gettext_lazy("corrida taken back"),
        words=_withdrawn,
        page=_page("season"),
    ),
    Kind(key="record.fell", name=gettext_lazy("record fallen"), words=_fell, page=_page("records")),
    Kind(key="award.given", name=gettext_lazy("awards given"), words=_given, page=_award_page),
    Kind(
        key="winter.over",
        name=gettext_lazy("winter over"),
        words=_winter,
        page=_page("winter", "year"),
    ),
)


def offer() -> None:
    """Register circuits and what happens in them."""
    scopes.register(
        Scope(name="circuit", public=_public, find=_find, may_see=_may_see, addresses=_addresses)
    )
    kinds.register(*KINDS)
