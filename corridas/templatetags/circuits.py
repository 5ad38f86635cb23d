"""Template tags for pages of circuits."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from corridas.circuits.access import circuit_of
from corridas.circuits.forms import OPTIONS
from corridas.circuits.operations import DIRECT
from corridas.models import Circuit

register = template.Library()


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
