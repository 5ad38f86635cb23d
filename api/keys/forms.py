"""The form for a new API key."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from api.models import Token
from core.names.forms import CleanCharField


class TokenForm(forms.Form):
    name = CleanCharField(
        label=_("What the key is for"),
        max_length=60,
        help_text=_(
            "A name by which you recognise the key, such as that of the program or machine "
            "that uses it."
        ),
    )
    scope = forms.ChoiceField(label=_("What the key may be used for"), choices=Token.Scope.choices)
    days = forms.TypedChoiceField(
        label=_("Valid for"),
        coerce=int,
        empty_value=None,
        required=False,
        choices=[
            ("30", _("thirty days")),
            ("365", _("one year")),
            ("", _("until I delete it")),
        ],
    )
