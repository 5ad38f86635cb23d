"""Pages to export the roster of a circuit to files, and to import files after a preview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypedDict

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from core.downloads import csv_response
from corridas.addresses import address
from corridas.circuit_queries import SHIPPED
from corridas.errors import OperationError
from corridas.models import Circuit
from corridas.pages.access import perform
from corridas.roster.checks import Finding, Weight, check_roster
from corridas.roster.exchange import commit, export, preview
from corridas.roster.exchange.commit import Imported
from corridas.roster.exchange.export import Form
from corridas.roster.exchange.preview import Moved, Preview
from corridas.roster.files import TABLES, RowVerdict, Step, limits
from corridas.roster.new_cards import (
    NewCards,
    new_cards,
    print_new_cards,
    take_back_new_cards,
)

if TYPE_CHECKING:
    from accounts.models import User

MAX_FAULTS: Final = 8
TYPES: Final = {
    Form.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    Form.BUNDLE: "application/zip",
}
NAMES: Final = {
    "plazas": gettext_lazy("Plazas"),
    "herds": gettext_lazy("Herds"),
    "matadors": gettext_lazy("Matadors"),
    "cards": gettext_lazy("Matadors’ cards"),
    "bulls": gettext_lazy("Bulls"),
    "deck": gettext_lazy("Action deck"),
    "ferias": gettext_lazy("Calendar of ferias"),
}
WORDS: Final = {
    RowVerdict.NEW: gettext_lazy("new"),
    RowVerdict.CHANGED: gettext_lazy("changed"),
    RowVerdict.PRINTING: gettext_lazy("next printing"),
    RowVerdict.ARCHIVED: gettext_lazy("to be archived"),
    RowVerdict.SAME: gettext_lazy("unchanged"),
}


class FileForm(forms.Form):
    """The form to upload a roster file, with the option to archive rows missing from it."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        max_length=200,
        help_text=gettext_lazy(
            "CSV, a workbook (.xlsx) or a bundle (.zip) from this or another site."
        ),
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,.xlsx,.zip"}),
    )
    archive = forms.BooleanField(
        label=gettext_lazy("Archive everything that is missing from the file"),
        required=False,
    )

    def clean_file(self) -> UploadedFile[bytes]:
        given: UploadedFile[bytes] = self.cleaned_data["file"]
        most = limits().file_bytes
        if (given.size or 0) > most:
            message = _("The file is larger than %(most)s MB.") % {"most": most // 2**20}
            raise forms.ValidationError(message)
        return given


@dataclass(frozen=True)
class Count:
    name: str
    numbers: tuple[tuple[RowVerdict, str, int], ...]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def exchange_page(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home, by = _find_circuit(request, circuit)
    token = request.POST.get("token", "")
    if token:
        return _commit(request, home, by, token)
    if "new_cards" in request.POST:
        return _decide_new_cards(request, home, by)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _look(request, home, by, form)
    return _form_page(request, home, form)


def _find_circuit(request: HttpRequest, slug: str) -> tuple[Circuit, User]:
    home = get_object_or_404(Circuit.objects.select_related("deck"), slug=slug)
    by: User = request.user  # type: ignore[assignment]  # the view requires a signed-in user
    preview.check_may_exchange(by, home)
    return home, by


class FormContext(TypedDict):
    """Template context of the import form.

    `lacks` are problems of the roster that must be fixed before a season can be played.
    `lacking_more` is the number of further problems that are not listed. `new_cards` is None if the
    circuit already has new cards.
    """

    form: FileForm
    new_cards: NewCards | None
    lacks: list[Finding]
    lacking_more: int
    last: commit.Together | None


def _form_page(request: HttpRequest, circuit: Circuit, form: FileForm) -> HttpResponse:
    status = 422 if form.errors else 200
    wrong = [finding for finding in check_roster(circuit=circuit) if finding.weight is Weight.WRONG]
    lacks = wrong[:MAX_FAULTS]
    context: FormContext = {
        "form": form,
        "new_cards": new_cards(circuit),
        "lacks": lacks,
        "lacking_more": len(wrong) - len(lacks),
        "last": commit.last_import(circuit),
    }
    return _show(request, circuit, context, "exchange", status)


def _show(
    request: HttpRequest,
    circuit: Circuit,
    context: Mapping[str, object],
    template: str,
    status: int = 200,
) -> HttpResponse:
    whole_context = {
        "circuit": circuit.slug,
        "kept": circuit,
        "directs": request.user.has_perm("corridas.direct_circuit", circuit),
        "tables": NAMES,
        "most": limits(),
        **context,
    }
    return render(request, f"corridas/{template}.html", whole_context, status=status)


def _look(request: HttpRequest, circuit: Circuit, by: User, form: FileForm) -> HttpResponse:
    file: UploadedFile[bytes] = form.cleaned_data["file"]
    look = preview.preview_import(
        circuit=circuit,
        data=file.read(),
        name=file.name or "",
        by=by,
        archive=form.cleaned_data["archive"],
    )
    return _preview(request, circuit, look)


class PreviewContext(TypedDict):
    """Template context of the preview of a roster import.

    `rows` are the changes, each with the display names of its table and its verdict. `more` is the
    number of further rows that are not listed.
    """

    look: Preview
    form: FileForm
    counts: list[Count]
    rows: list[tuple[tuple[str, str], Step]]
    more: int


def _preview(request: HttpRequest, circuit: Circuit, look: Preview) -> HttpResponse:
    rows = look.plan.moving[: preview.MAX_ROWS]
    context: PreviewContext = {
        "look": look,
        "form": FileForm(),
        "counts": _counts(look),
        "rows": [((str(NAMES[step.table]), str(WORDS[step.verdict])), step) for step in rows],
        "more": len(look.plan.moving) - len(rows),
    }
    return _show(request, circuit, context, "exchange_preview", 422 if look.wrong else 200)


def _counts(look: Preview) -> list[Count]:
    return [
        Count(str(NAMES[table]), tuple((v, str(WORDS[v]), n) for v, n in numbers.items() if n))
        for table, numbers in look.plan.counts().items()
    ]


def _commit(request: HttpRequest, circuit: Circuit, by: User, token: str) -> HttpResponse:
    try:
        done = commit.commit_import(circuit=circuit, token=token, by=by, at=timezone.now())
    except Moved as error:
        messages.warning(request, str(error))
        return _preview(request, circuit, error.look)
    except OperationError as error:
        messages.error(request, str(error))
    else:
        messages.success(request, _import_sentence(done))
    return redirect(address(circuit.slug, "exchange"))


def _import_sentence(done: Imported) -> str:
    total = sum(number for verdict, number in done.counts.items() if verdict is not RowVerdict.SAME)
    message = ngettext("%(count)s row was imported", "%(count)s rows were imported", total) % {
        "count": total
    }
    parts = [f"{number} {WORDS[verdict]}" for verdict, number in done.counts.items() if number]
    return f"{message}: {', '.join(parts)}." if parts else f"{message}."


def _decide_new_cards(request: HttpRequest, circuit: Circuit, by: User) -> HttpResponse:
    if request.POST["new_cards"] == "back":
        return perform(
            request,
            circuit.slug,
            lambda: take_back_new_cards(circuit=circuit, by=by),
            _("The cards stay as they are."),
            "exchange",
        )
    return perform(
        request,
        circuit.slug,
        lambda: print_new_cards(circuit=circuit, by=by, at=timezone.now()),
        _("All cards will be printed again in the winter. You can take this back until then."),
        "exchange",
    )


@login_required
@require_POST
def take_back(request: HttpRequest, circuit: str = SHIPPED) -> HttpResponse:
    home, by = _find_circuit(request, circuit)
    batch = request.POST.get("batch", "")
    last = commit.last_import(home)
    if "sure" not in request.POST and last is not None and last.batch == batch and last.rows > 1:
        return _show(request, home, {"last": last}, "exchange_back")
    try:
        rows = commit.undo_import(circuit=home, batch=batch, by=by, at=timezone.now())
    except OperationError as error:
        messages.error(request, str(error))
    else:
        message = ngettext(
            "The changes to %(count)s row have been undone.",
            "The changes to %(count)s rows have been undone.",
            rows,
        )
        messages.success(request, message % {"count": rows})
    return redirect(address(circuit, "exchange"))


@login_required
@require_safe
def download(
    request: HttpRequest, form: str, table: str = "", circuit: str = SHIPPED
) -> HttpResponseBase:
    home, by = _find_circuit(request, circuit)
    wanted = Form(form)
    if table and table not in TABLES:
        raise Http404("no such table")
    name = export.file_name(home, wanted, table)
    response: HttpResponseBase
    if wanted is Form.CSV:
        rows = export.csv_rows(circuit=home, by=by, table=table)
        response = csv_response(request, name, rows)
    else:
        body = export.export_roster(circuit=home, by=by, form=wanted, table=table)
        response = HttpResponse(body, content_type=TYPES[wanted])
        response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Cache-Control"] = "private, no-store"
    return response


# URLs of the pages that import and export the roster of a circuit.
PAGES: Final = [
    path("direccion/elenco/", exchange_page, name="exchange"),
    path("direccion/elenco/atras/", take_back, name="exchange_back"),
    path("direccion/elenco/roster.zip", download, {"form": "zip"}, name="exchange_bundle"),
    path("direccion/elenco/roster.xlsx", download, {"form": "xlsx"}, name="exchange_workbook"),
    path("direccion/elenco/<slug:table>.csv", download, {"form": "csv"}, name="exchange_csv"),
    path("direccion/elenco/<slug:table>.xlsx", download, {"form": "xlsx"}, name="exchange_xlsx"),
]
