"""The history of the rosters: every change with its author and date, and undo.

Code that writes a row of a roster calls `record_change` in the same transaction, with the columns
as they were before (`columns(row)`). All changes of an import have the same `batch`.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import BinaryField, F, Model
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.addresses import reserved_words
from core.names.fields import is_derived
from corridas.card_chances import renew_chances
from corridas.engine import EngineError
from corridas.errors import OperationError
from corridas.models import Change, Circuit, Deck, Matador, MatadorCard, Season
from corridas.models.matadors import CHANCES
from corridas.roster.card_faults import engine_fault
from corridas.roster.queries import (
    KINDS,
    circuit_of,
    dependents_of,
    is_promised,
    kind_of,
    promised_fields,
)
from corridas.search_index import index_roster
from corridas.simulation import namesakes
from corridas.simulation.namesakes import tell_apart

if TYPE_CHECKING:
    from accounts.models import User

Columns = dict[str, object]
TITLE = 120
# Columns that the site itself calculates, so changes of them are not part of the history.
NOT_WRITTEN = frozenset({"id", "form", "distinction", "last_evening", "posted_version", *CHANCES})


class Edit(NamedTuple):
    """A changed row, its columns before the change, and whether it is deleted.

    `before` is None for a new row.
    """

    row: Model
    before: Columns | None
    removed: bool = False


def columns(row: Model) -> Columns:
    """Return the columns of a row as the history stores them: JSON values by field name."""
    kept = (
        field
        for field in row._meta.concrete_fields
        if field.name not in NOT_WRITTEN
        and not isinstance(field, BinaryField)
        and not is_derived(field)
    )
    values = {field.name: field.value_from_object(row) for field in kept}
    read: Columns = json.loads(json.dumps(values, cls=DjangoJSONEncoder))
    return read


def record_change(
    *,
    row: Model,
    before: Columns | None,
    by: User | None,
    at: dt.datetime,
    batch: str = "",
    removed: bool = False,
) -> Change | None:
    """Record one change of a row in the history.

    The row was just saved, or is about to be deleted (`removed`). `before` are its `columns` before
    the change, None for a new row. `by` is None for a change by the site itself. Return None if
    nothing differs. Cached pages that show the row are invalidated.
    """
    kept = record_changes(edits=[Edit(row, before, removed)], by=by, at=at, batch=batch)
    return kept[0] if kept else None


def record_changes(
    *, edits: Iterable[Edit], by: User | None, at: dt.datetime, batch: str = ""
) -> list[Change]:
    """Record changes that were made together, in order.

    Edits without a difference are left out.
    """
    held = list(edits)
    changes = [change for edit in held if (change := _change(edit, by, at, batch))]
    _tell_namesakes_apart(held)
    renew_chances(held)
    Change.objects.bulk_create(changes, batch_size=500)
    index_roster([edit for edit in held if edit.removed or edit.row.pk])
    # Invalidate cached pages of these seasons, because they may show changed rows.
    circuits = {change.circuit_id for change in changes if change.circuit_id}
    seasons = Season.objects.filter(circuit__in=circuits)
    seasons.update(posted_version=F("posted_version") + 1)
    return changes


def _tell_namesakes_apart(edits: Iterable[Edit]) -> None:
    """Update the additions that distinguish matadors of the same name.

    This is done in circuits in which matadors were added, renamed or removed.
    """
    gone: dict[int, set[int]] = defaultdict(set)
    for edit in edits:
        if isinstance(edit.row, Matador) and _moves_names(edit):
            gone[edit.row.circuit_id] |= {edit.row.pk} if edit.removed else set()
    for circuit, removed in gone.items():
        tell_apart(circuit, without=removed)


def _moves_names(edit: Edit) -> bool:
    before, after = _difference(edit)
    if before is None or after is None:
        return before != after
    return not set(namesakes.COLUMNS).isdisjoint(after)


def _change(edit: Edit, by: User | None, at: dt.datetime, batch: str) -> Change | None:
    before, after = _difference(edit)
    if before == after:
        return None
    circuit_is_gone = edit.removed and kind_of(edit.row) == "circuit"
    return Change(
        circuit_id=None if circuit_is_gone else circuit_of(edit.row),
        kind=kind_of(edit.row),
        row=edit.row.pk,
        title=str(edit.row)[:TITLE],
        before=before,
        after=after,
        by=by,
        at=at,
        batch=batch,
    )


def _difference(edit: Edit) -> tuple[Columns | None, Columns | None]:
    """Return the state of a row before and after an edit.

    For a new or deleted row these are all columns, otherwise only the changed ones.
    """
    now = None if edit.removed else columns(edit.row)
    if edit.removed:
        return edit.before or columns(edit.row), None
    if edit.before is None or now is None:
        return edit.before, now
    changed = [name for name, value in now.items() if edit.before.get(name) != value]
    return {name: edit.before.get(name) for name in changed}, {name: now[name] for name in changed}


def undo(*, change: Change, by: User | None, at: dt.datetime) -> Change:
    """Undo one change. The undo is recorded as a change, so it can be undone as well.

    Raise `OperationError` if it has already been undone, if somebody has changed the row since (the
    message names that person), or if a cartel or other rows depend on it.
    """
    return _undo_all([change], by=by, at=at)[0]


def undo_batch(*, batch: str, by: User | None, at: dt.datetime) -> list[Change]:
    """Undo all changes made together, the newest first.

    Either all or none of them are undone. Raise `OperationError` as `undo` does, with the name of
    the row.
    """
    made = Change.objects.filter(batch=batch, undone_by=None).order_by("-pk") if batch else []
    changes = list(made)
    if not changes:
        raise OperationError(_("All these changes have already been undone."))
    return _undo_all(changes, by=by, at=at)


@transaction.atomic
def _undo_all(changes: Sequence[Change], *, by: User | None, at: dt.datetime) -> list[Change]:
    circuits = {change.circuit_id for change in changes if change.circuit_id}
    list(Circuit.objects.select_for_update().filter(pk__in=circuits).order_by("pk"))
    keys = [change.pk for change in changes]  # a change of a deck has no circuit
    list(Change.objects.select_for_update().filter(pk__in=keys).order_by("pk").values_list("pk"))
    batch = sha256(f"{changes[0].pk} {at}".encode()).hexdigest()[:32] if len(changes) > 1 else ""
    return [_undo_one(change, by, at, batch) for change in changes]


def _undo_one(change: Change, by: User | None, at: dt.datetime, batch: str) -> Change:
    if not Change.objects.filter(pk=change.pk, undone_by=None).exists():
        raise OperationError(_("“%s” has already been undone.") % change)
    model = KINDS[change.kind]
    row = model._base_manager.filter(pk=change.row).first()
    edit = _restored(change, model, row)
    taken = record_change(
        row=edit.row, before=edit.before, by=by, at=at, batch=batch, removed=edit.removed
    )
    if taken is None:
        raise OperationError(_("“%s” has already been undone.") % change)
    if edit.removed:
        edit.row.delete()
    Change.objects.filter(pk=change.pk).update(undone_by=taken)
    return taken


def _restored(change: Change, model: type[Model], row: Model | None) -> Edit:
    """Restore a row to its state before a change and save it.

    If the change created the row, the caller deletes it.
    """
    if change.after is None:
        return _brought_back(change, model, row)
    if row is None:
        raise OperationError(_("“%s” no longer exists.") % change)
    before = columns(row)
    _check_as_left(change, before)
    if change.before is None:
        _check_free(change, row)
        return Edit(row, before, removed=True)
    if set(change.before) & set(promised_fields(row)):
        raise OperationError(
            _("“%s” has been announced since it was changed, so the change can’t be undone.")
            % change
        )
    _write(row, change.before, change)
    return Edit(row, before)


def _brought_back(change: Change, model: type[Model], row: Model | None) -> Edit:
    if row is not None:
        raise OperationError(_("“%s” has already been restored.") % change)
    back = model(pk=change.row)
    _write(back, change.before or {}, change)
    return Edit(back, None)


def _check_as_left(change: Change, now: Columns) -> None:
    """Raise `OperationError` if somebody has changed the same columns since.

    The message says who and when.
    """
    moved = [name for name, value in (change.after or {}).items() if now.get(name) != value]
    if not moved:
        return
    later = Change.objects.filter(kind=change.kind, row=change.row, pk__gt=change.pk)
    newest = next(
        (later_change for later_change in later if set(moved) & set(later_change.after or {})), None
    )
    if newest is None:
        raise OperationError(
            _("“%s” has been changed again since the change that you want to undo.") % change
        )
    raise OperationError(
        _("“%(row)s” was changed again by %(who)s on %(when)s. Undo that change first.")
        % {
            "row": change,
            "who": newest.by or _("the site"),
            "when": date_format(localtime(newest.at), "j F Y, H:i"),
        }
    )


def _check_free(change: Change, row: Model) -> None:
    dependents = dependents_of(row, parts=True)
    if dependents or is_promised(row):
        raise OperationError(
            _("“%(row)s” can’t be removed, because other entries depend on it (%(what)s).")
            % {"row": change, "what": dependents or _("carteles")}
        )


def _write(row: Model, values: Columns, change: Change) -> None:
    """Set values on a row and save it.

    Raise `OperationError` if the values are no longer valid.
    """
    fields = {field.name: field for field in row._meta.concrete_fields}
    for name, value in values.items():
        if name in fields:  # the column may no longer exist
            setattr(row, fields[name].attname, fields[name].to_python(value))
    try:
        row.full_clean(exclude=set(fields) - set(values))
        _check_address(row, values)
        check_engine(row)
        row.save()
    except ValidationError as error:
        message = " ".join(error.messages)
        raise OperationError(f"{change}: {message}") from error


def _check_address(row: Model, values: Columns) -> None:
    if values.get("slug") in reserved_words(*getattr(row, "FOLDERS", ())):
        raise ValidationError(
            _("This address is already used by another page on this site. Choose another address.")
        )


def check_engine(row: Model) -> None:
    try:
        if isinstance(row, MatadorCard):
            row.engine_card()
        elif isinstance(row, Deck):
            row.engine_deck()
    except EngineError as error:
        raise ValidationError(engine_fault(error)) from error
