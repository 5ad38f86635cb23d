"""A circuit's settings, and its calendar from the next season on."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from corridas.addresses import address
from corridas.forms import refuse
from corridas.forms.calendars import CalendarForm, more_rows, plazas_of, rows_form
from corridas.forms.circuits import OfferForm, SettingsForm
from corridas.models import Circuit
from corridas.operations import OperationError
from corridas.operations.circuits import change_calendar, change_circuit
from corridas.operations.circuits.founding import coming_year
from corridas.queries.circuit import SHIPPED
from corridas.simulation import calendar_of
from corridas.views.circuits.directing import directed, who


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The settings, and the ways to hand the circuit on, let it rest, or end it."""
    found = directed(request, circuit)
    form = SettingsForm.of(found, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            change_circuit(circuit=found, settings=form.settings(), by=who(request))
            messages.success(request, _("The settings have been saved."))
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            refuse(form, error)
    return show(request, found, form=form)


def show(
    request: HttpRequest,
    circuit: Circuit,
    *,
    form: SettingsForm | None = None,
    offer: OfferForm | None = None,
) -> HttpResponse:
    """The page of settings; one of its forms may come with what was wrong in it."""
    form, offer = form or SettingsForm.of(circuit), offer or OfferForm()
    context = {
        "circuit": circuit.slug,
        "told": circuit,
        "form": form,
        "offer_form": offer,
        "own": circuit.slug != SHIPPED,
    }
    wrong = form.errors or offer.errors
    return render(request, "corridas/circuit_settings.html", context, status=422 if wrong else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """The calendar of the seasons to come; `more` asks for more rows and changes nothing."""
    found = directed(request, circuit)
    plazas, year = plazas_of(found), coming_year(found)
    asked = request.POST if request.method == "POST" else None
    more = asked is not None and "more" in asked
    standing = {"calendar": "shipped" if found.calendar is None else "own"}
    form = CalendarForm(None if more else asked, plazas=plazas, initial=standing)
    if more and asked is not None:
        form.initial, rows = asked.dict(), more_rows(plazas, year, asked)
    else:
        first = [] if found.calendar is None else calendar_of(found)
        rows = rows_form(plazas, year, asked if form.own else None, first)
    if asked is not None and not more and form.is_valid() and (not form.own or rows.is_valid()):
        try:
            change_calendar(circuit=found, entries=form.entries(rows), by=who(request))
            messages.success(
                request, _("The calendar has been saved. It applies from the next season.")
            )
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            refuse(form, error)
    context = {"circuit": circuit, "told": found, "form": form, "rows": rows, "year": year}
    wrong = asked is not None and not more
    return render(request, "corridas/circuit_calendar.html", context, status=422 if wrong else 200)
