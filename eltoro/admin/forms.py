"""The form of a board: what the engine would refuse is refused here, line and rule beside it."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from eltoro.engine import BOARDS, Board, DataError, read_board
from eltoro.models import BoardDesign
from eltoro.words.data import data_refusal

if TYPE_CHECKING:  # Django's forms take a type in the stubs only
    DesignModelForm = forms.ModelForm[BoardDesign]
else:
    DesignModelForm = forms.ModelForm

EMPTY_BOARD: Final = "space,row,name,way,even,odd\n"


def canonical_text(text: str) -> str:
    """The board as it is kept: line ends of one kind, no empty line, none missing at the end."""
    lines = (line.strip() for line in text.removeprefix("\ufeff").splitlines())
    return "".join(f"{line}\n" for line in lines if line.strip(","))


def checked_board(text: str) -> Board:
    """The board in this text. Raises `forms.ValidationError` that names line and rule."""
    try:
        return read_board(text)
    except DataError as error:
        raise forms.ValidationError(data_refusal(error), code=error.code) from error


class BoardForm(DesignModelForm):
    """A board that can be played on (Ruling E-2), no two the same."""

    class Meta:
        model = BoardDesign
        fields = ("name", "key", "text")
        widgets = {"text": forms.Textarea(attrs={"rows": 28, "class": "board-text", "wrap": "off"})}
        help_texts = {
            "key": gettext_lazy(
                "The name that rules use for this board: lower-case letters, digits and hyphens."
            ),
            "text": gettext_lazy(
                "One space per line: key, row (from 0), name, then either one path or an "
                "even and an odd one."
            ),
        }

    def clean_key(self) -> str:
        """A key that no shipped board has."""
        key = str(self.cleaned_data["key"]).lower()
        if key in BOARDS:
            raise forms.ValidationError(_("One of the site’s own boards already uses this key."))
        return key

    def clean_text(self) -> str:
        """The board as it is kept, once the engine takes it."""
        checked_board(self.cleaned_data["text"])  # as it was typed: errors name its lines
        text = canonical_text(self.cleaned_data["text"])
        digest = sha256(text.encode()).hexdigest()
        same = BoardDesign.objects.filter(digest=digest).exclude(pk=self.instance.pk).first()
        if same or any(board.text == text for board in BOARDS.values()):
            told = same.name if same else _("one of the site’s own boards")
            raise forms.ValidationError(_("This board is the same as “%s”.") % told)
        self.instance.digest = digest
        return text
