"""Admin of El Toro: designs of boards, and read-only boards of games with real cards."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, TypedDict

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from core.addresses import reserved_words
from core.names.admin import SpanishAdmin
from core.names.forms import CLEAN_COLUMNS
from eltoro.engine import BOARDS, Board, DataError, read_board
from eltoro.models import BoardDesign, Keeping
from eltoro.queries import board_text, is_played
from eltoro.stage.design import Design, draw_board
from eltoro.stage.sentences.events import data_error_sentence
from leagues.admin import ReadAdmin

if TYPE_CHECKING:
    from django.forms import ModelForm
    from django.urls import URLPattern

if TYPE_CHECKING:  # Django's form classes are generic only in the stubs
    DesignModelForm = forms.ModelForm[BoardDesign]
else:
    DesignModelForm = forms.ModelForm


EMPTY_BOARD: Final = "space,row,name,way,even,odd\n"


def canonical_text(text: str) -> str:
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    return "".join(f"{line}\n" for line in lines if line.strip(","))


def checked_board(text: str) -> Board:
    try:
        return read_board(text)
    except DataError as error:
        raise forms.ValidationError(data_error_sentence(error), code=error.code) from error


class BoardForm(DesignModelForm):
    """Admin form for a board.

    Checks that the board is playable and not a duplicate (Ruling E-2).
    """

    class Meta:
        model = BoardDesign
        fields = ("name", "key", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 28, "class": "board-text", "wrap": "off"})}
        help_texts = {
            "key": gettext_lazy(
                "The name by which rules refer to this board: lower-case letters, digits and "
                "hyphens."
            ),
            "text": gettext_lazy(
                "One space per line: key, row (from 0), name, then either a single path or an "
                "even path and an odd path."
            ),
        }

    def clean_key(self) -> str:
        key = str(self.cleaned_data["key"]).lower()
        if key in BOARDS:
            raise forms.ValidationError(_("One of the site’s own boards already uses this key."))
        if key in reserved_words(*BoardDesign.FOLDERS):
            raise forms.ValidationError(
                _(
                    "This address is already used by another page on this site. Choose another "
                    "address."
                )
            )
        return key

    def clean_text(self) -> str:
        checked_board(
            self.cleaned_data["text"]
        )  # check the typed text, so that errors name its lines
        text = canonical_text(self.cleaned_data["text"])
        digest = sha256(text.encode()).hexdigest()
        same = BoardDesign.objects.filter(digest=digest).exclude(pk=self.instance.pk).first()
        if same or any(board.text == text for board in BOARDS.values()):
            owner = same.name if same else _("one of the site’s own boards")
            raise forms.ValidationError(_("This board is the same as “%s”.") % owner)
        self.instance.digest = digest
        return text


MAX_BOARD_TEXT = 20_000


@admin.register(BoardDesign)
class BoardDesignAdmin(SpanishAdmin):
    """Admin of boards designed on this site.

    A board that is used in rules cannot be changed, but it can be copied to a new key.
    """

    form = BoardForm
    formfield_overrides = CLEAN_COLUMNS
    list_display = ("name", "key", "digest", "made_at")
    search_fields = ("search_text__folded",)
    readonly_fields = ("digest", "made_at")
    actions = ("check_board",)
    show_full_result_count = False

    def get_changeform_initial_data(self, request: HttpRequest) -> dict[str, Any]:
        """Return the initial data of the form for a new board.

        The text is a copy of the board named by `?copy=`, or else only the line with the column
        names.
        """
        given: dict[str, Any] = super().get_changeform_initial_data(request)
        key = str(given.pop("copy", ""))
        shipped = BOARDS[key].text if key in BOARDS else None
        return {"text": shipped or board_text(key) or EMPTY_BOARD, **given}

    def get_readonly_fields(
        self, request: HttpRequest, obj: BoardDesign | None = None
    ) -> tuple[str, ...]:
        """Make text and key read-only for a board in use, because stored rules contain its text."""
        usual = tuple(super().get_readonly_fields(request, obj))
        return (*usual, "key", "text") if obj is not None and is_played(obj) else usual

    def get_prepopulated_fields(
        self, request: HttpRequest, obj: BoardDesign | None = None
    ) -> dict[str, Sequence[str]]:
        return {"key": ("name",)} if obj is None else {}

    def has_delete_permission(self, request: HttpRequest, obj: BoardDesign | None = None) -> bool:
        return super().has_delete_permission(request, obj) and (obj is None or not is_played(obj))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Remove the bulk action for deletion, because it does not check whether boards
        are in use.
        """
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def changeform_view(self, *args: Any, **kwargs: Any) -> HttpResponse:
        """Show or save the form, twice if the first attempt raises `IntegrityError`.

        This happens if another request saves a board with the same key or text. The second attempt
        then shows an error of the form.
        """
        try:
            return super().changeform_view(*args, **kwargs)
        except IntegrityError:
            return super().changeform_view(*args, **kwargs)

    def save_model(
        self, request: HttpRequest, obj: BoardDesign, form: ModelForm[BoardDesign], change: bool
    ) -> None:
        if not change:
            obj.made_at = timezone.now()
        super().save_model(request, obj, form, change)

    def render_change_form(
        self, request: HttpRequest, context: dict[str, object], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        row = kwargs.get("obj")
        typed = request.POST.get("text") or (row.text if row else "")
        locked = row is not None and is_played(row)
        context.update(drawing_context(typed), locked=locked, shipped=list(BOARDS))
        return super().render_change_form(request, context, *args, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        drawn = path("drawing/", self.admin_site.admin_view(self.draw), name="eltoro_board_drawing")
        return [drawn, *super().get_urls()]

    def draw(self, request: HttpRequest) -> HttpResponse:
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        if not (self.has_add_permission(request) or self.has_change_permission(request)):
            raise PermissionDenied
        return render(
            request,
            "admin/eltoro/boarddesign/change_form.html#drawing",
            drawing_context(request.POST.get("text", "")),
        )

    @admin.action(description=gettext_lazy("Check the board: where a lone runner ends up"))
    def check_board(self, request: HttpRequest, chosen: QuerySet[BoardDesign]) -> None:
        for row in chosen:
            drawn = draw_board(read_board(row.text))
            shares = ", ".join(
                f"{end} {share}%" for end, share in zip(drawn.ends, drawn.overall, strict=True)
            )
            figures = {"board": row.name, "shares": shares, "steps": drawn.steps}
            messages.info(
                request,
                _("%(board)s: %(steps)s steps. Destinations of a lone runner: %(shares)s.")
                % figures,
            )


class DrawingContext(TypedDict):
    """Template context of a board's drawing in the admin: the drawn board, or the error in its
    text.

    Both are empty if no text has been entered yet.
    """

    design: Design | None
    fault: str


def drawing_context(text: str) -> DrawingContext:
    if not text.strip() or text.strip() == EMPTY_BOARD.strip():
        return {"design": None, "fault": ""}
    try:
        return {"design": draw_board(checked_board(text[:MAX_BOARD_TEXT])), "fault": ""}
    except forms.ValidationError as error:
        return {"design": None, "fault": error.messages[0]}


@admin.register(Keeping)
class KeepingAdmin(ReadAdmin):
    """Read-only admin of the boards on which this site tracks games with real cards.

    It never shows the secret seeds of the dice.
    """

    list_display = ("match", "league", "mode", "version", "begun_at", "changed_at")
    list_filter = ("mode",)
    list_select_related = ("match__league",)
    search_fields = (
        "match__league__search_text__folded",
        "match__seats__player__search_text__folded",
    )
    date_hierarchy = "begun_at"

    @admin.display(ordering="match__league")
    def league(self, row: Keeping) -> str:
        return row.match.league.name if row.match.league else "–"
