"""The text of every page: no raw values, and numbers, plurals and dates in the page's language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any, NamedTuple

import polib
import pytest
from django.core.cache import cache
from django.core.management import get_commands
from django.db import transaction
from django.utils import timezone, translation
from pytest_django.plugin import DjangoDbBlocker

from corridas.engine.rules import CHOICES
from corridas.models import Corrida, Escalafon, Injury, Matador
from events.numbering import publish
from leagues.text import join_with_and, join_with_or, number_duplicates
from tests.locale.test_words import CATALOGUE, spoken_as, texts
from tests.security.endpoints import address, endpoints
from tests.security.scene import Scene, set_up
from tests.security.test_escaping import body, meant

INLINE = "a|abbr|b|bdi|dfn|em|i|mark|small|span|strong|sub|sup|time"
SILENT = re.compile(r"<(script|style|code|pre|kbd|textarea)\b.*?</\1>", re.DOTALL)
SAID = re.compile(r'\b(?:alt|aria-label|data-gloss|placeholder|title)="([^"]*)"')
TAG = re.compile(rf"</?(?:{INLINE})\b[^>]*>|(<[^>]*>)")


def text_of(page: str, joint: str = "") -> str:
    """Return the text of a page, one block a line, including texts for screen readers.

    `joint` marks the borders of tags within a line, so that two adjacent numbers are not read as
    one.
    """
    spoken = SILENT.sub("\n", page)
    shown = TAG.sub(lambda tag: "\n" if tag[1] else joint, spoken)
    lines = (" ".join(line.split()) for line in [*shown.split("\n"), *SAID.findall(spoken)])
    return unescape("\n".join(line for line in lines if line))


MONTHS = {
    "en": "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec",
    "es": "Ene|Abr|Ago|Dic",
}
RAW = re.compile(r"(?<![\w/.{])[a-z]+(?:_[a-z]+)+(?![\w/=])")
# Commands and options in the rules, which users must type and which are not translated.
KNOWN = {*get_commands(), *CHOICES, *(value for values in CHOICES.values() for value in values)}


class Language(NamedTuple):
    """Patterns that must not occur on pages in a language, by fault."""

    code: str
    faults: dict[str, re.Pattern[str]]


def languages() -> list[Language]:
    one, many = counted_words()
    return [
        Language(
            code,
            {
                "plural": re.compile(
                    rf"(?<![\w.,:/−-])(?:1 (?:{'|'.join(sorted(many[code]))})"
                    rf"|(?!(?:19|20)\d\d )(?:0|[2-9]|[1-9]\d+)"  # a year is not a count
                    rf" (?:{'|'.join(sorted(one[code]))}))(?![\w-]| \d)"
                ),
                "number": re.compile(rf"(?<![\w.,/-])\d+{wrong}\d\d?(?![\w.,/-]|[.,]\d)"),
                "date": re.compile(rf"\d (?:{months})[a-z]*\b"),
                "join": re.compile(r"\b(?:y h?[ií](?![aeo])|o h?[oó])\w+", re.IGNORECASE),
            },
        )
        for code, wrong, months in (
            ("en", ",", MONTHS["es"]),
            ("es", r"\.", f"{MONTHS['en']}|{MONTHS['es']}"),
        )
    ]


NOUN = re.compile(r"%(?:\(\w+\))?[sd](?:</b>)? (\w{3,})")


def counted_words() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Return words after a count whose singular and plural differ, by language, from the
    catalogue.
    """
    one: dict[str, set[str]] = {"en": set(), "es": set()}
    many: dict[str, set[str]] = {"en": set(), "es": set()}
    for entry in polib.pofile(str(CATALOGUE)):
        if entry.msgid_plural:
            for code, forms in (("en", texts(entry)), ("es", spoken_as(entry))):
                single, several = (NOUN.findall(form)[:1] for form in forms)
                if (
                    single
                    and several
                    and single != ["play"]
                    and several[0] in {f"{single[0]}s", f"{single[0]}es"}
                ):
                    one[code] |= set(single)
                    many[code] |= set(several)
    return one, many


def faults(page: str, language: Language) -> list[str]:
    """Return the faults of a text, each with the text around it."""
    text, apart = text_of(page), text_of(page, "|")
    found = [("raw", match) for match in RAW.finditer(text) if match[0] not in KNOWN]
    for fault, pattern in language.faults.items():
        found += [
            (fault, match) for match in pattern.finditer(apart if fault == "number" else text)
        ]
    return [
        f"{fault}: {match.string[max(0, match.start() - 40) : match.end() + 40]!r}"
        for fault, match in found
    ]


@pytest.fixture(scope="module")
def scene(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    """Objects of every kind, with an injury, names that begin with an i, and counts of one."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = set_up()
        for world in (found.open, found.closed):
            Matador.objects.filter(circuit=world.circuit).update(apodo="Ignacio")
            posted = Corrida.objects.filter(season=world.season, state="posted").earliest("date")
            world.hurt_and_spare(posted)
            Injury.objects.filter(corrida=posted).update(grade="menos_grave")
            Escalafon.objects.filter(season=world.season).update(corridas=1, ears=1, bulls=3)
        publish(at=timezone.now())
        cache.clear()
        yield found
        transaction.set_rollback(True)


PAGES = [one for one in endpoints() if meant(one) and not one.route.startswith("api/")]


@pytest.mark.slow
@pytest.mark.parametrize("language", languages(), ids=lambda one: one.code)
def test_every_page_has_correct_texts(db: None, scene: Scene, language: Language) -> None:
    cache.clear()
    found: dict[str, list[str]] = {}
    client = scene.clients["admin"]
    for endpoint in PAGES:
        way = address(endpoint, scene)
        answer: Any = client.get(way, headers={"accept-language": language.code})
        html = "html" in answer.headers.get("Content-Type", "")
        if html and (wrong := faults(body(answer), language)):
            found[way] = wrong
    assert not found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "code", "fault"),
    [
        ("<p>, menos_grave</p>", "en", "raw"),
        ("<p><b>1</b> corridas", "en", "plural"),
        ("<p>1 corrida", "en", ""),
        ("<p>0 ear", "en", "plural"),
        ("<p>11 bull", "en", "plural"),
        ("<p>2 orejas, 1 oreja", "es", ""),
        ("<p>1 orejas", "es", "plural"),
        ("<p>4.92", "es", "number"),
        ("<p>4,92", "es", ""),
        ("<p>4,92", "en", "number"),
        ("<p>12.500 localidades", "es", ""),
        ("<p>22 Nov 2026", "es", "date"),
        ("<p>22 nov 2026", "es", ""),
        ("<p>Litri y Ignacio", "es", "join"),
        ("<p>sol y hielo", "es", ""),
        ('<img alt="1 toros">', "es", "plural"),
        ("<p>verify_season, <code>menos_grave</code>", "es", ""),
    ],
)
def test_text_check_finds_each_kind_of_fault(text: str, code: str, fault: str) -> None:
    language = next(one for one in languages() if one.code == code)
    assert [line.partition(":")[0] for line in faults(text, language)] == ([fault] if fault else [])


@pytest.mark.parametrize(
    ("names", "english", "both", "either"),
    [
        (["Litri"], "Litri", "Litri", "Litri"),
        (["Litri", "Ignacio"], "Litri and Ignacio", "Litri e Ignacio", "Litri o Ignacio"),
        (["A", "B", "Hilario"], "A, B and Hilario", "A, B e Hilario", "A, B o Hilario"),
        (["agua", "hielo"], "agua and hielo", "agua y hielo", "agua o hielo"),
        ([6, 8], "6 and 8", "6 y 8", "6 u 8"),
        (["Ana", "Óscar"], "Ana and Óscar", "Ana y Óscar", "Ana u Óscar"),
    ],
)
def test_names_are_joined_with_the_correct_conjunction(
    names: list[object], english: str, both: str, either: str
) -> None:
    with translation.override("en"):
        assert join_with_and(names) == english
    with translation.override("es"):
        assert (join_with_and(names), join_with_or(names)) == (both, either)


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["Lookout"], ["Lookout"]),
        (["", "Lookout", "", "Lookout"], ["", "Lookout 1", "", "Lookout 2"]),
        (["Greedy", "Lookout"], ["Greedy", "Lookout"]),
    ],
)
def test_bots_of_the_same_name_are_numbered(names: list[str], told: list[str]) -> None:
    assert number_duplicates(names) == told
