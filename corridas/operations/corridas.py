"""What a director does with one corrida: set its cartel, put it on air, end a broadcast."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _

from corridas import simulation
from corridas.circuits.operations import check_awake, check_sand
from corridas.models import Circuit, Corrida, Ganaderia, Matador, Puesto, Run, Winter
from corridas.operations.errors import OperationError
from corridas.tasks import play_corrida, tell
from corridas.world.encierro import EncierroError
from fairness import Seed

PACES_MS = (50, 60_000)
"""The fastest and the slowest pace, in milliseconds a card."""


def queue_corrida(*, corrida: Corrida, pace_ms: int, at: dt.datetime, within: bool = False) -> bool:
    """Put an announced corrida on air as soon as a worker is free.

    Returns whether a worker was told; where the broker is away the corrida stays queued and is
    played when the broker is back. `within` a transaction of the caller's, workers are told when
    that is committed. Raises `OperationError` for a pace out of bounds, a corrida
    without a cartel, one that is not waiting, or while its season is being run on.
    """
    _check_pace(pace_ms)
    with transaction.atomic():
        _lock(corrida)
        _check_waiting(corrida)
        _hang_cartel(corrida, at)
        _check_free_for_the_sand(corrida)
        check_sand(corrida.season.circuit)
        corrida.state, corrida.queued_at, corrida.pace_ms = Corrida.State.QUEUED, at, pace_ms
        corrida.attempts, corrida.error = 0, ""
        corrida.save(update_fields=["state", "queued_at", "pace_ms", "attempts", "error"])
    return tell(play_corrida, corrida.pk, within=within)


def _check_pace(pace_ms: int) -> None:
    fastest, slowest = PACES_MS
    if not fastest <= pace_ms <= slowest:
        raise OperationError(
            _("Enter %(fastest)s to %(slowest)s milliseconds per card, not %(pace)s.")
            % {"fastest": fastest, "slowest": slowest, "pace": pace_ms},
            "pace_ms",
        )


def _lock(corrida: Corrida) -> None:
    """Hold circuit and corrida for this transaction, and read the corrida as it stands.

    Raises `OperationError` where nothing is played in the circuit.
    """
    check_awake(Circuit.objects.select_for_update().get(seasons=corrida.season_id))
    corrida.refresh_from_db()


def _check_waiting(corrida: Corrida) -> None:
    if corrida.state not in (Corrida.State.ANNOUNCED, Corrida.State.FAILED):
        raise OperationError(
            _("%(corrida)s is no longer waiting. It is now %(state)s.")
            % {"corrida": corrida, "state": corrida.get_state_display()}
        )
    if Winter.objects.filter(season=corrida.season_id, done_at__isnull=False).exists():
        raise OperationError(
            _("The winter after this season has ended, so the corrida can no longer be changed.")
        )
    _check_not_run(corrida)


def _check_not_run(corrida: Corrida) -> None:
    if Run.objects.filter(season=corrida.season_id, state__in=Run.ACTIVE).exists():
        raise OperationError(_("The season is being played. Stop it first."))


def _hang_cartel(corrida: Corrida, at: dt.datetime) -> None:
    if corrida.state == Corrida.State.FAILED:  # it waits again, so that matadors are found for it
        Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.ANNOUNCED)
    try:
        simulation.prepare(corrida.season, corrida.date, Seed.fresh, at=at)
    except EncierroError as error:
        raise OperationError(str(error)) from error
    corrida.refresh_from_db()
    if not hasattr(corrida, "cartel"):
        raise OperationError(_("Fewer than three matadors are available on %s.") % corrida.date)


def _check_free_for_the_sand(corrida: Corrida) -> None:
    """Nobody fights at two places: whoever is hurt in the first must not appear in the second."""
    if not Corrida.objects.filter(pk=corrida.pk).free_for_the_sand().exists():
        raise OperationError(
            _("One of its matadors is still fighting in another corrida. Wait until it has ended."),
            "corrida",
        )


def retry_corrida(*, corrida: Corrida, at: dt.datetime, within: bool = False) -> bool:
    """Try a failed corrida again, at the pace it was queued with; `within` as for queueing."""
    pace_ms = corrida.pace_ms or corrida.season.circuit.pace_ms
    return queue_corrida(corrida=corrida, pace_ms=pace_ms, at=at, within=within)


def cut_short(*, corrida: Corrida, at: dt.datetime) -> None:
    """Post the results of a corrida on air at once; who watches still sees it at its own pace."""
    if not simulation.post_now(corrida.pk, at=at):
        raise OperationError(_("%s is not on air.") % corrida)


def set_cartel(
    *, corrida: Corrida, matadors: Sequence[Matador], herd: Ganaderia | None = None
) -> None:
    """A director's own cartel.

    Raises `OperationError` for other than three different matadors, one who is engaged or hurt,
    a corrida that is not merely announced, or while its season is being run on: whoever runs it
    contracts by what he knew when he began.
    """
    with transaction.atomic():
        _lock(corrida)
        if corrida.state != Corrida.State.ANNOUNCED:
            raise OperationError(_("The cartel of %s can no longer be changed.") % corrida)
        _check_not_run(corrida)
        _check_three(matadors)
        for matador in matadors:
            _check_free(matador, corrida)
        if herd and herd.circuit_id != corrida.season.circuit_id:
            raise OperationError(_("%s belongs to another circuit.") % herd, "herd")
        if herd and herd.archived_at is not None:
            raise OperationError(_("%s is archived.") % herd, "herd")
        chosen = [matador.pk for matador in matadors]
        simulation.fill_by_hand(corrida, chosen, herd or _herd(corrida), fresh=Seed.fresh)


def _check_three(matadors: Sequence[Matador]) -> None:
    keys = [matador.pk for matador in matadors]
    if len(keys) != 3:
        raise OperationError(_("A cartel needs three matadors."), "matadors")
    for matador in matadors:
        if keys.count(matador.pk) > 1:
            raise OperationError(_("%s is on the cartel twice.") % matador, "matadors")


def _check_free(matador: Matador, corrida: Corrida) -> None:
    """Nobody is in two places on a day, or across the ocean overnight; the injured rest."""
    if matador.circuit_id != corrida.season.circuit_id:
        raise OperationError(_("%s belongs to another circuit.") % matador, "matadors")
    if matador.state != Matador.State.ACTIVE:
        raise OperationError(_("%s is not an active matador.") % matador, "matadors")
    if not matador.cards.exists():
        raise OperationError(_("%s has no card to appear with.") % matador, "matadors")
    if matador.injuries.filter(since__lte=corrida.date, until__gte=corrida.date).exists():
        raise OperationError(_("%s is injured and can’t appear on that day.") % matador, "matadors")
    near = Puesto.objects.filter(
        matador=matador,
        date__range=(corrida.date - dt.timedelta(2), corrida.date + dt.timedelta(2)),
    ).exclude(cartel=corrida.pk)
    for other in near.select_related("cartel__corrida__plaza"):
        _check_apart(matador, corrida, other.cartel.corrida)


def _check_apart(matador: Matador, corrida: Corrida, other: Corrida) -> None:
    if other.date == corrida.date:
        sentence = _("%(matador)s is already announced at %(plaza)s on that day.")
    elif other.plaza.continent != corrida.plaza.continent:
        sentence = _("%(matador)s can’t cross the ocean in time to or from %(plaza)s.")
    else:
        return
    raise OperationError(sentence % {"matador": matador, "plaza": other.plaza}, "matadors")


def _herd(corrida: Corrida) -> Ganaderia:
    """The herd already announced, or the first of the continent."""
    if hasattr(corrida, "cartel"):
        return corrida.cartel.ganaderia
    herds = Ganaderia.objects.filter(circuit=corrida.season.circuit_id, archived_at=None)
    herd = herds.filter(continent=corrida.plaza.continent).first()
    if herd is None:
        raise OperationError(_("There is no herd on the continent of %s.") % corrida.plaza, "herd")
    return herd
