"""The translation catalogues are complete, valid and up to date with the sources."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import polib
import pytest

from config.management.commands.extract import message_key as _key
from config.management.commands.extract import package_messages, tidy
from config.translations import compile_catalogues

ROOT = Path(__file__).resolve().parents[2]
CATALOGUE = ROOT / "locale" / "es" / "LC_MESSAGES" / "django.po"
# Catalogue that rephrases messages of third-party packages in plainer English.
ENGLISH = ROOT / "locale" / "en" / "LC_MESSAGES" / "django.po"
# Catalogues of the "bloodless" language variants, with texts that mention no blood.
VARIANTS = [
    ROOT / "locale" / name / "LC_MESSAGES" / "django.po" for name in ("en_Velvet", "es_Velvet")
]
SOURCES = (
    *("accounts", "actas", "api", "config", "core", "corridas", "dominoes", "eltoro", "events"),
    *("empresas", "leagues", "lessons", "live", "search", "server", "templates"),
)
PLACE = re.compile(r"%\((\w+)\)[sd]|%[sd]")


@pytest.fixture
def catalogue() -> polib.POFile:
    """The messages and their Spanish translations."""
    return polib.pofile(str(CATALOGUE))


def texts(entry: polib.POEntry) -> list[str]:
    """Return the English texts of a message: singular and plural."""
    return [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]


def spoken_as(entry: polib.POEntry) -> list[str]:
    """Return the Spanish texts of a message: singular and plural."""
    plural = entry.msgstr_plural
    return [plural[0], plural[1]] if plural else [entry.msgstr]


@pytest.mark.slow
def test_catalogue_is_complete(catalogue: polib.POFile) -> None:
    assert not [entry.msgid for entry in catalogue if entry.fuzzy or not entry.translated()]
    assert not catalogue.obsolete_entries()
    assert catalogue.metadata["Plural-Forms"] == "nplurals=2; plural=(n != 1);"
    assert not [name for name in catalogue.metadata if "Date" in name]


def _translations(entry: polib.POEntry | polib.MOEntry) -> list[str]:
    return [*entry.msgstr_plural.values()] or [entry.msgstr]


def _message_ids(entry: polib.POEntry) -> list[str]:
    return [entry.msgid, entry.msgid_plural] if entry.msgid_plural else [entry.msgid]


def test_language_variants_differ_from_their_language(catalogue: polib.POFile) -> None:
    in_spanish = {_key(entry): _translations(entry) for entry in catalogue}
    as_asked = {_key(entry): _message_ids(entry) for entry in catalogue}
    for path in VARIANTS:
        usual = as_asked if path == VARIANTS[0] else in_spanish
        variant = polib.pofile(str(path))
        assert not [entry.msgid for entry in variant if entry.fuzzy or not entry.translated()]
        assert not variant.obsolete_entries()
        assert {_key(entry) for entry in variant} - set(in_spanish) == set(), "said no more"
        assert not [entry.msgid for entry in variant if _translations(entry) == usual[_key(entry)]]
    in_english, in_variant = (
        {_key(entry) for entry in polib.pofile(str(path))} for path in VARIANTS
    )
    assert in_variant <= in_english


def test_english_catalogue_contains_messages_of_packages_only(catalogue: polib.POFile) -> None:
    english = polib.pofile(str(ENGLISH))
    assert english
    assert not [entry.msgid for entry in english if entry.fuzzy or not entry.translated()]
    assert _keys(english) <= package_messages("es"), "ours are reworded in the sources"
    assert not [entry.msgid for entry in english if entry.msgstr == entry.msgid]


@pytest.mark.slow
@pytest.mark.parametrize("path", [CATALOGUE, ENGLISH, *VARIANTS], ids=str)
def test_placeholders_of_translations_agree(path: Path) -> None:
    for entry in polib.pofile(str(path)):
        wanted = [sorted(PLACE.findall(text)) for text in texts(entry)]
        for given in spoken_as(entry):
            assert sorted(PLACE.findall(given)) in wanted, entry.msgid


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("xgettext") is None, reason="GNU gettext is not installed")
def test_catalogue_contains_the_messages_of_the_sources(
    tmp_path: Path, catalogue: polib.POFile
) -> None:
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / "locale").mkdir()
    command = [sys.executable, "-m", "django", "makemessages", "--locale=es", "--no-location"]
    apart = {key: value for key, value in os.environ.items() if key != "DJANGO_SETTINGS_MODULE"}
    subprocess.run(command, cwd=tmp_path, env=apart, check=True, capture_output=True)
    extracted = polib.pofile(str(tmp_path / "locale" / "es" / "LC_MESSAGES" / "django.po"))
    ours, hint = _keys(extracted), "run: python manage.py extract, then translate"
    assert ours <= _keys(catalogue), hint
    assert _keys(catalogue) - ours <= package_messages("es"), hint


def _keys(catalogue: polib.POFile | polib.MOFile) -> set[tuple[str | None, str, str]]:
    return {_key(entry) for entry in catalogue}


@pytest.mark.slow
@pytest.mark.parametrize("path", [CATALOGUE, ENGLISH, *VARIANTS], ids=str)
def test_catalogues_are_in_their_canonical_format(tmp_path: Path, path: Path) -> None:
    copy = tmp_path / path.name
    shutil.copy(path, copy)
    tidy(copy, path.parents[1].name)
    assert copy.read_bytes() == path.read_bytes()


@pytest.mark.slow
def test_compiled_catalogue_is_not_compiled_again(tmp_path: Path) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    shutil.copy(CATALOGUE, folder)
    assert compile_catalogues(tmp_path) == [folder / "django.mo"]
    assert compile_catalogues(tmp_path) == []
    compiled = polib.mofile(str(folder / "django.mo"))
    assert {entry.msgid for entry in compiled} == {
        entry.msgid for entry in polib.pofile(str(CATALOGUE))
    }


@pytest.mark.slow
def test_language_variant_is_compiled_with_its_languages_messages(tmp_path: Path) -> None:
    for path in (CATALOGUE, VARIANTS[1]):
        folder = tmp_path / path.parents[1].name / "LC_MESSAGES"
        folder.mkdir(parents=True)
        shutil.copy(path, folder)
    compiled = [path.with_suffix(".mo") for path in sorted(tmp_path.glob("*/*/*.po"))]
    assert compile_catalogues(tmp_path) == compiled
    usual, variant = (polib.mofile(str(path)) for path in compiled)
    assert _keys(variant) == _keys(usual)
    in_usual = {_key(entry): _translations(entry) for entry in usual}
    differing = {_key(entry) for entry in variant if _translations(entry) != in_usual[_key(entry)]}
    assert differing == _keys(polib.pofile(str(VARIANTS[1])))
    later = compiled[1].stat().st_mtime + 60
    os.utime(tmp_path / "es" / "LC_MESSAGES" / "django.po", (later, later))
    assert compile_catalogues(tmp_path) == compiled
