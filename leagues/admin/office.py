"""What every page of the office has in common: it reads, and keeps secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

if TYPE_CHECKING:  # Django's admin takes a type in the stubs only
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin, AnyInline = admin.ModelAdmin, admin.TabularInline

SECRETS = frozenset({"seed", "stake", "invitation", "key", "draft", "rounds"})
"""Fields nobody may search by: an address that filters on them would tell what they hold."""


class ReadAdmin(AnyAdmin):
    """Rows that only operations write; `mended` are the fields that may be changed here."""

    mended: tuple[str, ...] = ()
    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody writes them by hand."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nobody takes them out by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Only where something may be mended."""
        return bool(self.mended) and super().has_change_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """All columns but the secret ones."""
        return self._columns()

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """All that is not mended."""
        return [name for name in self._columns() if name not in self.mended]

    def _columns(self) -> list[str]:
        columns = [field.name for field in self.opts.fields if field.name != "id"]
        return [name for name in columns if name not in SECRETS]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """No lookup by what is secret."""
        if SECRETS.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)


class ReadInline(AnyInline):
    """Rows shown beneath another."""

    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody writes them by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody changes them by hand."""
        return False
