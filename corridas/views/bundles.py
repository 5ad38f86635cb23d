"""A season as a file: made, handed out, brought in."""

from __future__ import annotations

from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from corridas import archive
from corridas.addresses import address
from corridas.archive import jobs
from corridas.archive.container import SUFFIX
from corridas.circuits.access import who
from corridas.circuits.queries import SHIPPED, find_season
from corridas.forms import refuse
from corridas.models import Circuit, Season
from corridas.operations import OperationError
from corridas.operations.bundles import MOST_BYTES, ask_for_file, bring_file
from corridas.queries import bundles


def _season(year: int, circuit: str) -> Season:
    found = find_season(year, circuit)
    if found is None:
        raise Http404(f"no season {year}")
    return found


@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponse:
    """Whether there is a file of the season, how far it is, how to check it; have one made.

    Anybody may read it; who has it made, which takes a worker seconds, signs in.
    """
    season = _season(year, circuit)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            ask_for_file(season=season, by=who(request), at=timezone.now())
        except OperationError as error:
            messages.error(request, str(error))
        return redirect(address(circuit, "season_file", year=year))
    latest, whole = bundles.made(season), bundles.downloadable(season)
    context = {
        "season": season,
        "circuit": circuit,
        "over": archive.is_over(season),
        "latest": latest,
        "whole": whole,
        "stale": whole is None or whole.edition != season.posted_version,
        "name": _name(season),
    }
    return _show(request, "season_file", context)


def _show(
    request: HttpRequest, name: str, context: dict[str, Any], status: int = 200
) -> HttpResponse:
    """The page; only how far it is, where a script asks for that."""
    part = "_bundle" if request.headers.get("HX-Request") else name
    return render(request, f"corridas/{part}.html", context, status=status)


def _name(season: Season) -> str:
    return f"{season.circuit.slug}-{season.year}{SUFFIX}"


@require_safe
def download(request: HttpRequest, year: int, circuit: str = SHIPPED) -> HttpResponseBase:
    """The file, piece by piece."""
    season = _season(year, circuit)
    whole = bundles.downloadable(season)
    if whole is None:
        raise Http404("no file yet")
    body = [] if request.method == "HEAD" else jobs.pieces(whole)
    response = StreamingHttpResponse(body, content_type="application/zip")
    response["Content-Length"] = str(whole.size)
    response["Content-Disposition"] = f'attachment; filename="{_name(season)}"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


class FileForm(forms.Form):
    """The file of a season, and the circuit in which it goes on."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        max_length=200,
        help_text=gettext_lazy("A season from this or another site (.temporada.zip)."),
        widget=forms.ClearableFileInput(attrs={"accept": ".zip,.jsonl"}),
    )
    circuit: forms.ModelChoiceField[Circuit] = forms.ModelChoiceField(
        label=gettext_lazy("Circuit"),
        queryset=Circuit.objects.none(),
        required=False,
        empty_label=gettext_lazy("a new one"),
        help_text=gettext_lazy(
            "Each season must be imported into the circuit of the season before it."
        ),
    )

    def __init__(self, by: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        own = Circuit.objects.filter(owner=by, roster=Circuit.Roster.IMPORTED, archived_at=None)
        self.fields["circuit"].queryset = own.order_by("name")  # type: ignore[attr-defined]


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def bring(request: HttpRequest) -> HttpResponse:
    """Choose the file of a season; see how far the look at it is, and what came of it."""
    by = who(request)
    form = FileForm(by, request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file: UploadedFile[bytes] = form.cleaned_data["file"]
        try:
            bring_file(
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
    context = {"form": form, "latest": bundles.brought(by), "most": MOST_BYTES >> 20}
    return _show(request, "circuit_bring", context, 422 if form.errors else 200)


PAGES: Final = [
    path("temporada/<int:year>/archivo/", page, name="season_file"),
    path("temporada/<int:year>/temporada.zip", download, name="season_bundle"),
]
SITE: Final = [path("circuitos/traer/", bring, name="circuit_bring")]
