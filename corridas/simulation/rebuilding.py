"""The record book derived anew from the lidias, one season at a time, and compared."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from django.db.models import F, Model

from corridas.models import Award, Circuit, Palmares, Record
from corridas.simulation.bookkeeping import write_anew

Kept = dict[tuple[object, ...], dict[str, object]]
_BOOK: tuple[tuple[type[Model], tuple[str, ...]], ...] = (
    (Record, ("scope", "of", "key")),
    (Palmares, ("scope", "of", "matador_id")),
    (Award, ("season_id", "feria_id", "key")),
)


def rebuild_book(circuit: Circuit, *, write_rows: bool) -> list[str]:
    """Derive a circuit's records, sums and awards anew; returns what differs, in words.

    With `write_rows` they are put right, in one transaction. Holds one season in memory at a time,
    and the book.
    """
    differing: list[str] = []
    with transaction.atomic():
        Circuit.objects.select_for_update().get(pk=circuit.pk)
        before = [_kept(model, key, circuit.pk) for model, key in _BOOK]
        write_anew(circuit.pk)
        after = [_kept(model, key, circuit.pk) for model, key in _BOOK]
        for (model, _key), one, other in zip(_BOOK, before, after, strict=True):
            differing += _differences(model, one, other)
        if write_rows and differing:
            circuit.seasons.update(posted_version=F("posted_version") + 1)
        else:
            transaction.set_rollback(True)
    return differing


def _kept(model: type[Model], key: tuple[str, ...], circuit: int) -> Kept:
    of = "season__circuit" if model is Award else "circuit"
    rows = model._default_manager.filter(**{of: circuit}).values()
    return {tuple(row[name] for name in key): _told(row, key) for row in rows.iterator()}


def _told(row: dict[str, object], key: tuple[str, ...]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "id" and name not in key}


def _differences(model: type[Model], before: Kept, after: Kept) -> Iterator[str]:
    for key in sorted({*before, *after}, key=repr):
        one, other = before.get(key, {}), after.get(key, {})
        for name in sorted({*one, *other}):
            if one.get(name) != other.get(name):
                what = " ".join(str(part) for part in key if part not in ("", None))
                yield (
                    f"{model._meta.model_name} {what}, {name}: "
                    f"kept {one.get(name)}, derived {other.get(name)}"
                )
