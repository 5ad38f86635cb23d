"""Pages to list, create, copy, configure, transfer, freeze and end circuits."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from api.idempotency import form_once
from corridas import circuit_queries as circuits
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.circuits.calendar_checks import years_ahead, years_from
from corridas.circuits.copying import cancel_copy, request_copy
from corridas.circuits.operations import (
    RESTORABLE,
    accept_circuit,
    change_calendar,
    change_circuit,
    decline_circuit,
    delete_circuit,
    found_circuit,
    freeze_circuit,
    offer_circuit,
    restore_circuit,
    thaw_circuit,
    withdraw_offer,
)
from corridas.errors import OperationError
from corridas.models import Circuit, CircuitCopy
from corridas.pages.access import directed_circuit, find_visible, perform, signed_in_user
from corridas.pages.circuits.forms import (
    MAX_PAGE_ROWS,
    CalendarForm,
    FoundingForm,
    OfferForm,
    SettingsForm,
    more_rows,
    plazas_of,
    refuse,
    rows_form,
    shipped_plazas,
)
from corridas.roster.new_cards import new_cards
from corridas.simulation.schedule import calendar_of
from fairness import Seed


@require_safe
def circuits_page(request: HttpRequest) -> HttpResponse:
    context: dict[str, object] = {"public": circuits.public_circuits()}
    user = request.user
    if isinstance(user, User):
        context |= {
            "mine": circuits.circuits_of(user),
            "offered": circuits.offered_to(user),
            "copies": circuits.copies_under_way(user),
            "room": circuits.circuits_left(user) > 0,
            "most": settings.MAX_CIRCUITS_PER_USER,
            "restorable_since": timezone.now() - RESTORABLE,
        }
    return render(request, "corridas/circuits.html", context)


SEED_LETTERS = 12


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@form_once
def founding_page(request: HttpRequest) -> HttpResponse:
    """Show the form to create a circuit, or create the circuit.

    The button `more` only adds empty rows to the calendar form.
    """
    first = {"year": timezone.now().year, "seed": Seed.fresh().value.hex()[:SEED_LETTERS]}
    if request.method != "POST":
        return _show(request, FoundingForm(initial=first))
    if "more" in request.POST:
        initial = request.POST.dict() | {"ferias": request.POST.getlist("ferias")}
        return _show(request, FoundingForm(initial=initial), True)
    return _create(request, FoundingForm(request.POST))


def _show(request: HttpRequest, form: FoundingForm, more: bool = False) -> HttpResponse:
    years = years_from(timezone.now().year)
    plazas = shipped_plazas()
    rows = more_rows(plazas, years, request.POST) if more else rows_form(plazas, years)
    return render(request, "corridas/circuit_new.html", {"form": form, "rows": rows})


def _create(request: HttpRequest, form: FoundingForm) -> HttpResponse:
    whole = form.is_valid()
    year = form.cleaned_data.get("year") or timezone.now().year
    make_rows = rows_form if form.own else more_rows
    rows = make_rows(shipped_plazas(), years_from(year), request.POST)
    if whole and (not form.own or rows.is_valid()):
        try:
            founding = form.founding(form.entries(rows))
            circuit = found_circuit(
                founding=founding, by=signed_in_user(request), at=timezone.now()
            )
            messages.success(request, _("%s has been created. You are its director.") % circuit)
            return redirect(address(circuit.slug, "desk"))
        except OperationError as error:
            refuse(form, error)
    context = {"form": form, "rows": rows}
    return render(request, "corridas/circuit_new.html", context, status=422)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def settings_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    form = SettingsForm.of(home, request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            change_circuit(circuit=home, settings=form.settings(), by=signed_in_user(request))
            messages.success(request, _("The settings have been saved."))
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            refuse(form, error)
    return show_settings(request, home, form=form)


def show_settings(
    request: HttpRequest,
    circuit: Circuit,
    *,
    form: SettingsForm | None = None,
    offer: OfferForm | None = None,
) -> HttpResponse:
    form, offer = form or SettingsForm.of(circuit), offer or OfferForm()
    context = {
        "circuit": circuit.slug,
        "directed_circuit": circuit,
        "form": form,
        "offer_form": offer,
        "own": circuit.slug != SHIPPED,
        "earlier_cards": new_cards(circuit),
    }
    wrong = form.errors or offer.errors
    return render(request, "corridas/circuit_settings.html", context, status=422 if wrong else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def calendar(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Show or change the calendar that future seasons of a circuit follow.

    The button `more` only adds empty rows to the form.
    """
    home = directed_circuit(request, circuit)
    plazas, years = plazas_of(home), years_ahead(home)
    data = request.POST if request.method == "POST" else None
    more = data is not None and "more" in data
    standing = {"calendar": "shipped" if home.calendar is None else "own"}
    form = CalendarForm(None if more else data, plazas=plazas, initial=standing)
    first = [] if home.calendar is None else calendar_of(home)
    too_long = len(first) > MAX_PAGE_ROWS
    if data is None or too_long:
        rows = rows_form(plazas, years, None, [] if too_long else first)
    elif more or not form.own:
        # The rows are not validated here, and the form shows them again as they were typed.
        rows = more_rows(plazas, years, data, first)
    else:
        rows = rows_form(plazas, years, data, first)
    if more and data is not None:
        form.initial = data.dict() | {"ferias": data.getlist("ferias")}
    checked = too_long or not form.own or rows.is_valid()
    if data is not None and not more and form.is_valid() and checked:
        try:
            entries = first if too_long and form.own else form.entries(rows)
            change_calendar(circuit=home, entries=entries, by=signed_in_user(request))
            messages.success(
                request, _("The calendar has been saved. It applies from the next season.")
            )
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            refuse(form, error)
    context = {
        "circuit": circuit,
        "directed_circuit": home,
        "form": form,
        "rows": rows,
        "too_long": len(first) if too_long else 0,
        "year": years[0],
    }
    wrong = data is not None and not more
    return render(request, "corridas/circuit_calendar.html", context, status=422 if wrong else 200)


@login_required
@require_POST
@form_once
def copy(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    """Start copying a circuit that the user can see. Redirect to a page that shows the progress.

    The copy is private and belongs to the user.
    """
    source = find_visible(request, circuit)
    try:
        copied = request_copy(circuit=source, by=signed_in_user(request), at=timezone.now())
    except OperationError as error:
        messages.error(request, str(error))
        return redirect("circuits")
    return redirect("circuit_copying", pk=copied.pk)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def copying_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress of copying a circuit. A POST cancels the copy."""
    copies = CircuitCopy.objects.select_related("circuit", "source", "asked_by")
    row = get_object_or_404(copies, pk=pk, asked_by=signed_in_user(request))
    if request.method == "POST":
        if cancel_copy(copy=row, by=signed_in_user(request), at=timezone.now()):
            messages.success(request, _("The copy “%s” has been cancelled.") % row.name)
            return redirect("circuits")
        return redirect("circuit_copying", pk=pk)
    done = row.circuit if row.state == CircuitCopy.State.DONE else None
    context = {"row": row, "done": None if done is None or done.incomplete else done}
    if request.headers.get("HX-Request"):
        return render(request, "corridas/circuit_copying.html#progress", context)
    return render(request, "corridas/circuit_copying.html", context)


@login_required
@require_POST
def offer(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    if "withdraw" in request.POST:
        return perform(
            request,
            circuit,
            lambda: withdraw_offer(circuit=home, by=signed_in_user(request)),
            _("The offer has been withdrawn."),
            "circuit_settings",
        )
    form = OfferForm(request.POST)
    if form.is_valid():
        try:
            name = form.cleaned_data["name"]
            other = offer_circuit(circuit=home, name=name, by=signed_in_user(request))
            messages.success(
                request,
                _("The circuit has been offered to %s, who can accept or decline it.") % other,
            )
            return redirect(address(circuit, "circuit_settings"))
        except OperationError as error:
            if not error.field:
                messages.error(request, str(error))
                return redirect(address(circuit, "circuit_settings"))
            refuse(form, error)
    return show_settings(request, home, offer=form)


@login_required
@require_POST
def answer(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = find_visible(request, circuit)
    try:
        if "accept" not in request.POST:
            decline_circuit(circuit=home, by=signed_in_user(request))
            messages.success(request, _("You have declined the offer to direct %s.") % home)
            return redirect("circuits")
        accept_circuit(circuit=home, by=signed_in_user(request))
    except OperationError as error:
        messages.error(request, str(error))
        return redirect("circuits")
    messages.success(request, _("You are now the director of %s.") % home)
    return redirect(address(circuit, "desk"))


@login_required
@require_POST
def rest(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home, by = directed_circuit(request, circuit), signed_in_user(request)
    if "thaw" in request.POST:
        return perform(
            request,
            circuit,
            lambda: thaw_circuit(circuit=home, by=by),
            _("%s is no longer frozen.") % home,
            "circuit_settings",
        )
    return perform(
        request,
        circuit,
        lambda: freeze_circuit(circuit=home, by=by, at=timezone.now()),
        _("%s is frozen. No corridas can be played in it, but all its pages can still be viewed.")
        % home,
        "circuit_settings",
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home = directed_circuit(request, circuit)
    if request.method == "POST":
        return _end(request, circuit)
    context = {
        "circuit": circuit,
        "directed_circuit": home,
        "own": circuit != SHIPPED,
        "history": circuits.has_history(home),
        "copied": CircuitCopy.objects.filter(circuit=home).exists(),
        "holds": circuits.belongings(home),
    }
    return render(request, "corridas/circuit_delete.html", context)


def _end(request: HttpRequest, circuit: str) -> HttpResponse:
    home = directed_circuit(request, circuit)
    try:
        gone = delete_circuit(circuit=home, by=signed_in_user(request), at=timezone.now())
    except OperationError as error:
        messages.error(request, str(error))
        return redirect(address(circuit, "circuit_settings"))
    message = (
        _("%s has been deleted.")
        if gone
        else _("%s has been archived. You can restore it within 30 days.")
    )
    messages.success(request, message % home)
    return redirect("circuits")


@login_required
@require_POST
def restore(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home, by = directed_circuit(request, circuit), signed_in_user(request)
    return perform(
        request,
        circuit,
        lambda: restore_circuit(circuit=home, by=by, at=timezone.now()),
        _("%s has been restored.") % home,
        "circuit_settings",
    )
