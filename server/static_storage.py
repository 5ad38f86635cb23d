"""Storage for collected static files, which removes comments and indentation from our CSS."""

from __future__ import annotations

import re
from typing import Any, Final

from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

FOR_PEOPLE: Final = re.compile(r"/\*.*?\*/|(?<=\n)\s+", re.DOTALL)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """WhiteNoise storage that removes comments, indentation and blank lines from CSS.

    With them, CSS files are a quarter larger, or an eighth if compressed.
    """

    def _save(self, name: str, content: Any) -> str:
        if name.startswith("css/"):
            content.seek(0)  # Django has read it for the hash in its name
            content = ContentFile(FOR_PEOPLE.sub("", content.read().decode()).encode())
        saved: str = super()._save(name, content)
        return saved
