"""Founding a circuit."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from corridas.addresses import address
from corridas.forms import refuse
from corridas.forms.calendars import more_rows, rows_form, shipped_plazas
from corridas.forms.circuits import FoundingForm
from corridas.operations import OperationError
from corridas.operations.circuits import found_circuit
from corridas.views.circuits.directing import who
from fairness import Seed

SEED_LETTERS = 12


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Found a circuit; `more` asks for more rows of the calendar and founds nothing."""
    first = {"year": timezone.now().year, "seed": Seed.fresh().value.hex()[:SEED_LETTERS]}
    if request.method != "POST":
        return _show(request, FoundingForm(initial=first))
    if "more" in request.POST:
        return _show(request, FoundingForm(initial=request.POST.dict() | _lists(request)), True)
    return _found(request, FoundingForm(request.POST))


def _lists(request: HttpRequest) -> dict[str, object]:
    return {"ferias": request.POST.getlist("ferias")}


def _show(request: HttpRequest, form: FoundingForm, more: bool = False) -> HttpResponse:
    year = timezone.now().year
    plazas = shipped_plazas()
    rows = more_rows(plazas, year, request.POST) if more else rows_form(plazas, year)
    return render(request, "corridas/circuit_new.html", {"form": form, "rows": rows})


def _found(request: HttpRequest, form: FoundingForm) -> HttpResponse:
    whole = form.is_valid()
    year = form.cleaned_data.get("year") or timezone.now().year
    rows = rows_form(shipped_plazas(), year, request.POST if form.own else None)
    if whole and (not form.own or rows.is_valid()):
        try:
            founding = form.founding(form.entries(rows))
            circuit = found_circuit(founding=founding, by=who(request), at=timezone.now())
            messages.success(request, _("%s has been created. You are its director.") % circuit)
            return redirect(address(circuit.slug, "desk"))
        except OperationError as error:
            refuse(form, error)
    context = {"form": form, "rows": rows}
    return render(request, "corridas/circuit_new.html", context, status=422)
