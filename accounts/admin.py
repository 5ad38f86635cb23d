"""Admin pages for users, and for the data that django-allauth stores about them."""

from allauth.account.admin import EmailAddressAdmin
from allauth.account.models import EmailAddress
from allauth.mfa.admin import AuthenticatorAdmin
from allauth.mfa.models import Authenticator
from allauth.usersessions.admin import UserSessionAdmin
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from core.names.admin import SpanishAdmin
from core.names.forms import CLEAN_COLUMNS


@admin.register(User)
class PersonAdmin(SpanishAdmin, UserAdmin):  # type: ignore[type-arg]
    """Django's user admin with the preferences added."""

    search_fields = ("search_text__folded",)
    ordering = ("name_key",)
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (_("Preferences"), {"fields": ("language", "theme", "bloodless", "single_keys")}),
    )
    formfield_overrides = CLEAN_COLUMNS


admin.site.unregister([EmailAddress, Authenticator, UserSession])


@admin.register(EmailAddress)
class SortedEmailAddressAdmin(SpanishAdmin, EmailAddressAdmin):
    """Allauth's admin of email addresses, sorted by username in Spanish order."""


@admin.register(Authenticator)
class SortedAuthenticatorAdmin(SpanishAdmin, AuthenticatorAdmin):
    """Allauth's admin of passkeys and codes, sorted by username in Spanish order."""


@admin.register(UserSession)
class SortedUserSessionAdmin(SpanishAdmin, UserSessionAdmin):
    """Allauth's admin of sessions, sorted by username in Spanish order."""
