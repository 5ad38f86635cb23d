"""Forms that edit a stored object: what was not changed on the page stays as it is stored."""

from __future__ import annotations

from functools import partial
from typing import Any

from django import forms


class EditField(forms.BoundField):
    """A field of an `EditForm`."""

    def shown(self) -> str:
        """Render what it showed, for templates that render its choices one by one."""
        return self.as_hidden(only_initial=True) if self.field.show_hidden_initial else ""


class EditForm(forms.Form):
    """A form that knows which of its values were changed on the page.

    Each field also sends what it showed. A value that somebody else has changed meanwhile, in
    another browser or over the API, is so not put back; and a stored value that would be refused
    today, or that a field shows in another form, can be saved again.
    """

    bound_field_class = EditField

    def compare_with_shown(self) -> None:
        """Let all fields send what they showed. Call it when they are complete."""
        for name, field in self.fields.items():
            # A program may send only the values; they are compared with what is stored now.
            sent = self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = not self.is_bound or sent
            if isinstance(field.widget, forms.TimeInput):
                # An hour without its seconds, if that is what the field shows.
                hidden = partial(
                    forms.TimeInput, format=field.widget.format, attrs={"type": "hidden"}
                )
                field.hidden_widget = hidden  # type: ignore[assignment]

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        for name in {*self.errors} & {*self.initial} - {*self.changed_data}:
            del self.errors[name]
            given[name] = self.initial[name]
        return given

    def changes(self) -> dict[str, Any]:
        """Return the changed values of a valid form."""
        changed = {*self.changed_data}
        return {name: value for name, value in self.cleaned_data.items() if name in changed}
