"""Forms that edit a stored object: what was not changed on the page stays as it is stored."""

from __future__ import annotations

from typing import Any

from django import forms


class EditForm(forms.Form):
    """A form that knows which of its values were changed on the page.

    Each field also sends what it showed. A value that somebody else has changed meanwhile, in
    another browser or over the API, is so not put back; and a stored value that would be refused
    today, or that a field shows in another form, can be saved again.
    """

    def compare_with_shown(self) -> None:
        """Let all fields send what they showed. Call it when they are complete."""
        for name, field in self.fields.items():
            # A program may send only the values; they are compared with what is stored now.
            sent = self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = not self.is_bound or sent

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        for name in {*self.errors} & {*self.initial} - {*self.changed_data}:
            del self.errors[name]
            given[name] = self.initial[name]
        return given

    def changes(self) -> dict[str, Any]:
        """Return the changed values of a valid form by field."""
        return {name: self.cleaned_data[name] for name in self.changed_data}
