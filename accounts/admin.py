"""Admin pages for users."""

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
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (_("Preferences"), {"fields": ("language", "theme", "bloodless", "single_keys")}),
    )
    formfield_overrides = CLEAN_COLUMNS
