"""Taking over a plaza."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from corridas.circuits.operations import check_awake, check_directs
from corridas.errors import OperationError
from corridas.models import Circuit, Plaza, Reservation, Season
from corridas.season.commitments import reserve
from corridas.simulation.pars import store_pars, why_no_pars
from corridas.world import box_office
from empresas.models import Concession, Promoter
from empresas.offers import Offer, offers, today


def promoter_of(user: User, circuit: Circuit) -> Promoter:
    """Return the promoter that a user is in a circuit; if there is none, one that is not stored."""
    found = Promoter.objects.filter(user=user, circuit=circuit).first()
    return found or Promoter(user=user, circuit=circuit)


def why_no_offers(season: Season, found: list[Offer]) -> str:
    """Return the sentence that says why no plaza is offered, or "" if there are offers."""
    if found:
        return ""
    if reason := why_no_pars(season):
        return reason
    if today(season) is not None:
        return _("No plaza can be taken over in this season. New offers come in winter.")
    return _("No plaza with three corridas or more is free.")


def take(*, plaza: Plaza, by: User) -> Concession:
    """Take over a plaza that is offered to a user, in the latest season of its circuit.

    Its corridas are reserved, feria by feria. Raises `PermissionDenied` unless the user directs the
    circuit, and `OperationError` if the plaza is not offered to him, if he has one already, or if
    somebody else has one in this circuit.
    """
    check_directs(by, plaza.circuit)
    with transaction.atomic():
        circuit = Circuit.objects.select_for_update().get(pk=plaza.circuit_id)
        check_awake(circuit)
        promoter = promoter_of(by, circuit)
        _check_without_concession(promoter)
        season = Season.objects.filter(circuit=circuit).order_by("-year").first()
        if season is None:
            raise OperationError(_("There is no season yet."))
        store_pars(season)
        offer = _offered(plaza, season, promoter)
        promoter.save()
        concession = Concession.objects.create(
            promoter=promoter,
            plaza=plaza,
            first_year=season.year,
            canon=offer.canon,
            cash=offer.cash,
            version=box_office.VERSION,
        )
        stages = Reservation.Stage
        stage = stages.WINTER if today(season) is None else stages.SEASON
        for feria in offer.ferias:
            reserve(feria.corridas, closes_on=feria.closes_on, stage=stage)
        return concession


def _offered(plaza: Plaza, season: Season, promoter: Promoter) -> Offer:
    found = offers(season, promoter)
    if reason := why_no_offers(season, found):
        raise OperationError(reason)
    for offer in found:
        if offer.plaza.pk == plaza.pk:
            return offer
    raise OperationError(_("%s isn’t offered to you.") % plaza, "plaza")


def _check_without_concession(promoter: Promoter) -> None:
    held = Concession.objects.filter(plaza__circuit=promoter.circuit, last_year=None)
    for other in held.select_related("plaza", "promoter"):
        if other.promoter.user_id == promoter.user_id:
            raise OperationError(_("You already run %s.") % other.plaza)
        raise OperationError(_("Somebody else runs a plaza in this circuit."))
