"""An address to be sent a league's events."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from events.kinds import kinds
from leagues.operations.webhooks import offered
from leagues.webhooks.addresses import LONGEST


class WebhookForm(forms.Form):
    """Where to, and what of."""

    url = forms.CharField(
        label=_("address"),
        max_length=LONGEST,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("events to send; leave all unticked to send everything"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(key, kinds[key].name) for key in offered()],
    )
