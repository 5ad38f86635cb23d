"""Handing a circuit on, letting it rest, ending it, and bringing it back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from corridas.addresses import address
from corridas.forms import refuse
from corridas.forms.circuits import OfferForm
from corridas.operations import OperationError
from corridas.operations.circuits import (
    accept_circuit,
    decline_circuit,
    delete_circuit,
    freeze_circuit,
    offer_circuit,
    restore_circuit,
    thaw_circuit,
    withdraw_offer,
)
from corridas.queries import circuits
from corridas.queries.circuit import SHIPPED
from corridas.views.circuits.directing import directed, done, who
from corridas.views.circuits.seen import find_seen
from corridas.views.circuits.settings import show


@login_required
@require_POST
def offer(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Offer the circuit to a user by name, or take the offer back."""
    found = directed(request, circuit)
    if "withdraw" in request.POST:
        return done(
            request,
            circuit,
            lambda: withdraw_offer(circuit=found, by=who(request)),
            _("The offer has been withdrawn."),
            "circuit_settings",
        )
    form = OfferForm(request.POST)
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            other = offer_circuit(circuit=found, name=name, by=who(request))
            messages.success(
                request, _("It has been offered to %s, who can accept or decline.") % other
            )
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            if not error.field:
                messages.error(request, str(error))
                return redirect(address(circuit, "circuit_settings"))
            refuse(form, error)
    return show(request, found, offer=form)


@login_required
@require_POST
def answer(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Accept or decline what is offered."""
    found = find_seen(request, circuit)
    if "accept" not in request.POST:
        decline_circuit(circuit=found, by=who(request))
        messages.success(request, _("You have declined %s.") % found)
        return redirect("circuits")
    try:
        accept_circuit(circuit=found, by=who(request))
    except OperationError as error:
        messages.error(request, str(error))
        return redirect("circuits")
    messages.success(request, _("You are now the director of %s.") % found)
    return redirect(address(circuit, "desk"))


@login_required
@require_POST
def rest(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Freeze the circuit, or thaw it."""
    found, by = directed(request, circuit), who(request)
    if "thaw" in request.POST:
        said = _("%s is no longer frozen.") % found
        return done(
            request, circuit, lambda: thaw_circuit(circuit=found, by=by), said, "circuit_settings"
        )
    return done(
        request,
        circuit,
        lambda: freeze_circuit(circuit=found, by=by, at=timezone.now()),
        _("%s is frozen. Nothing can be played in it, but all its pages can still be viewed.")
        % found,
        "circuit_settings",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Say what goes, or what stays; then end the circuit."""
    found = directed(request, circuit)
    if request.method == "POST":
        return _end(request, circuit)
    context = {
        "circuit": circuit,
        "told": found,
        "own": circuit != SHIPPED,
        "history": circuits.has_history(found),
        "holds": circuits.belongings(found),
    }
    return render(request, "corridas/circuit_delete.html", context)


def _end(request: HttpRequest, circuit: str) -> HttpResponse:
    found = directed(request, circuit)
    try:
        gone = delete_circuit(circuit=found, by=who(request), at=timezone.now())
    except OperationError as error:
        messages.error(request, str(error))
        return redirect(address(circuit, "circuit_settings"))
    said = (
        _("%s has been deleted.")
        if gone
        else _("%s has been archived. You can restore it for 30 days.")
    )
    messages.success(request, said % found)
    return redirect("circuits")


@login_required
@require_POST
def restore(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Bring an archived circuit back."""
    found, by = directed(request, circuit), who(request)
    said = _("%s has been restored.") % found
    return done(
        request,
        circuit,
        lambda: restore_circuit(circuit=found, by=by, at=timezone.now()),
        said,
        "circuit_settings",
    )
