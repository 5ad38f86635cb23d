"""Forms of members: guests, roles, merges and withdrawals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from core.names.forms import CleanCharField
from leagues.members.operations.membership import FixtureHandling
from leagues.models import Member, Player


class GuestForm(forms.Form):
    name = CleanCharField(label=_("Name"), max_length=60)


class OwnPlayerForm(forms.Form):
    name = CleanCharField(label=_("Name"), max_length=60)
    public = forms.BooleanField(label=_("Anyone can see this page"), required=False)


class RoleForm(forms.Form):
    role = forms.ChoiceField(label=_("Role"), choices=Member.Role.choices)


class MergeForm(forms.Form):
    into = forms.ChoiceField(label=_("Same person as"))

    def __init__(self, people: Sequence[Player], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        into = self.fields["into"]
        assert isinstance(into, forms.ChoiceField)
        into.choices = [(player.slug, player.name) for player in people]


class WithdrawForm(forms.Form):
    HANDLINGS = [
        (FixtureHandling.FORFEIT.value, _("they are forfeited")),
        (FixtureHandling.VOID.value, _("they are voided, as if never drawn")),
    ]
    handling = forms.ChoiceField(
        label=_("Fixtures still to be played"), choices=HANDLINGS, widget=forms.RadioSelect
    )
