"""Boards drawn by the office: written as text, drawn beside it, kept once they are played on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from eltoro.admin.forms import EMPTY_BOARD, BoardForm, checked_board
from eltoro.engine import BOARDS, read_board
from eltoro.models import BoardDesign
from eltoro.queries import board_text, is_played
from eltoro.stage.design import design
from leagues.admin.read_only import AnyAdmin

if TYPE_CHECKING:
    from django.urls import URLPattern

LONGEST = 20_000


@admin.register(BoardDesign)
class BoardDesignAdmin(AnyAdmin):
    """Boards beside those of the site; one that is played on goes on under a new key."""

    form = BoardForm
    list_display = ("name", "key", "digest", "made_at")
    search_fields = ("name", "key")
    readonly_fields = ("digest", "made_at")
    actions = ("check_board",)
    show_full_result_count = False

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """A new board begins as a copy of the one that the address names, else with its head."""
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        key = str(given.pop("copy", ""))
        shipped = BOARDS[key].text if key in BOARDS else None
        return {"text": shipped or board_text(key) or EMPTY_BOARD, **given}

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Text and key too, once somebody plays on it: rules hold the text for good."""
        usual = tuple(super().get_readonly_fields(request, obj))
        return (*usual, "key", "text") if obj is not None and is_played(obj) else usual

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: Any = None
    ) -> dict[str, Sequence[str]]:
        """The key of a new board follows its name; a board that has one keeps it."""
        return {"key": ("name",)} if obj is None else {}

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Only a board that nobody plays on."""
        return super().has_delete_permission(request, obj) and (obj is None or not is_played(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """All but deletion in bulk, which would not ask whether they are played on."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Save it; a new one was made now."""
        if not change:
            obj.made_at = timezone.now()
        super().save_model(request, obj, form, change)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> Any:
        """With the board drawn, and a word where it is locked."""
        row = kwargs.get("obj")
        typed = request.POST.get("text") or (row.text if row else "")
        context |= drawing(typed) | {"locked": row is not None and is_played(row)}
        context["shipped"] = list(BOARDS)
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        """Django's, and the drawing of what is being typed."""
        drawn = path("drawing/", self.admin_site.admin_view(self.draw), name="eltoro_board_drawing")
        return [drawn, *super().get_urls()]

    def draw(self, request: HttpRequest) -> HttpResponse:
        """The board in the text that was sent, drawn, or what is wrong with it; a fragment."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        return render(request, "admin/eltoro/_drawing.html", drawing(request.POST.get("text", "")))

    @admin.action(description=gettext_lazy("Check the board: where a lone runner ends up"))
    def check_board(self, request: HttpRequest, chosen: QuerySet[BoardDesign]) -> None:
        """Say for each board how likely a lone runner comes to each destination."""
        for row in chosen:
            drawn = design(read_board(row.text))
            shares = ", ".join(
                f"{end} {share}%" for end, share in zip(drawn.ends, drawn.overall, strict=True)
            )
            told = {"board": row.name, "shares": shares, "steps": drawn.steps}
            messages.info(request, _("%(board)s, %(steps)s steps: %(shares)s") % told)


def drawing(text: str) -> dict[str, Any]:
    """The context of a drawing: the board, or the sentence that says why it is none yet."""
    if not text.strip() or text.strip() == EMPTY_BOARD.strip():
        return {"design": None, "fault": ""}
    try:
        return {"design": design(checked_board(text[:LONGEST])), "fault": ""}
    except forms.ValidationError as error:
        return {"design": None, "fault": error.messages[0]}
