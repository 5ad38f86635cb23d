"""What an organiser does: settings, drawing rounds, fixtures that are not played."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from leagues.forms.leagues import (
    DrawForm,
    LeagueForm,
    PostponeForm,
    ReasonForm,
    initial_of,
    refuse,
)
from leagues.forms.numbers import whole
from leagues.games import games
from leagues.models import Fixture, League, Player
from leagues.operations import forfeits
from leagues.operations.errors import OperationError
from leagues.operations.leagues import (
    Closing,
    change_settings,
    close_league,
    preview_closing,
    reopen_league,
)
from leagues.operations.reasons import in_words
from leagues.operations.rounds import (
    DrawnRound,
    Undrawing,
    draw_next_swiss,
    draw_round_robin,
    preview_swiss,
    preview_undraw,
    undraw,
)
from leagues.operations.settings import locked, settings_of
from leagues.queries import fixtures
from leagues.rules import may_organise
from leagues.views.confirming import ask, looked_at
from leagues.views.league import shared
from leagues.views.visiting import attempt, league_of, organised


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules everybody joined for, in sentences, with their digest."""
    league, player = league_of(request, slug)
    game = games[league.game]
    context = shared(league, player, "rules")
    context |= {"sentences": game.describe(league.rules), "profile": game.profile(league.profile)}
    return render(request, "leagues/rules.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    """Change what may still be changed."""
    league, player = organised(request, slug)
    form = LeagueForm(
        games[league.game],
        request.POST or None,
        initial=initial_of(settings_of(league)),
        locked=locked(league),
    )
    if request.method == "POST" and form.is_valid():
        try:
            change_settings(league=league, settings=form.settings(), by=player, at=timezone.now())
        except OperationError as error:
            refuse(form, error)
        else:
            messages.success(request, _("Saved."))
            return redirect("league_settings", league.slug)
    context = shared(league, player, "settings") | {"form": form}
    return render(request, "leagues/settings.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the league after a look at what that voids, or open it again."""
    league, player = organised(request, slug)
    to = reverse("league_settings", args=[league.slug])
    if "reopen" in request.POST:
        return attempt(
            request,
            lambda: reopen_league(league=league, by=player, at=timezone.now()),
            _("The league is open again."),
            to,
        )
    edition = looked_at(request)
    if edition is not None:
        return attempt(
            request,
            lambda: close_league(league=league, by=player, at=timezone.now(), edition=edition),
            _("The league is closed."),
            to,
        )

    def lines() -> list[str]:
        return _closing_in_words(preview_closing(league=league))

    return ask(
        request,
        league,
        player,
        "settings",
        lines,
        heading=_("Close the league?"),
        button=_("Close league"),
        keep=_("Keep the league open"),
        back=to,
    )


def _closing_in_words(closing: Closing) -> list[str]:
    said = [
        ngettext(
            "%(count)s fixture has not been played and will be voided.",
            "%(count)s fixtures have not been played and will be voided.",
            closing.fixtures,
        )
        % {"count": closing.fixtures}
        if closing.fixtures
        else _("There are no fixtures left to play.")
    ]
    if closing.drafts:
        said.append(
            ngettext(
                "%(count)s match is still a draft and will be voided.",
                "%(count)s matches are still drafts and will be voided.",
                closing.drafts,
            )
            % {"count": closing.drafts}
        )
    return [
        *said,
        _("The standings will not change."),
        _("If you open the league again, all these matches can be played again."),
    ]


@require_http_methods(["GET", "HEAD", "POST"])
def draw(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw: a Swiss round after a look at it, a round robin whole."""
    league, player = organised(request, slug)
    sent = request.POST if request.method == "POST" else None
    form = DrawForm(league, sent, initial={"hour": _usual_hour(league)})
    if form.is_valid():
        return attempt(
            request,
            _drawing(request, league, player, form.cleaned_data["hour"]),
            _("The draw has been made."),
            reverse("league_fixtures", args=[league.slug]),
        )
    context = shared(league, player, "fixtures") | {"drawn": None, "problem": "", "form": form}
    if league.format == League.Format.SWISS:
        try:
            context |= _shown(preview_swiss(league=league))
        except OperationError as error:
            context["problem"] = str(error)
    return render(request, "leagues/draw.html", context, status=422 if form.errors else 200)


def _usual_hour(league: League) -> dt.time:
    """When the deadline of its last round ended, else the last minute of the day."""
    last = league.rounds.last()
    if last is None:
        return dt.time(23, 59)
    return last.deadline.astimezone(ZoneInfo(league.zone)).time()


def _drawing(
    request: HttpRequest, league: League, player: Player, hour: dt.time | None
) -> Callable[[], Any]:
    at = timezone.now()
    if league.format == League.Format.SWISS:
        edition = whole(request.POST.get("edition", ""))
        return lambda: draw_next_swiss(league=league, by=player, at=at, edition=edition, hour=hour)
    return lambda: draw_round_robin(league=league, by=player, at=at, hour=hour)


def _shown(drawn: DrawnRound) -> dict[str, Any]:
    pairs = [
        {
            "players": [drawn.players[player] for player in pairing.seats],
            "reasons": in_words(pairing.reasons),
        }
        for pairing in drawn.pairings
    ]
    byes = [(drawn.players[bye.player], in_words(bye.reasons)) for bye in drawn.byes]
    return {"drawn": drawn, "pairs": pairs, "byes": byes}


@require_http_methods(["GET", "HEAD", "POST"])
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Take the draw back while nothing of it has been played, after a look at what goes."""
    league, player = organised(request, slug)
    edition = looked_at(request)
    if edition is not None:
        return attempt(
            request,
            lambda: undraw(league=league, by=player, at=timezone.now(), edition=edition),
            _("The draw has been undone."),
            reverse("league_fixtures", args=[league.slug]),
        )

    def lines() -> list[str]:
        return _undrawing_in_words(preview_undraw(league=league))

    return ask(
        request,
        league,
        player,
        "fixtures",
        lines,
        heading=_("Undo the draw?"),
        button=_("Undo"),
        keep=_("Keep the draw"),
        back=reverse("league_draw", args=[league.slug]),
    )


def _undrawing_in_words(going: Undrawing) -> list[str]:
    said = [
        ngettext(
            "%(count)s round will be removed.", "%(count)s rounds will be removed.", going.rounds
        )
        % {"count": going.rounds},
        ngettext(
            "%(count)s fixture will be removed.",
            "%(count)s fixtures will be removed.",
            going.fixtures,
        )
        % {"count": going.fixtures},
    ]
    if going.drafts:
        said.append(
            ngettext(
                "%(count)s match is still a draft and will be voided.",
                "%(count)s matches are still drafts and will be voided.",
                going.drafts,
            )
            % {"count": going.drafts}
        )
    return [*said, _("This can’t be undone, but you can make a new draw.")]


@require_safe
def fixture(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One fixture: why these meet, and what can be done."""
    return _fixture(request, *_find(request, slug, pk))


def _find(request: HttpRequest, slug: str, pk: int) -> tuple[Fixture, Player | None]:
    league, player = league_of(request, slug)
    rows = Fixture.objects.select_related("round__league")
    return get_object_or_404(rows, pk=pk, round__league=league), player


def _fixture(
    request: HttpRequest, found: Fixture, player: Player | None, status: int = 200, **form: Any
) -> HttpResponse:
    line = fixtures.line_of(found.pk)
    context = shared(found.round.league, player, "fixtures") | {
        "line": line,
        "reasons": in_words(found.reasons),
        "seated": bool(player and line.involves(player.person_id)),
        "now": timezone.now(),
        "postpone_form": PostponeForm(),
        "void_form": ReasonForm(),
        **form,
    }
    return render(request, "leagues/fixture.html", context, status=status)


@require_POST
def change_fixture(request: HttpRequest, slug: str, pk: int, action: str) -> HttpResponse:
    """Postpone, forfeit, strike or open again; refused beside the field that is wrong."""
    found, player = _find(request, slug, pk)
    if player is None or not may_organise(player, found.round.league):
        raise Http404("not for you")
    handler = ACTIONS.get(action)
    if handler is None:
        raise Http404("no such action")
    name, form = handler[0], handler[1](request.POST)
    if form.is_valid():
        try:
            handler[2](request, found, player, form)
        except OperationError as error:
            refuse(form, error)
            if not name:
                messages.warning(request, str(error))
        else:
            messages.success(request, _("The change has been made."))
            return redirect("fixture", slug, found.pk)
    return _fixture(request, found, player, 422, **({name: form} if name else {}))


def _postpone(request: HttpRequest, found: Fixture, by: Player, form: forms.Form) -> None:
    given = form.cleaned_data
    forfeits.postpone(
        fixture=found, by=by, at=timezone.now(), deadline=given["deadline"], note=given["note"]
    )


def _forfeit(request: HttpRequest, found: Fixture, by: Player, form: forms.Form) -> None:
    seats = {whole(one) for one in request.POST.getlist("seats")}
    forfeits.forfeit(fixture=found, seats=seats, by=by, at=timezone.now())


def _void(request: HttpRequest, found: Fixture, by: Player, form: forms.Form) -> None:
    forfeits.void_fixture(fixture=found, by=by, reason=form.cleaned_data["reason"])


def _restore(request: HttpRequest, found: Fixture, by: Player, form: forms.Form) -> None:
    forfeits.restore_fixture(fixture=found, by=by, at=timezone.now())


Act = Callable[[HttpRequest, Fixture, Player, forms.Form], None]
ACTIONS: dict[str, tuple[str, type[forms.Form], Act]] = {
    "postpone": ("postpone_form", PostponeForm, _postpone),
    "forfeit": ("", forms.Form, _forfeit),
    "void": ("void_form", ReasonForm, _void),
    "restore": ("", forms.Form, _restore),
}
