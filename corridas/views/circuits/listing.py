"""All circuits one may watch, one's own, and those one is offered."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import User
from corridas.operations.circuits.ending import RESTORABLE
from corridas.queries import circuits, quotas


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """The list of circuits."""
    context: dict[str, object] = {"public": circuits.public_circuits()}
    user = request.user
    if isinstance(user, User):
        context |= {
            "mine": circuits.circuits_of(user),
            "offered": circuits.offered_to(user),
            "room": quotas.circuits_left(user) > 0,
            "most": settings.CIRCUITS_A_USER,
            "restorable_since": timezone.now() - RESTORABLE,
        }
    return render(request, "corridas/circuits.html", context)
