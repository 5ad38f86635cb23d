"""Queries for season files by season, and for imports by user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from corridas.models import Bundle, Season

if TYPE_CHECKING:
    from accounts.models import User


def latest_file(season: Season) -> Bundle | None:
    return Bundle.objects.filter(season=season, way=Bundle.Way.OUT).order_by("-pk").first()


def latest_complete_file(season: Season) -> Bundle | None:
    done = Bundle.objects.filter(season=season, way=Bundle.Way.OUT, state=Bundle.State.DONE)
    return done.order_by("-pk").first()


def latest_import(by: User) -> Bundle | None:
    rows = Bundle.objects.filter(asked_by=by, way=Bundle.Way.IN)
    return rows.select_related("season__circuit").order_by("-pk").first()
