"""The form of a webhook."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from events.kinds import kinds
from leagues.webhooks.addresses import MAX_URL_LENGTH
from leagues.webhooks.operations import available_kinds


class WebhookForm(forms.Form):
    url = forms.CharField(
        label=_("address"),
        max_length=MAX_URL_LENGTH,
        widget=forms.URLInput(attrs={"placeholder": "https://", "autocomplete": "off"}),
    )
    kinds = forms.MultipleChoiceField(
        label=_("events to send; leave all unticked to send everything"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(key, kinds[key].name) for key in available_kinds()],
    )
