"""How much of what one user may keep is used up; a superuser's, or nobody's, has no bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings

from corridas.models import Circuit, Corrida, Matador

if TYPE_CHECKING:
    from accounts.models import User

BOUNDLESS = 10**9


def circuits_left(user: User) -> int:
    """Circuits that the user may still found or take over; what is archived does not count."""
    if user.is_superuser:
        return BOUNDLESS
    kept = Circuit.objects.filter(owner=user, archived_at=None).count()
    return max(0, settings.CIRCUITS_A_USER - kept)


def seasons_left(circuit: Circuit) -> int:
    """Seasons that the circuit may still have."""
    if _boundless(circuit):
        return BOUNDLESS
    return max(0, settings.SEASONS_A_CIRCUIT - circuit.seasons.count())


def matadors_left(circuit: Circuit) -> int:
    """Matadors that may still be added to the circuit; who has retired does not count."""
    if _boundless(circuit):
        return BOUNDLESS
    kept = circuit.matadors.exclude(state=Matador.State.RETIRED).count()
    return max(0, settings.MATADORS_A_CIRCUIT - kept)


def sand_left(circuit: Circuit) -> int:
    """Corridas that the circuit's director may still have on the sand, in all circuits together."""
    if _boundless(circuit):
        return BOUNDLESS
    live = (Corrida.State.QUEUED, Corrida.State.ON_AIR)
    going = Corrida.objects.filter(season__circuit__owner=circuit.owner_id, state__in=live)
    return max(0, settings.ON_THE_SAND_A_USER - going.count())


def _boundless(circuit: Circuit) -> bool:
    return circuit.owner is None or circuit.owner.is_superuser
