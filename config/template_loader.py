"""Template loader that removes indentation, which would be sent with every row of a table."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from django.template.loaders.filesystem import Loader as FilesystemLoader

if TYPE_CHECKING:
    from django.template.base import Origin

INDENTATION: Final = re.compile(r"\n[ \t]+")


class Loader(FilesystemLoader):
    """Filesystem loader that removes indentation.

    Line breaks stay, so that errors name the right line.
    """

    def get_contents(self, origin: Origin) -> str:
        contents = super().get_contents(origin)
        return INDENTATION.sub("\n", contents) if origin.name.endswith(".html") else contents
