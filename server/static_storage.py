"""Static files as they are collected: our CSS without comments, indentation and blank lines."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

FOR_PEOPLE: Final = re.compile(r"/\*.*?\*/|(?<=\n)\s+", re.DOTALL)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Formatted CSS is a quarter longer than what browsers need, an eighth when compressed."""

    def _save(self, name: str, content: Any) -> str:
        if name.startswith("css/"):
            content.seek(0)  # Django has read it before, for the hash in its name
            content = ContentFile(FOR_PEOPLE.sub("", content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved
