"""Whether something may be asked of a circuit at all: by whom, when, within which bounds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _

from corridas.models import Circuit
from corridas.operations.errors import OperationError
from corridas.queries import quotas
from corridas.queries.circuit import SHIPPED

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

DIRECT: Final = "corridas.direct_circuit"


def check_directs(by: User | AnonymousUser, circuit: Circuit) -> None:
    """`PermissionDenied` for who neither directs the circuit nor may do everything."""
    if not by.has_perm(DIRECT, circuit):
        raise PermissionDenied(_("Only the director of this circuit can open this page."))


def check_awake(circuit: Circuit) -> None:
    """`OperationError` where nothing is played: the circuit is frozen or put away."""
    if circuit.archived_at:
        raise OperationError(_("%s is archived, so nothing can be played in it.") % circuit)
    if circuit.frozen_at:
        raise OperationError(_("%s is frozen, so nothing can be played in it.") % circuit)


def check_own(circuit: Circuit) -> None:
    """`OperationError` for the circuit that comes with the site, which stays as it is."""
    if circuit.slug == SHIPPED:
        raise OperationError(_("This circuit belongs to the site and can’t be deleted."))


def check_circuits(user: User, field: str = "") -> None:
    """`OperationError` where the user keeps as many circuits as one may; within a transaction.

    The user is held meanwhile, so that of two circuits at once only one is the last.
    """
    get_user_model().objects.select_for_update().filter(pk=user.pk).first()
    if not quotas.circuits_left(user):
        raise OperationError(
            _("You can direct at most %(most)s circuits. Delete one or hand it over first.")
            % {"most": settings.CIRCUITS_A_USER},
            field,
        )


def check_seasons(circuit: Circuit) -> None:
    """`OperationError` where the circuit has as many seasons as one may have."""
    if not quotas.seasons_left(circuit):
        raise OperationError(
            _("A circuit can have at most %(most)s seasons.")
            % {"most": settings.SEASONS_A_CIRCUIT},
            "year",
        )


def check_sand(circuit: Circuit) -> None:
    """`OperationError` where its director has as many corridas on the sand as one may."""
    if not quotas.sand_left(circuit):
        raise OperationError(
            _("You can have at most %(most)s corridas on air. Wait until one has ended.")
            % {"most": settings.ON_THE_SAND_A_USER},
            "corrida",
        )
