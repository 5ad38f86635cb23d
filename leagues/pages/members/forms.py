"""Forms of members: guests, roles, merges and withdrawals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from core.names.forms import CleanCharField
from leagues.members.operations.membership import FixtureHandling, WithdrawalPreview
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
    """Form that asks what happens to open fixtures. Only the possible choices are shown."""

    handling = forms.ChoiceField(label=_("Fixtures still to be played"), widget=forms.RadioSelect)

    def __init__(self, going: WithdrawalPreview, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        handling = self.fields["handling"]
        assert isinstance(handling, forms.ChoiceField)
        handling.choices = [(each.value, _label(each, going)) for each in going.handlings]
        handling.initial = going.handlings[0].value


def _label(handling: FixtureHandling, going: WithdrawalPreview) -> str:
    if handling is FixtureHandling.MATCH:
        return gettext("%(name)s takes the vacant seat and gives up the bye") % {
            "name": going.stand_in
        }
    return {
        FixtureHandling.FORFEIT: gettext("the fixtures are forfeited"),
        FixtureHandling.BYE: gettext("the opponent gets a bye"),
        FixtureHandling.VOID: gettext("the fixtures are voided, as if they had never been drawn"),
    }[handling]
