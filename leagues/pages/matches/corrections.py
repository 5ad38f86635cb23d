"""Views that correct a result or restore an earlier version, after a preview."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from api.types import JSON
from leagues.exceptions import OperationError, SheetRefused
from leagues.games import Judgement, games
from leagues.matches.operations import corrections
from leagues.matches_read import by_side, names_by_seat, result_lines
from leagues.models import Match, Player, Sheet
from leagues.pages.matches.matches import (
    match_of,
    match_url,
    submitted_version,
    ticket_context,
)
from leagues.permissions import Action, allowed_actions

# Session key of a corrected scoresheet that awaits confirmation.
CORRECTION_SESSION_KEY: Final = "correction"
# Name of the checkbox for a match that ended before its goal was reached.
SHORT_FIELD: Final = "short"


def correction_key(match: Match) -> str:
    return f"hand-{match.pk}"


def store_correction(request: HttpRequest, match: Match, content: JSON) -> HttpResponse:
    request.session[CORRECTION_SESSION_KEY] = {"match": match.pk, "content": content}
    return redirect("match_correct", match.pk)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def correction_page(request: HttpRequest, pk: int) -> HttpResponse:
    match, player = match_of(request, pk)
    content = _stored_correction(request, match)
    if (
        player is None
        or content is None
        or Action.CORRECT not in allowed_actions(player, match, at=timezone.now())
    ):
        messages.warning(request, _("There is no correction to preview."))
        return redirect(match_url(match))
    if request.method == "POST":
        return _correct_match(request, match, player, content)
    return _preview(request, match, player, content)


def _stored_correction(request: HttpRequest, match: Match) -> JSON:
    stored = request.session.get(CORRECTION_SESSION_KEY)
    if not isinstance(stored, dict) or stored.get("match") != match.pk:
        return None
    return stored.get("content")


def _correct_match(
    request: HttpRequest, match: Match, player: Player, content: JSON
) -> HttpResponse:
    try:
        _check_short(request, match, content)
        corrected = corrections.correct_match(
            match=match,
            version=submitted_version(request),
            content=content,
            by=player,
            at=timezone.now(),
            reason=request.POST.get("reason", ""),
        )
    except OperationError as error:
        messages.warning(request, str(error))
        return _preview(request, match, player, content, status=409)
    request.session.pop(CORRECTION_SESSION_KEY, None)
    request.session.pop(correction_key(match), None)
    messages.success(
        request,
        _("The correction counts once the other side or another organiser has confirmed it.")
        if corrected.state == Match.State.HANDED_IN
        else _("The result has been corrected. The old version has been kept."),
    )
    return redirect(match_url(match))


def _judge_correction(match: Match, content: JSON) -> Judgement:
    names = names_by_seat(match)
    return games[match.game].referee.judge(
        rules=match.rules, seats=len(names), sheet=content, names=names
    )


def _check_short(request: HttpRequest, match: Match, content: JSON) -> None:
    if _judge_correction(match, content).short and not request.POST.get(SHORT_FIELD):
        raise OperationError(
            _("Tick the box to confirm that the match really ended with this score."), SHORT_FIELD
        )


def _preview(
    request: HttpRequest, match: Match, player: Player, content: JSON, status: int = 200
) -> HttpResponse:
    try:
        consequences = corrections.preview_correction(match=match, content=content, by=player)
    except SheetRefused as error:
        messages.warning(request, str(error))
        return redirect(match_url(match))
    judged = _judge_correction(match, content)
    context = ticket_context(request, match, player) | {
        "consequences": consequences,
        "compared": _compared(match, judged.points),
        "short": judged.short,
        "title": _("Correct a result"),
        "action": reverse("match_correct", args=[match.pk]),
        "button": _("Correct result"),
    }
    return render(request, "leagues/preview.html", context, status=status)


def _compared(match: Match, points: tuple[int, ...]) -> list[tuple[str, int | None, int]]:
    """Return the name of each side with its points before and after the correction."""
    old = match.sheet.points if match.sheet else []
    (line,) = result_lines(Match.objects.filter(pk=match.pk))
    seats = sorted(line.seats, key=lambda seat: seat.number)
    return [
        (
            side.name,
            old[first] if (first := side.seats[0].number) < len(old) else None,
            points[first],
        )
        for side in by_side(seats)
    ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def restore_page(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    match, player = match_of(request, pk)
    old = Sheet.objects.filter(match=match, number=number).first()
    if (
        player is None
        or old is None
        or Action.RESTORE not in allowed_actions(player, match, at=timezone.now())
    ):
        messages.warning(request, _("Only an organiser of the league can restore a version."))
        return redirect(match_url(match))
    if request.method == "POST":
        try:
            restored = _restore(request, match, player, old)
        except OperationError as error:
            messages.warning(request, str(error))
        else:
            messages.success(
                request,
                _(
                    "This version of the result will count once the other side or another "
                    "organiser has confirmed it."
                )
                if restored.state == Match.State.HANDED_IN
                else _("Version %(number)s counts again.") % {"number": number},
            )
            return redirect(match_url(match))
    try:
        consequences = corrections.preview_restore(match=match, number=number, by=player)
    except OperationError as error:
        if request.method != "POST":  # after a POST, the message was shown already
            messages.warning(request, str(error))
        return redirect(match_url(match))
    context = ticket_context(request, match, player) | {
        "consequences": consequences,
        "compared": _compared(match, tuple(old.points)),
        "short": _judge_correction(match, old.content).short,
        "title": _("Restore version %(number)s") % {"number": number},
        "action": reverse("match_restore", args=[match.pk, number]),
        "button": _("Restore version"),
    }
    status = 409 if request.method == "POST" else 200
    return render(request, "leagues/preview.html", context, status=status)


def _restore(request: HttpRequest, match: Match, player: Player, old: Sheet) -> Match:
    _check_short(request, match, old.content)
    return corrections.restore_version(
        match=match,
        version=submitted_version(request),
        number=old.number,
        by=player,
        at=timezone.now(),
        reason=request.POST.get("reason", ""),
    )
