"""Template tags for pages of circuits."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.circuits.operations import DIRECT
from corridas.models import Circuit
from corridas.pages.access import circuit_of
from corridas.pages.circuits.forms import OPTIONS

register = template.Library()


class Play(NamedTuple):
    """Data of the play control (the menu to continue a season) in the page header.

    `load` is the URL from which a script loads the control. If it is empty, only `link` is shown.
    """

    link: str
    load: str = ""


@register.simple_tag(takes_context=True)
def play_control(context: template.Context) -> Play | None:
    """Return the data of the play control for the director of the page's circuit.

    Return None for everybody else. It costs no query and is not part of pages that visitors share.
    Outside of any circuit it is a link to the circuit that the user directed last.
    """
    request = context.get("request")
    if request is None or not getattr(request, "user", None) or not request.user.is_authenticated:
        return None
    circuit = circuit_of(request)
    if circuit is not None:
        if circuit.frozen_at or circuit.archived_at or not request.user.has_perm(DIRECT, circuit):
            return None
        return Play(*[address(circuit.slug, "play")] * 2)
    last = request.session.get("directs", "")
    if "circuit" in context and (request.user.is_superuser or last == SHIPPED):
        return Play(*[address(SHIPPED, "play")] * 2)
    last = last or (SHIPPED if request.user.is_superuser else "")
    return Play(address(last, "desk")) if last else None


@register.simple_tag(takes_context=True)
def circuit_strip(context: template.Context) -> SafeString:
    request = context.get("request")
    circuit = circuit_of(request) if request else None
    if request is None or circuit is None:
        return SafeString("")
    context_of_strip = {
        "circuit": circuit,
        "directs": request.user.has_perm(DIRECT, circuit),
        "offered": circuit.offered_to_id is not None and circuit.offered_to_id == request.user.pk,
    }
    return render_to_string("corridas/_circuit.html#strip", context_of_strip)


@register.inclusion_tag("corridas/_circuit.html#about")
def circuit_about(about: Circuit) -> dict[str, object]:
    rules = about.engine_rules().options()
    options = [(label, values[rules[name]]) for name, (label, values) in OPTIONS.items()]
    return {"about": about, "options": options}
