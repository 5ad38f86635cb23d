"""Forms for preferences, the profile, passwords and account deletion."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as account_forms
from allauth.core import context
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm, SignupWebAuthnForm
from django import forms
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from accounts.display_names import MAX_NAME_LENGTH
from accounts.models import Theme, User, username_taken
from accounts.operations import end_access
from accounts.time_zones import ZoneField
from core.edit_forms import EditForm
from core.names.forms import CleanCharField
from core.names.text import comparison_key


class PreferencesForm(EditForm):
    """Form for language, theme, time zone and wording, also for visitors without an account."""

    language = forms.ChoiceField(label=_("Language"), required=False)
    theme = forms.ChoiceField(label=_("Theme"), choices=Theme.choices)
    zone = ZoneField(
        label=_("Time zone"),
        empty=_("No preference"),
        help_text=_(
            "Times are shown in this time zone. If you don’t choose a time zone, each league "
            "uses its own, and all other pages use UTC."
        ),
    )
    bloodless = forms.BooleanField(
        label=_("Bloodless wording"),
        required=False,
        help_text=_(
            "Corridas are described as bloodless: the lance and the sticks touch a pad, the "
            "sword is only mimed, and every bull walks back to the corrals. Rules, points "
            "and results stay the same."
        ),
    )
    single_keys = forms.BooleanField(
        label=_("Single-key shortcuts"),
        required=False,
        help_text=_(
            "The P key opens the play control. While you watch a corrida, K, N, L and F take "
            "effect as soon as you press them. Turn these shortcuts off if you use dictation "
            "or often press keys by accident."
        ),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        language = self.fields["language"]
        assert isinstance(language, forms.ChoiceField)
        language.choices = [("", _("Same as my browser")), *settings.LANGUAGES]
        self.compare_with_shown()

    def preferences(self) -> dict[str, Any]:
        """Return all preferences: the initial values, updated with the changes in the form."""
        return {**self.initial, **self.changes()}


class SignupForm(account_forms.SignupForm):
    """allauth's sign-up form. If another user takes the username meanwhile, it shows an error."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        # Imported here, because allauth's views import this form.
        from allauth.account.views import SignupView

        try:
            with transaction.atomic():
                saved: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return saved
        except IntegrityError:
            self.add_error("username", username_taken())
            view = SignupView()
            view.setup(request)
            context = view.get_context_data(form=self)
            return None, view.render_to_response(context, status=409)


class ProfileForm(PreferencesForm):
    """Form for the public name and the preferences."""

    name = CleanCharField(
        label=_("Display name"),
        max_length=MAX_NAME_LENGTH,
        help_text=_(
            "Other users see this name in standings and at tables. You sign in with your username."
        ),
    )
    shielded = forms.BooleanField(
        label=_("Spoiler protection"),
        required=False,
        help_text=_(
            "Hide the results of corridas that I have not watched. Pages that reveal the "
            "results of a corrida stay hidden until I have watched it. This applies to "
            "corridas that go on air from now on. Corridas that were played instantly, "
            "imported from a file or played at a real table were never broadcast, so they "
            "are shown as usual."
        ),
    )
    field_order = ("name",)


class EndAccessForm(forms.Form):
    """Password form that can also revoke API keys and secret addresses.

    Otherwise these stay valid after a change of password.
    """

    end_access = forms.BooleanField(
        label=_("Revoke API keys and secret addresses"),
        label_suffix="",
        required=False,
        help_text=_(
            "Your API keys and the addresses of your calendar and feed stay valid when your "
            "password changes. If you revoke them, your programs, calendars and feed readers "
            "will need new ones."
        ),
    )

    def save(self) -> None:
        with transaction.atomic():
            super().save()  # type: ignore[misc]  # of allauth's form
            if self.cleaned_data["end_access"]:
                end_access(self.user)  # type: ignore[attr-defined]
        if self.cleaned_data["end_access"]:
            said = _("Your API keys and your old calendar and feed addresses no longer work.")
            messages.success(context.request, said)


class ChangePasswordEndAccessForm(EndAccessForm, account_forms.ChangePasswordForm):
    field_order = ("oldpassword", "password1", "password2")


class SetPasswordEndAccessForm(EndAccessForm, account_forms.SetPasswordForm):
    field_order = ("password1", "password2")


class ResetPasswordEndAccessForm(EndAccessForm, account_forms.ResetPasswordKeyForm):
    field_order = ("password1", "password2")


class AccountDeletionForm(forms.Form):
    """Form in which a user confirms the deletion by typing the username."""

    username = forms.CharField(
        label=_("Your username"),
        max_length=150,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}),
    )

    def __init__(self, *args: Any, username: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._own = username

    def clean_username(self) -> str:
        typed: str = self.cleaned_data["username"]
        if comparison_key(typed) != comparison_key(self._own):
            raise forms.ValidationError(_("This is not your username."))
        return typed


class WebAuthnNameForm(forms.Form):
    """Form with a translated label for a security key's name. allauth's label is always English."""

    name = CleanCharField(label=_("Name"), required=False)


class AddSecurityKeyForm(WebAuthnNameForm, AddWebAuthnForm):
    """Form that adds a security key or passkey."""


class SignupSecurityKeyForm(WebAuthnNameForm, SignupWebAuthnForm):
    """Form that creates an account with a passkey."""


class EditSecurityKeyForm(EditWebAuthnForm):
    """Form that renames a security key."""

    name = CleanCharField(label=_("Name"), max_length=100)
