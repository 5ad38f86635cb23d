"""Founding the shipped circuit and planning its seasons."""

from __future__ import annotations

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from corridas import simulation
from corridas.models import Circuit, Season
from corridas.operations.errors import OperationError
from corridas.queries.circuit import SHIPPED
from corridas.simulation.founding import shipped
from corridas.world.calendar import CalendarError
from fairness import Seed


def found_leyendas(*, year: int) -> Circuit:
    """The shipped circuit with its roster and a first season; the one there is, if there is one."""
    circuit = Circuit.objects.filter(slug=SHIPPED).first()
    if circuit is None:
        with transaction.atomic():
            circuit = simulation.found(
                shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={}
            )
            circuit.always_on_air = True
            circuit.save(update_fields=["always_on_air"])
            plan_season(circuit=circuit, year=year)
    return circuit


def plan_season(*, circuit: Circuit, year: int) -> Season:
    """A season of the shipped calendar.

    Raises `OperationError` where the year is planned already, or is none.
    """
    try:
        with transaction.atomic():
            return simulation.plan(circuit, year, shipped().ferias, seed=Seed.fresh())
    except IntegrityError as error:
        if not Season.objects.filter(circuit=circuit, year=year).exists():
            raise
        raise OperationError(
            _("%(circuit)s has a season %(year)s already.") % {"circuit": circuit, "year": year},
            "year",
        ) from error
    except CalendarError as error:
        raise OperationError(str(error), "year") from error
