"""Page on which anyone can check records of this or another site."""

from __future__ import annotations

from typing import Final

from django import forms
from django.contrib.humanize.templatetags.humanize import intcomma
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from actas import bundles
from actas.parsing import MAX_BYTES
from actas.verification import VerificationResult, check_file

ROWS: Final = 8


class RecordForm(forms.Form):
    """Form for a record, uploaded as a file or pasted as text."""

    file = forms.FileField(
        label=gettext_lazy("The file"),
        required=False,
        max_length=200,
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    text = forms.CharField(
        label=gettext_lazy("or paste the text of the record"),
        required=False,
        strip=False,
        max_length=MAX_BYTES,
        widget=forms.Textarea(attrs={"rows": ROWS, "spellcheck": "false", "autocomplete": "off"}),
    )

    def clean_file(self) -> UploadedFile[bytes] | None:
        given: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if given is not None:
            _refuse_bundle(given.read(bundles.HEAD_BYTES))
            given.seek(0)
        if given is not None and (given.size or 0) > MAX_BYTES:
            said = _("The file is too long for a record, which can have at most %(most)s kB.")
            raise forms.ValidationError(said % {"most": intcomma(MAX_BYTES // 1000)})
        return given

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        _refuse_bundle(text[: bundles.HEAD_BYTES].encode(errors="replace"))
        return text

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or {}
        if not self.errors and not cleaned.get("file") and not cleaned.get("text", "").strip():
            raise forms.ValidationError(_("Choose a file, or paste a record."))
        return cleaned

    def verdict(self) -> VerificationResult:
        file, text = self.cleaned_data["file"], self.cleaned_data["text"]
        return check_file(file.read() if file else text.encode(errors="replace"))


def _refuse_bundle(head: bytes) -> None:
    if bundle := bundles.find_bundle_type(head):
        raise forms.ValidationError(bundle.elsewhere)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form and the verdict on the submitted record, which is not stored."""
    posted = request.method == "POST"
    form = RecordForm(request.POST, request.FILES) if posted else RecordForm()
    verdict = form.verdict() if posted and form.is_valid() else None
    status = 422 if posted and verdict is None else 200
    return render(request, "actas/page.html", {"form": form, "verdict": verdict}, status=status)
