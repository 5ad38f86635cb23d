"""Extract messages from the sources into the translation catalogues."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import allauth
import django
import polib
from django.conf import settings
from django.core.management.commands import makemessages

TRANSLATED_LANGUAGES: Final = [
    code for code, _name in settings.LANGUAGES if code != settings.LANGUAGE_CODE
]
# Folders with the catalogues of Django and allauth. Our catalogues may contain messages from them,
# because our translations take precedence.
PACKAGE_CATALOGUES: Final = (
    Path(django.__file__).parent / "conf" / "locale",
    Path(django.__file__).parent / "contrib" / "auth" / "locale",
    Path(allauth.__file__).parent / "locale",
)
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

    Requires GNU gettext. Obsolete messages are dropped, except those of Django and allauth.
    New messages stay empty and are never marked as fuzzy.
    """

    help = "Extract messages into locale/*/LC_MESSAGES/django.po, without dates and places."
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: object, **options: Any) -> None:
        """Run `makemessages` so that its result depends only on the source files."""
        options |= {"locale": TRANSLATED_LANGUAGES, "no_location": True, "no_obsolete": True}
        options["ignore_patterns"] = [*options["ignore_patterns"], *IGNORED_FOLDERS]
        super().handle(*args, **options)

    def write_po_file(self, potfile: str, locale: str) -> None:
        """Write the catalogue, then add messages of packages, replace its header and sort it."""
        path = Path(potfile).parent / locale / "LC_MESSAGES" / f"{self.domain}.po"
        before = list(polib.pofile(str(path))) if path.exists() else []
        super().write_po_file(potfile, locale)
        packages = package_messages(locale)
        tidy(path, locale, [entry for entry in before if message_key(entry) in packages])


def message_key(entry: polib.POEntry | polib.MOEntry) -> tuple[str | None, str, str]:
    return entry.msgctxt, entry.msgid, entry.msgid_plural


def package_messages(language: str) -> set[tuple[str | None, str, str]]:
    """Return the messages of Django and allauth that users may see."""
    catalogues = [
        polib.pofile(str(folder / language / "LC_MESSAGES" / "django.po"))
        for folder in PACKAGE_CATALOGUES
    ]
    return {message_key(entry) for known in catalogues for entry in known if not entry.obsolete}


def tidy(path: Path, language: str, others: Iterable[polib.POEntry] = ()) -> None:
    """Add the messages `others` to a catalogue, replace its header and sort it.

    So the catalogue does not change if code is moved to another file.
    """
    catalogue = polib.pofile(str(path), wrapwidth=78)
    known = set(map(message_key, catalogue))
    catalogue.extend(entry for entry in others if message_key(entry) not in known)
    catalogue.header = ""
    catalogue.metadata_is_fuzzy = False
    catalogue.metadata = HEADER | {"Language": language}
    catalogue.sort(key=lambda entry: (entry.msgid.casefold(), entry.msgid, entry.msgctxt or ""))
    catalogue.save(str(path))
