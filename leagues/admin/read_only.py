"""Base classes of the admin pages: read-only, with secrets left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from leagues.games import games

if TYPE_CHECKING:  # ModelAdmin is generic in the stubs only
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin, AnyInline = admin.ModelAdmin, admin.TabularInline


# Fields that can't be searched: filtering on them in the address would reveal their values.
SECRETS = frozenset({"seed", "stake", "invitation", "key", "draft", "rounds"})


class GameFilter(admin.SimpleListFilter):
    title = gettext_lazy("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(game.key, str(game.name)) for game in games.all()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class ReadAdmin(AnyAdmin):
    """Admin page of rows that only operations write. `mended` lists the editable fields."""

    mended: tuple[str, ...] = ()
    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return bool(self.mended) and super().has_change_permission(request, obj)

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return self._columns()

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        return [name for name in self._columns() if name not in self.mended]

    @admin.display(description=gettext_lazy("game"), ordering="game")
    def game_name(self, row: Any) -> str:
        names = {game.key: str(game.name) for game in games.all()}
        key: str = row.game
        return names.get(key, key)

    def _columns(self) -> list[str]:
        columns = [field.name for field in self.opts.fields if field.name != "id"]
        told = [name for name in columns if name not in SECRETS]
        return ["game_name" if name == "game" else name for name in told]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        if SECRETS.intersection(lookup.split("__")):
            return False
        return super().lookup_allowed(lookup, value, request)


class ReadInline(AnyInline):
    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
