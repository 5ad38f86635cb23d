"""Extract messages from the sources into the translation catalogues."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import polib
from django.conf import settings
from django.core.management.commands import makemessages

TRANSLATED_LANGUAGES: Final = [
    code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE
]
# Folders that contain no text for visitors.
IGNORED_FOLDERS: Final = [".venv", "staticfiles", "tests", "tools", "var"]
# Header of the translation catalogues. It has no dates or names, so that `makemessages` always
# creates the same file from the same sources.
HEADER: Final = {
    "Project-Id-Version": "Temporada",
    "Language": "",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


class Command(makemessages.Command):
    """Run `makemessages` for all languages except that of the sources (English).

    Requires GNU gettext. Obsolete messages are dropped. New messages stay empty and are never
    marked as fuzzy.
    """

    help = "Extract messages into locale/*/LC_MESSAGES/django.po, without dates and places."
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        """Run `makemessages` so that its result depends only on the source files."""
        options |= {"locale": TRANSLATED_LANGUAGES, "no_location": True, "no_obsolete": True}
        options["ignore_patterns"] = [*options["ignore_patterns"], *IGNORED_FOLDERS]
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write the catalogue, then replace its header and sort it."""
        super().write_po_file(potfile, locale)
        folder = Path(potfile).parent / locale / "LC_MESSAGES"
        tidy(folder / f"{self.domain}.po", locale)


def tidy(path: Path, language: str) -> None:
    """Replace the header of a catalogue and sort its messages.

    So the catalogue does not change if code is moved to another file.
    """
    catalogue = polib.pofile(str(path), wrapwidth=78)
    catalogue.header = ""
    catalogue.metadata_is_fuzzy = False
    catalogue.metadata = HEADER | {"Language": language}
    catalogue.sort(key=lambda entry: (entry.msgid.casefold(), entry.msgid, entry.msgctxt or ""))
    catalogue.save(str(path))
