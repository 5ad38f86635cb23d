"""Forms that edit a stored object and save only the values that were changed on the page."""

from __future__ import annotations

from functools import partial

from django import forms


class EditField(forms.BoundField):
    """A bound field of an `EditForm`."""

    def initial_input(self) -> str:
        """Render a hidden input with the initial value.

        For templates that render the choices of a field one by one.
        """
        return self.as_hidden(only_initial=True) if self.field.show_hidden_initial else ""


class EditForm(forms.Form):
    """Form that knows which of its values were changed on the page.

    Each field also submits its initial value in a hidden input. So the form does not undo what
    another browser or an API client has changed meanwhile. Unchanged values are also accepted if
    they would be invalid today or if the field displays them in another format.
    """

    bound_field_class = EditField

    def compare_with_shown(self) -> None:
        """Let all fields submit their initial values. Call this when all fields exist."""
        for name, field in self.fields.items():
            # A program may submit only the values. They are compared with the stored values
            # instead.
            sent = self.add_initial_prefix(name) in self.data
            field.show_hidden_initial = not self.is_bound or sent
            if isinstance(field.widget, forms.TimeInput):
                # The hidden input must have the same format as the visible one, for example a time
                # without seconds.
                hidden = partial(
                    forms.TimeInput, format=field.widget.format, attrs={"type": "hidden"}
                )
                field.hidden_widget = hidden  # type: ignore[assignment]

    def clean(self) -> dict[str, object]:
        given: dict[str, object] = super().clean() or {}
        for name in {*self.errors} & {*self.initial} - {*self.changed_data}:
            del self.errors[name]
            given[name] = self.initial[name]
        return given

    def changes(self) -> dict[str, object]:
        """Return the changed values of a valid form."""
        changed = {*self.changed_data}
        return {name: value for name, value in self.cleaned_data.items() if name in changed}
