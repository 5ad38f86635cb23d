"""A season written into a file, line by line: no more than a few corridas are held at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import IO, Any

from django.utils.translation import gettext as _

from corridas.archive import chain, container
from corridas.archive.telling import Telling
from corridas.models import Season, Winter

Progress = Callable[[int, int], object]
"""Hears how many corridas of how many are written."""


class NotOver(ValueError):  # noqa: N818  said to people
    """The season goes on, or its winter has not been yet."""


def is_over(season: Season) -> bool:
    """Whether nothing of a season can change any more: its winter is over."""
    return Winter.objects.filter(season=season, done_at__isnull=False).exists()


def export(
    season: Season,
    out: IO[bytes],
    *,
    promises: bool = False,
    progress: Progress | None = None,
) -> str:
    """Write a season to `out`, which need not be able to seek; the head of its chain.

    With `promises` what every man may come to stands in it too, which is known to the office alone
    and without which its winter cannot be played again. Raises `NotOver` before it is over.
    """
    if not is_over(season):
        raise NotOver(_("%s has not ended. Its file will be available after its winter.") % season)
    telling = Telling(season)
    entries = _told(telling, promises, progress)
    with container.packing(out) as inside:
        return chain.write(inside, season.circuit.name, entries)


def _told(telling: Telling, promises: bool, progress: Progress | None) -> Iterator[dict[str, Any]]:
    done = 0
    for entry in telling.entries():
        if entry["kind"] in {"corrida", "date"}:
            done += 1
            if progress:
                progress(done, telling.total)
        if promises or entry["kind"] not in chain.OPEN:
            yield entry
