"""Results from files, after a look at every line, and out into files."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Final

from django.contrib import messages
from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from leagues.exchange import Reading
from leagues.forms.leagues import refuse
from leagues.forms.transfer import FORMATS, FileForm
from leagues.games import games
from leagues.models import League, Player
from leagues.operations.errors import OperationError
from leagues.operations.transfer import (
    FileFormat,
    Imported,
    csv_template,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.views.league import shared
from leagues.views.visiting import league_of, organised

KEPT_FOR: Final = 60 * 60
"""Seconds that a file waits for its yes."""
LINES_SHOWN: Final = 500
GAMES_SHOWN: Final = 20
"""Other games of a file that are offered as that of the league."""
CSV_COLUMNS: Final = {
    "match": _("a word or number that is the same on every line of one match; required"),
    "played_at": _("date and time, such as 2026-03-05T20:00:00Z or 2026-03-05; required"),
    "player": _("the player's name; required"),
    "place": _("counted from 1, with the same number for a tie; required if there are no points"),
    "points": _("a whole number"),
    "side": _("the same for partners; leave empty if everyone plays alone"),
    "identity": _("the address of the player's page, if two players have the same name"),
    "key": _("identifies the match so that it is not added twice"),
    "game": _("optional"),
    "league": _("optional"),
    "location": _("optional"),
    "note": _("optional"),
    "version": _("optional"),
}
"""What each column of a CSV file holds."""
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
        return _go_on(request, league, player, token)
    form = FileForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        data: bytes = form.cleaned_data["file"].read()
        chosen = _Chosen(data, FileFormat(form.cleaned_data["file_format"]))
        return _preview(request, league, player, chosen)
    return _ask(request, league, player, form)


def _ask(request: HttpRequest, league: League, player: Player, form: FileForm) -> HttpResponse:
    context = shared(league, player, "results") | {"form": form, "columns": CSV_COLUMNS}
    status = 422 if form.errors else 200
    return render(request, "leagues/import.html", context, status=status)


@dataclass(frozen=True)
class _Chosen:
    """A file that waits for its yes. `names`: what its game is called there besides."""

    data: bytes
    file_format: FileFormat
    names: tuple[str, ...] = ()

    def read(self, league: League, by: Player) -> Reading:
        """What is in it. Raises `OperationError`."""
        return read_results(
            league=league,
            data=self.data,
            file_format=self.file_format,
            by=by,
            names=self.names,
        )


def _preview(request: HttpRequest, league: League, player: Player, chosen: _Chosen) -> HttpResponse:
    try:
        reading = chosen.read(league, player)
        plan = preview_import(league=league, reading=reading, by=player, at=timezone.now())
    except OperationError as error:
        form = FileForm()
        refuse(form, error)
        return _ask(request, league, player, form)
    token = secrets.token_urlsafe(16)
    cache.set(_kept(league, player, token), chosen, KEPT_FOR)
    context = shared(league, player, "results") | {
        "plan": plan,
        "lines": plan.lines[:LINES_SHOWN],
        "more": max(0, len(plan.lines) - LINES_SHOWN),
        "adding": len(plan.adding),
        "waiting": plan.waiting(player),
        "other_games": list(plan.other_games.items())[:GAMES_SHOWN]
        if chosen.file_format is FileFormat.BGSTATS
        else [],
        "game": games[league.game],
        "token": token,
    }
    return render(request, "leagues/import_preview.html", context)


def _kept(league: League, player: Player, token: str) -> str:
    return f"import-file:{league.pk}:{player.pk}:{token[:32]}"


def _go_on(request: HttpRequest, league: League, player: Player, token: str) -> HttpResponse:
    """Look again where games of the file were declared to be that of the league; else import."""
    chosen: _Chosen | None = cache.get(_kept(league, player, token))
    if chosen is None:
        messages.warning(request, _("The file was kept for only an hour. Choose it again."))
        return redirect("league_import", league.slug)
    named = request.POST.getlist("same")[:GAMES_SHOWN]
    if named:
        names = tuple(dict.fromkeys((*chosen.names, *named)))
        return _preview(request, league, player, replace(chosen, names=names))
    return _import(request, league, player, chosen)


def _import(request: HttpRequest, league: League, player: Player, chosen: _Chosen) -> HttpResponse:
    try:
        reading = chosen.read(league, player)
        done = import_results(league=league, reading=reading, by=player, at=timezone.now())
    except OperationError as error:
        messages.warning(request, str(error))
        return _ask(request, league, player, FileForm())
    messages.success(request, _said(done))
    return redirect("league_results", league.slug)


def _said(done: Imported) -> str:
    count = len(done.matches)
    said = ngettext("%d match has been imported.", "%d matches have been imported.", count) % count
    if done.waiting:
        waiting = ngettext(
            "%d of them is one of your own and is awaiting confirmation by another player.",
            "%d of them are your own and are awaiting confirmation by another player.",
            done.waiting,
        )
        said = f"{said} {waiting % done.waiting}"
    return said


@require_safe
def template(request: HttpRequest, slug: str) -> HttpResponse:
    """A CSV file to fill in."""
    league, _player = organised(request, slug)
    response = HttpResponse(csv_template(league), content_type=TYPES[FileFormat.CSV][0])
    response["Content-Disposition"] = f'attachment; filename="{league.slug}-template.csv"'
    return response


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
