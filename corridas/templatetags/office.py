"""The block on the first page of the office."""

from __future__ import annotations

from typing import Any

from django import template

from corridas.queries import office

register = template.Library()


@register.inclusion_tag("admin/corridas/_today.html", takes_context=True)
def corridas_today(context: dict[str, Any]) -> dict[str, Any]:
    """What is queued, on air or failed, for whoever may see corridas; nothing for others."""
    user = context["user"]
    sees = user.has_perm("corridas.view_corrida") or user.has_perm("corridas.change_corrida")
    return {
        "today": office.today() if sees else None,
        "may_send": user.has_perm("corridas.change_corrida"),
        "may_stop": user.has_perm("corridas.change_run"),
        "csrf_token": context.get("csrf_token"),
    }
