"""Views that export results, and that import results after a preview."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Final

from django import forms
from django.contrib import messages
from django.core.cache import cache
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from core.downloads import csv_response, refuse_download
from core.pauses import WithPauses
from leagues.exceptions import OperationError
from leagues.exchange.formats import FileReading
from leagues.exchange.operations import (
    FileFormat,
    ImportResult,
    PreviewOutdated,
    ShownPlan,
    export_results,
    export_rows,
    import_results,
    preview_import,
    read_results,
    template_rows,
)
from leagues.games import games
from leagues.models import League, Player
from leagues.pages.access import league_context, league_of, organised_league

# Seconds for which an uploaded file is stored until the import is confirmed.
UPLOAD_TTL: Final = 60 * 60
MAX_FILE_SIZE: Final = 5 * 1024 * 1024  # bytes
MAX_LINES: Final = 500
# Maximum number of other games in a file that the organiser can declare to be the league's game.
MAX_GAMES: Final = 1000
# Prefix of the form fields with answers to questions. The key of the question follows.
DECISION: Final = "decision:"
# Help texts for the columns of a CSV file.
CSV_COLUMNS: Final = {
    "match": _("a word or number that is the same on every line of one match; required"),
    "played_at": _("date and time, such as 2026-03-05 20:00 or 2026-03-05; required"),
    "player": _("the player's name; required"),
    "place": _(
        "the player’s place, counted from 1, with the same number for tied players; "
        "required if there are no points"
    ),
    "points": _("a whole number"),
    "side": _("the same number for partners; leave empty if nobody has a partner"),
    "identity": _("the address of the player's page, if two players have the same name"),
    "key": _("identifies the match so that it is not added twice"),
    "game": _("optional"),
    "league": _("optional"),
    "location": _("optional"),
    "note": _("optional"),
    "version": _("optional"),
    "site": _("filled in on export: the site to which the players’ addresses belong"),
    "league_id": _("filled in on export: the league to which the keys belong"),
}
# Help texts for columns that only exist in leagues with rounds.
ROUND_COLUMNS: Final = {
    "round": _(
        "number of the round; for a bye, write one line with the round and without a "
        "place or points"
    ),
}
FORMATS: Final = [
    (FileFormat.CSV.value, _("CSV with one line per player")),
    (FileFormat.JSON.value, _("JSON as exported by this site")),
    (FileFormat.BGSTATS.value, _("JSON exported by the BG Stats app")),
]
CONTENT_TYPES: Final = {
    FileFormat.JSON: ("application/json", "json"),
    FileFormat.BGSTATS: ("application/json", "bgsplay.json"),
}


class FileForm(forms.Form):
    file = forms.FileField(label=_("File"), max_length=200)
    file_format = forms.ChoiceField(label=_("Type of file"), choices=FORMATS)

    def clean_file(self) -> UploadedFile[bytes]:
        given: UploadedFile[bytes] = self.cleaned_data["file"]
        if (given.size or 0) > MAX_FILE_SIZE:
            raise forms.ValidationError(_("The file is larger than 5 MB. Choose a smaller file."))
        return given


@require_http_methods(["GET", "HEAD", "POST"])
def import_page(request: HttpRequest, slug: str) -> HttpResponse:
    league, player = organised_league(request, slug)
    token = request.POST.get("token", "")
    if token:
        return _continue(request, league, player, token)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        data: bytes = form.cleaned_data["file"].read()
        chosen = _Upload(data, FileFormat(form.cleaned_data["file_format"]))
        return _preview(request, league, player, chosen)
    return _file_form(request, league, player, form)


def _file_form(
    request: HttpRequest, league: League, player: Player, form: FileForm
) -> HttpResponse:
    drawn = league.format != League.Format.LADDER
    columns = CSV_COLUMNS | (ROUND_COLUMNS if drawn else {})
    context = league_context(league, player, "results") | {"form": form, "columns": columns}
    status = 422 if form.errors else 200
    return render(request, "leagues/import.html", context, status=status)


@dataclass(frozen=True)
class _Upload:
    """An uploaded file whose import awaits confirmation.

    `names` are additional names of the league's game in this file. `decisions` are pairs of a
    question and the organiser's answer, as of the last preview.
    """

    data: bytes
    file_format: FileFormat
    names: tuple[str, ...] = ()
    decisions: tuple[tuple[str, str], ...] = ()

    def read(self, league: League, by: Player) -> FileReading:
        return read_results(
            league=league,
            data=self.data,
            file_format=self.file_format,
            by=by,
            names=self.names,
        )


def _preview(
    request: HttpRequest,
    league: League,
    player: Player,
    chosen: _Upload,
    *,
    status: int = 200,
    warning: str = "",
) -> HttpResponse:
    """Show the plan of the import. If the file cannot be imported, show the upload form and the
    reason.

    A `warning` is shown with the plan.
    """
    try:
        reading = chosen.read(league, player)
        plan = preview_import(
            league=league,
            reading=reading,
            by=player,
            at=timezone.now(),
            decisions=dict(chosen.decisions),
        )
    except OperationError as error:
        messages.warning(request, str(error))
        return _file_form(request, league, player, FileForm())
    if warning:
        messages.warning(request, warning)
    token = secrets.token_urlsafe(16)
    cache.set(_upload_key(league, player, token), chosen, UPLOAD_TTL)
    context = league_context(league, player, "results") | {
        "plan": plan,
        "lines": WithPauses(plan.lines[:MAX_LINES]),
        "more": max(0, len(plan.lines) + sum(plan.unlisted.values()) - MAX_LINES),
        "adding": len(plan.adding),
        "waiting": plan.count_waiting(player),
        "other_games": list(plan.other_games.items())[:MAX_GAMES],
        "game": games[league.game],
        "token": token,
        "decision": DECISION,
    }
    return render(request, "leagues/import_preview.html", context, status=status)


def _upload_key(league: League, player: Player, token: str) -> str:
    return f"league-upload:{league.pk}:{player.pk}:{token[:32]}"


def _earlier_upload_key(league: League, player: Player, token: str) -> str:
    """Return the cache key under which earlier versions stored an upload. It is only read."""
    return f"import-upload:{league.pk}:{player.pk}:{token[:32]}"


def _continue(request: HttpRequest, league: League, player: Player, token: str) -> HttpResponse:
    chosen: _Upload | None = cache.get(_upload_key(league, player, token)) or cache.get(
        _earlier_upload_key(league, player, token)
    )
    if chosen is None:
        messages.warning(request, _("Files are only kept for an hour. Choose the file again."))
        return redirect("league_import", league.slug)
    named = request.POST.getlist("same")[:MAX_GAMES]
    answered = replace(
        chosen,
        names=tuple(dict.fromkeys((*chosen.names, *named))),
        decisions=_decisions(request),
    )
    if named or "again" in request.POST:
        return _preview(request, league, player, answered)
    return _import(request, league, player, chosen, answered)


def _decisions(request: HttpRequest) -> tuple[tuple[str, str], ...]:
    return tuple(
        (name.removeprefix(DECISION), request.POST.get(name, ""))
        for name in request.POST
        if name.startswith(DECISION)
    )


def _import(
    request: HttpRequest, league: League, player: Player, seen: _Upload, answered: _Upload
) -> HttpResponse:
    """Import the file with these answers, unless the preview of the upload `seen` is out of
    date.
    """
    shown = ShownPlan(digest=request.POST.get("plan", ""), decisions=dict(seen.decisions))
    try:
        reading = answered.read(league, player)
        done = import_results(
            league=league,
            reading=reading,
            by=player,
            at=timezone.now(),
            decisions=dict(answered.decisions),
            shown=shown,
        )
    except PreviewOutdated as error:
        return _preview(request, league, player, answered, status=409, warning=str(error))
    except OperationError as error:
        return _preview(request, league, player, seen, status=409, warning=str(error))
    messages.success(request, _import_message(done))
    return redirect("league_results", league.slug)


def _import_message(done: ImportResult) -> str:
    count = len(done.matches)
    said = ngettext("%d match has been imported.", "%d matches have been imported.", count) % count
    if done.byes:
        byes = ngettext("%d bye has been added.", "%d byes have been added.", done.byes)
        said = f"{said} {byes % done.byes}"
    if done.rounds:
        count = len(done.rounds)
        made = ngettext("%d round has been created.", "%d rounds have been created.", count)
        said = f"{said} {made % count}"
    if done.waiting:
        waiting = ngettext(
            "You played in %d of the imported matches, so another player must confirm it.",
            "You played in %d of the imported matches, so another player must confirm them.",
            done.waiting,
        )
        said = f"{said} {waiting % done.waiting}"
    if done.doubts:
        doubts = ngettext(
            "%d result was left out, because the question about it was not answered.",
            "%d results were left out, because the questions about them were not answered.",
            done.doubts,
        )
        said = f"{said} {doubts % done.doubts}"
    return said


@require_safe
def import_template(request: HttpRequest, slug: str) -> HttpResponseBase:
    league, _player = organised_league(request, slug)
    return csv_response(request, f"{league.slug}-template.csv", template_rows(league))


@require_safe
def export_page(request: HttpRequest, slug: str) -> HttpResponseBase:
    league, player = league_of(request, slug)
    form = request.GET.get("form", "")
    if not form:
        context = league_context(league, player, "results")
        return render(request, "leagues/export.html", context | {"formats": FORMATS})
    if form not in list(FileFormat):
        raise Http404("no such form")
    if (refused := refuse_download(request)) is not None:
        return refused
    file_format = FileFormat(form)
    if file_format is FileFormat.CSV:
        return csv_response(request, f"{league.slug}.csv", export_rows(league))
    kind, ending = CONTENT_TYPES[file_format]
    body = export_results(league=league, file_format=file_format)
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{league.slug}.{ending}"'
    return response
