"""The record of a round of a table, and of a match: as a file, and as a verdict in words."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from actas import Document, NotYet, answers
from leagues import playing
from leagues.models import Match
from leagues.views.matches import match_of
from leagues.views.tables.present import Visit, visit


@require_safe
def round_record(request: HttpRequest, pk: int, round_number: int) -> HttpResponse:
    """The acta of a round that is over for everybody; people in it may change their names."""
    document = _of_round(visit(request, pk), round_number)
    name = f"table-{pk}-round-{round_number}"
    return answers.file(request, document, name=name, public=False, final=False)


@require_safe
def round_verdict(request: HttpRequest, pk: int, round_number: int) -> HttpResponse:
    """Whether it is what was promised, in words."""
    found = visit(request, pk)
    words = {"round": found.log.game.round_name, "number": round_number, "table": pk}
    return answers.verdict(
        request,
        _of_round(found, round_number),
        of=_("table %(table)s, %(round)s %(number)s") % words,
        back=reverse("table_replay", args=(pk, round_number, 0)),
        record=reverse("round_acta", args=(pk, round_number)),
    )


def _of_round(found: Visit, number: int) -> Document:
    try:
        return playing.acta_of_round(found.log, number, at=timezone.now())
    except NotYet as reason:
        raise Http404(str(reason)) from reason


@require_safe
def match_record(request: HttpRequest, pk: int) -> HttpResponse:
    """The acta of a match that counts, for who may see the match."""
    match, _player = match_of(request, pk)
    document = _of_match(match)
    return answers.file(request, document, name=f"match-{pk}", public=False, final=False)


@require_safe
def match_verdict(request: HttpRequest, pk: int) -> HttpResponse:
    """Whether it agrees with what its moves, or its sheet, come to."""
    match, _player = match_of(request, pk)
    return answers.verdict(
        request,
        _of_match(match),
        of=_("match %(number)s") % {"number": pk},
        back=reverse("match", args=(pk,)),
        record=reverse("match_acta", args=(pk,)),
    )


def _of_match(match: Match) -> Document:
    try:
        return playing.acta_of_match(match, at=timezone.now())
    except NotYet as reason:
        raise Http404(str(reason)) from reason
