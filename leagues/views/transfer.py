"""Results from files, after a look at every line, and out into files."""

from __future__ import annotations

import secrets
from typing import Final

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from leagues.forms.leagues import refuse
from leagues.forms.transfer import FORMATS, FileForm
from leagues.models import League, Player
from leagues.operations.errors import OperationError
from leagues.operations.transfer import (
    FileFormat,
    Imported,
    export_results,
    import_results,
    preview_import,
)
from leagues.views.league import shared
from leagues.views.visiting import league_of, organised

KEPT_FOR: Final = 60 * 60
"""Seconds that a file waits for its yes."""
LINES_SHOWN: Final = 500
TYPES: Final = {
    FileFormat.CSV: ("text/csv; charset=utf-8", "csv"),
    FileFormat.JSON: ("application/json", "json"),
    FileFormat.BGSTATS: ("application/json", "bgsplay.json"),
}


@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a file; see line by line what would happen; say yes."""
    league, player = organised(request, slug)
    token = request.POST.get("token", "")
    if token:
        return _import(request, league, player, token)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return _preview(request, league, player, form)
    return _ask(request, league, player, form)


def _ask(request: HttpRequest, league: League, player: Player, form: FileForm) -> HttpResponse:
    context = shared(league, player, "results") | {"form": form}
    status = 422 if form.errors else 200
    return render(request, "leagues/import.html", context, status=status)


def _preview(request: HttpRequest, league: League, player: Player, form: FileForm) -> HttpResponse:
    data: bytes = form.cleaned_data["file"].read()
    file_format = FileFormat(form.cleaned_data["file_format"])
    try:
        plan = preview_import(
            league=league, data=data, file_format=file_format, by=player, at=timezone.now()
        )
    except OperationError as error:
        refuse(form, error)
        return _ask(request, league, player, form)
    token = secrets.token_urlsafe(16)
    cache.set(_kept(league, player, token), (data, file_format.value), KEPT_FOR)
    context = shared(league, player, "results") | {
        "plan": plan,
        "lines": plan.lines[:LINES_SHOWN],
        "more": max(0, len(plan.lines) - LINES_SHOWN),
        "adding": len(plan.adding),
        "token": token,
    }
    return render(request, "leagues/import_preview.html", context)


def _kept(league: League, player: Player, token: str) -> str:
    return f"import:{league.pk}:{player.pk}:{token[:32]}"


def _import(request: HttpRequest, league: League, player: Player, token: str) -> HttpResponse:
    form = FileForm()
    kept = cache.get(_kept(league, player, token))
    if kept is None:
        messages.warning(request, _("The file was kept for an hour only; choose it again."))
        return redirect("league_import", league.slug)
    data, file_format = kept
    try:
        done = import_results(
            league=league,
            data=data,
            file_format=FileFormat(file_format),
            by=player,
            at=timezone.now(),
        )
    except OperationError as error:
        messages.warning(request, str(error))
        return _ask(request, league, player, form)
    messages.success(request, _said(done))
    return redirect("league_results", league.slug)


def _said(done: Imported) -> str:
    count = len(done.matches)
    said = ngettext("%d match is in.", "%d matches are in.", count) % count
    if done.waiting:
        waiting = ngettext(
            "%d of them is yours and waits for a second player.",
            "%d of them are yours and wait for a second player.",
            done.waiting,
        )
        said = f"{said} {waiting % done.waiting}"
    return said


@require_safe
def take_out(request: HttpRequest, slug: str) -> HttpResponse:
    """All that counts in the league as a file; without a form named, the choice of forms."""
    league, player = league_of(request, slug)
    asked = request.GET.get("form", "")
    if not asked:
        context = shared(league, player, "results")
        return render(request, "leagues/export.html", context | {"formats": FORMATS})
    if asked not in list(FileFormat):
        raise Http404("no such form")
    file_format = FileFormat(asked)
    kind, ending = TYPES[file_format]
    body = export_results(league=league, file_format=file_format)
    response = HttpResponse(body, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{league.slug}.{ending}"'
    return response
