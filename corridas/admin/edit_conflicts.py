"""Forms that detect concurrent edits of a row.

A form contains the values with which it was opened. If somebody else has changed the row in the
meantime, untouched fields take the new values and typed values stay. Nothing is saved, and each
changed field says who changed it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import copy
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model
from django.forms.fields import BaseTemporalField
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from core.addresses import reserved_words
from corridas.models import Change
from corridas.roster.queries import PROMISED, kind_of

if TYPE_CHECKING:  # Django's class is generic only in the type stubs
    AnyForm = forms.ModelForm[Any]
else:
    AnyForm = forms.ModelForm


Values = dict[str, Any]
SEEN = "seen"


def as_json(values: Mapping[str, object]) -> Values:
    """Return form values in the form in which a hidden JSON field sends them back."""
    read: Values = json.loads(json.dumps(dict(values), cls=DjangoJSONEncoder))
    return read


class ConflictForm(AnyForm):
    """A form that detects whether its row has changed since the form was opened."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._drop_unlisted_fields()
        self._lock_promised()
        self._moved: Values = {}
        self._now = as_json({name: self.initial.get(name) for name in self._watched()})
        self.initial[SEEN] = json.dumps(self._now, sort_keys=True)
        if self.is_bound and self._row().pk:
            self._merge()

    @cached_property
    def changed_data(self) -> list[str]:
        return [name for name in super().changed_data if name != SEEN]

    def _row(self) -> Model:
        row: Model = self.instance
        return row

    def _watched(self) -> list[str]:
        columns = {field.name for field in self._meta.model._meta.concrete_fields}
        return [
            name for name, field in self.fields.items() if name in columns and not field.disabled
        ]

    def _drop_unlisted_fields(self) -> None:
        """Remove declared fields that an editable changelist does not show."""
        listed = self._meta.fields
        if isinstance(listed, (list, tuple)):
            for name in set(self.fields) - {SEEN, *listed}:
                del self.fields[name]

    def _lock_promised(self) -> None:
        if getattr(self.instance, "promised", False):
            for name in set(PROMISED.get(kind_of(self.instance), ())) & set(self.fields):
                self.fields[name].disabled = True

    def _opened_with(self) -> Values:
        """Return the values with which the form was opened.

        If the hidden field does not contain valid JSON, return the current values.
        """
        try:
            read = json.loads(self.data.get(self.add_prefix(SEEN), ""))
        except ValueError:
            return self._now
        return self._now | read if isinstance(read, dict) else self._now

    def _merge(self) -> None:
        """Copy other users' changes into untouched fields, and remember the conflicts."""
        opened = self._opened_with()
        moved = [name for name, value in self._now.items() if opened[name] != value]
        if not moved:
            return
        typed = {name for name in self._now if self._was_typed(name, opened[name])}
        data: Any = copy(self.data)
        data[self.add_prefix(SEEN)] = self.initial[SEEN]
        for name in set(moved) - typed:
            self._take_over(name, data)
        self.data = data
        self._moved = {name: name in typed for name in moved} if typed else {}

    def _was_typed(self, name: str, opened: object) -> bool:
        field = self.fields[name]
        if isinstance(field, BaseTemporalField) and isinstance(opened, str):
            try:
                opened = field.to_python(opened)
            except forms.ValidationError:
                return True
        mine = field.widget.value_from_datadict(self.data, self.files, self.add_prefix(name))
        return bool(field.has_changed(opened, mine))

    def _take_over(self, name: str, data: Any) -> None:
        value = self.fields[name].prepare_value(self._now[name])
        if value is None or value is False:
            data.pop(self.add_prefix(name), None)
        else:
            data[self.add_prefix(name)] = "on" if value is True else str(value)

    def clean(self) -> Values:
        given: Values = super().clean() or {}
        if self._moved:
            row = self._row()
            of_row = Change.objects.filter(kind=kind_of(row), row=row.pk)
            changes = list(of_row.select_related("by")[:50])
            for name, typed in self._moved.items():
                self.add_error(name, self._conflict_error(name, typed, changes))
            self.add_error(
                None,
                _(
                    "This entry was changed while you were editing it, so nothing has been saved "
                    "yet. What you typed is still here. Check the marked fields, then save again."
                ),
            )
        return given

    def _conflict_error(
        self, name: str, typed: bool, changes: list[Change]
    ) -> forms.ValidationError:
        newest = next((change for change in changes if name in (change.after or {})), None)
        known = newest is not None and (newest.after or {})[name] == self._now[name]
        by, at = (newest.by, newest.at) if newest and known else (None, None)
        when = date_format(localtime(at), "j F Y, H:i") if at else _("meanwhile")
        sentence = (
            _("%(who)s entered “%(value)s” here (%(when)s). Save again to keep your value.")
            if typed
            else _("%(who)s entered “%(value)s” here (%(when)s).")
        )
        params = {"who": by or _("The site"), "value": self._displayed(name), "when": when}
        return forms.ValidationError(sentence, code="meanwhile", params=params)

    def _displayed(self, name: str) -> str:
        field, value = self.fields[name], self._now[name]
        if isinstance(field, forms.ModelChoiceField) and field.queryset is not None:
            return str(field.queryset.filter(pk=value).first() or "–")
        if isinstance(field, forms.ChoiceField):
            pairs = {str(key): label for key, label in _ungrouped(field.choices)}
            return str(pairs.get(str(value), value))
        return "–" if value in (None, "") else str(value)


class OfficeForm(ConflictForm):
    """A form that detects conflicts and shows violated table constraints beside their field."""

    def _post_clean(self) -> None:
        """Check every constraint of the table, including those on columns outside of the form."""
        super()._post_clean()  # type: ignore[misc]
        self._attach_to_fields(self.errors.pop(NON_FIELD_ERRORS, None))
        if self.instance.pk and not self.errors:
            try:
                self.instance.validate_constraints()
            except forms.ValidationError as error:
                self._update_errors(error)  # type: ignore[attr-defined]
                self._attach_to_fields(self.errors.pop(NON_FIELD_ERRORS, None))

    def clean_slug(self) -> str:
        """Reject a new slug if a page of the site already has that address."""
        slug: str = self.cleaned_data["slug"]
        new = slug != self.initial.get("slug") or self.instance._state.adding
        if new and slug in reserved_words(*self.instance.FOLDERS):
            raise forms.ValidationError(
                _(
                    "This address is already used by another page on this site. Choose another "
                    "address."
                )
            )
        return slug

    def _attach_to_fields(self, errors: Any) -> None:
        """Attach the error of a table constraint to the form field named by its code."""
        for error in errors.as_data() if errors else ():
            at_field = error.code in self.fields
            self.add_error(error.code if at_field else None, error)


def _ungrouped(choices: Any) -> list[tuple[Any, Any]]:
    flat: list[tuple[Any, Any]] = []
    for key, label in choices:
        flat += label if isinstance(label, (list, tuple)) else [(key, label)]
    return flat
