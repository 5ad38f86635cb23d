"""The form of a file to import."""

from __future__ import annotations

from typing import Final

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from leagues.exchange.operations import FileFormat

# Bytes.
MAX_FILE_SIZE: Final = 5 * 1024 * 1024
FORMATS: Final = [
    (FileFormat.CSV.value, _("CSV with one line per player")),
    (FileFormat.JSON.value, _("JSON as exported by this site")),
    (FileFormat.BGSTATS.value, _("JSON exported by the BG Stats app")),
]


class FileForm(forms.Form):
    file = forms.FileField(label=_("File"), max_length=200)
    file_format = forms.ChoiceField(label=_("Type of file"), choices=FORMATS)

    def clean_file(self) -> UploadedFile[bytes]:
        given: UploadedFile[bytes] = self.cleaned_data["file"]
        if (given.size or 0) > MAX_FILE_SIZE:
            raise forms.ValidationError(_("The file is larger than 5 MB. Choose a smaller one."))
        return given
