"""What a person fills in about themselves."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from accounts.models import Theme


class PreferencesForm(forms.Form):
    """Language and theme; for visitors without an account as well."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=Theme.choices)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.choices = [("", _("As my browser")), *settings.LANGUAGES]
