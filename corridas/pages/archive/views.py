"""Pages for season files (a whole season as one file) and for the records of single corridas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypedDict

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from actas import Document, NotYet, responses
from corridas import archive
from corridas.addresses import address
from corridas.archive import jobs, queries
from corridas.archive.acta import of_corrida, of_lidia
from corridas.archive.bundle import SUFFIX
from corridas.archive.operations import MAX_BYTES, import_file, request_file
from corridas.circuit_queries import SHIPPED, find_season
from corridas.errors import OperationError
from corridas.models import Bundle, Circuit, Corrida, Season
from corridas.pages.access import signed_in_user
from corridas.pages.broadcast.views import find_corrida
from corridas.pages.circuits.forms import refuse


def _season(year: int, circuit: str) -> Season:
    season = find_season(year, circuit)
    if season is None:
        raise Http404(f"no season {year}")
    return season


class SeasonFileContext(TypedDict):
    """Template context of the page of a season file.

    `latest` is the last requested file, which may be unfinished or failed. `whole` is the last
    complete season file, which can be downloaded.
    """

    season: Season
    circuit: str
    over: bool
    latest: Bundle | None
    whole: Bundle | None
    stale: bool
    name: str


@require_http_methods(["GET", "HEAD", "POST"])
def season_file_page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    """Show the state of a season file and how to verify it. A POST requests a new file.

    Everybody may read the page. Requesting a file requires signing in, because a worker needs
    several seconds to write it.
    """
    season = _season(year, circuit)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            request_file(season=season, by=signed_in_user(request), at=timezone.now())
        except OperationError as error:
            messages.error(request, str(error))
        return redirect(address(circuit, "season_file", year=year))
    latest, whole = queries.latest_file(season), queries.latest_complete_file(season)
    context: SeasonFileContext = {
        "season": season,
        "circuit": circuit,
        "over": archive.is_over(season),
        "latest": latest,
        "whole": whole,
        "stale": whole is None or whole.edition != season.posted_version,
        "name": _name(season),
    }
    return _show_form(request, "season_file", context)


def _show_form(
    request: HttpRequest, name: str, context: Mapping[str, object], status: int = 200
) -> HttpResponse:
    part = "_bundle" if request.headers.get("HX-Request") else name
    return render(request, f"corridas/{part}.html", context, status=status)


def _name(season: Season) -> str:
    return f"{season.circuit.slug}-{season.year}{SUFFIX}"


@require_safe
def download_season(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponseBase:
    season = _season(year, circuit)
    whole = queries.latest_complete_file(season)
    if whole is None:
        raise Http404("no file yet")
    body = [] if request.method == "HEAD" else jobs.pieces(whole)
    response = StreamingHttpResponse(body, content_type="application/zip")
    response["Content-Length"] = str(whole.size)
    response["Content-Disposition"] = f'attachment; filename="{_name(season)}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


class FileForm(forms.Form):
    file = forms.FileField(
        label=gettext_lazy("File"),
        max_length=200,
        help_text=gettext_lazy("A season file from this or another site (.temporada.zip)."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,.jsonl"}),
    )
    circuit: forms.ModelChoiceField[Circuit] = forms.ModelChoiceField(
        label=gettext_lazy("Circuit"),
        queryset=Circuit.objects.none(),
        required=False,
        empty_label=gettext_lazy("a new circuit"),
        help_text=gettext_lazy(
            "Each season must be imported into the circuit that contains the previous season."
        ),
    )

    def __init__(self, by: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Circuit.objects.filter(owner=by, roster=Circuit.Roster.IMPORTED, archived_at=None)
        circuit = self.fields["circuit"]
        assert isinstance(circuit, forms.ModelChoiceField)
        circuit.queryset = own.order_by("name_key")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_season(request: HttpRequest) -> HttpResponse:
    by = signed_in_user(request)
    form = FileForm(by, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file: UploadedFile[bytes] = form.cleaned_data["file"]
        try:
            import_file(
                pieces=file.chunks(),
                size=file.size or 0,
                by=by,
                at=timezone.now(),
                circuit=form.cleaned_data["circuit"],
            )
        except OperationError as error:
            refuse(form, error)
        else:
            messages.success(request, _("The season is being checked."))
            return redirect("circuit_bring")
    context = {"form": form, "latest": queries.latest_import(by), "most": MAX_BYTES >> 20}
    return _show_form(request, "circuit_bring", context, 422 if form.errors else 200)


PAGES: Final = [
    path("temporada/<int:year>/archivo/", season_file_page, name="season_file"),
    path("temporada/<int:year>/temporada.zip", download_season, name="season_bundle"),
]
SITE: Final = [path("circuitos/traer/", import_season, name="circuit_bring")]


@require_safe
def record_file(
    request: HttpRequest, pk: int, turn: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    """Return the record of a corrida or of one of its lidias as a downloadable file.

    The record of a corrida simulated on this site never changes, so it can be cached.
    """
    corrida = find_corrida(request, pk, circuit)
    name = f"corrida-{pk}" if turn is None else f"corrida-{pk}-lidia-{turn}"
    document = _document(corrida, turn)
    if isinstance(document, NotYet):
        return _no_record(request, corrida, document)
    return responses.file_response(
        request,
        document,
        name=name,
        public=corrida.season.circuit.public,
        final=corrida.origin == Corrida.Origin.HERE,
    )


@require_safe
def record_verdict(
    request: HttpRequest, pk: int, turn: int | None = None, circuit: str = SHIPPED
) -> HttpResponse:
    corrida = find_corrida(request, pk, circuit)
    document = _document(corrida, turn)
    if isinstance(document, NotYet):
        return _no_record(request, corrida, document)
    parts = {"pk": pk} if turn is None else {"pk": pk, "turn": turn}
    kind = "corrida" if turn is None else "lidia"
    of = _of(corrida)
    return responses.verdict_response(
        request,
        document,
        of=of if turn is None else _("%(of)s, bull %(turn)s") % {"of": of, "turn": turn},
        back=address(circuit, kind, **parts),
        record=address(circuit, f"{kind}_acta", **parts),
    )


def _document(corrida: Corrida, turn: int | None) -> Document | NotYet:
    try:
        return of_corrida(corrida) if turn is None else of_lidia(corrida, turn)
    except NotYet as reason:
        return reason


def _no_record(request: HttpRequest, corrida: Corrida, reason: NotYet) -> HttpResponse:
    back = address(corrida.season.circuit.slug, "corrida", pk=corrida.pk)
    return responses.missing_response(request, reason, of=_of(corrida), back=back)


def _of(corrida: Corrida) -> str:
    return f"{corrida.plaza.name}, {date_format(corrida.date)}"
