"""Gather what the site says into its catalogues, ready to be translated."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import polib
from django.conf import settings
from django.core.management.commands import makemessages

TRANSLATED_LANGUAGES: Final = [
    code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE
]
# Folders without text for visitors.
IGNORED_FOLDERS: Final = [".venv", "staticfiles", "tests", "tools", "var"]
# No dates and names, so that the same sources always give the same file.
HEADER: Final = {
    "Project-Id-Version": "Temporada",
    "Language": "",
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=(n != 1);",
}


class Command(makemessages.Command):
    """`makemessages` for all languages except that of the sources.

    Needs GNU gettext. Obsolete messages are dropped, and new ones stay empty instead of
    fuzzy.
    """

    help = "Extract messages into locale/*/LC_MESSAGES/django.po, without dates and places."
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        """Use options that make the result depend on the sources alone."""
        options |= {"locale": TRANSLATED_LANGUAGES, "no_location": True, "no_obsolete": True}
        options["ignore_patterns"] = [*options["ignore_patterns"], *IGNORED_FOLDERS]
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write the file with a plain header."""
        super().write_po_file(potfile, locale)
        folder = Path(potfile).parent / locale / "LC_MESSAGES"
        tidy(folder / f"{self.domain}.po", locale)


def tidy(path: Path, language: str) -> None:
    """Write a plain header and sort the messages, so that moving code changes nothing."""
    catalogue = polib.pofile(str(path), wrapwidth=78)
    catalogue.header = ""
    catalogue.metadata_is_fuzzy = False
    catalogue.metadata = HEADER | {"Language": language}
    catalogue.sort(key=lambda entry: (entry.msgid.casefold(), entry.msgid, entry.msgctxt or ""))
    catalogue.save(str(path))
