"""From the office to the rosters as files: which circuit's, and then to its own page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.translation import gettext as _

from corridas.addresses import address
from corridas.admin.scoping import ScopedAdmin

if TYPE_CHECKING:
    from django.urls import URLPattern


class ExchangeDoor(ScopedAdmin):
    """Circuits with a door to their rosters as files."""

    def get_urls(self) -> list[URLPattern]:
        """Django's, and the door."""
        door = path(
            "exchange/", self.admin_site.admin_view(self.exchange), name="corridas_circuit_exchange"
        )
        return [door, *super().get_urls()]

    def exchange(self, request: HttpRequest) -> HttpResponse:
        """The circuits whose rosters this person keeps; where it is one, straight to it."""
        kept = list(self.kept_rows(request).order_by("name").values_list("slug", "name"))
        if len(kept) == 1:
            return redirect(address(kept[0][0], "exchange"))
        context = {
            **self.admin_site.each_context(request),
            "title": _("Import and export"),
            "opts": self.opts,
            "circuits": [(name, address(slug, "exchange")) for slug, name in kept],
        }
        return render(request, "admin/exchange.html", context)
