"""The bloodless wording of a corrida: words that it must not contain, and that only words
differ.
"""

from __future__ import annotations

import csv
import html
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.test import Client

from corridas import glossary, tasks
from corridas.broadcast import source
from corridas.stage.phrasebook import BLOODLESS, book, say, ways
from corridas.stage.table import faces
from corridas.world.roster import DATA, load_deck
from live.broadcast_source import sources
from tests.corridas.broadcast.conftest import OnAir

BANNED = re.compile(
    r"blood|\bgor(e|ed|es|ing)\b|\bkill|\bdeath|\bdead\b|\bdie[sd]?\b|\bdying|\bwound|\bhurt"
    r"|\bstab|\bthrust|\bblade|\bsteel|\biron\b|\bhilt|\bbone|\bskull|\bdagger|\bbarbed|\bpierc"
    r"|\bdragged|\bsurgeon|\balive\b|\blife\b|\bspare[sd]?\b|\binjur|\bpunish|\bthe hide\b"
    r"|\bslay|\bslaughter|\bmuri|\bhiri|\bherir|\bsangr|\bmuert|\bmuer[ea]|\bmorir"
    r"|\bmata(r|n|do)?\b|\bmató|\bherid|\bcornada|\bestocada"
    r"|\bestoque|\bhundid|\bacero|\bdel hierro|\bhueso|\bnuca|\bpuñal|\bmulillas|\bcastigo"
    r"|\bcirujano|\benfermería|\bpor la vida|\bvivo\b|\bla puya\b|\barpón|\bpuntilla|\bremata al"
    r"|\barrastran\b|\bdescabello|\bbajonazo|\bgolletazo|\bpinchazo|\bmetisaca|\bduele",
    re.IGNORECASE,
)
MIMED = re.compile(r"\bmime|\bsimula|no lo es", re.IGNORECASE)
SWORD = re.compile(r"\bswords?\b|\bespadas?\b", re.IGNORECASE)
LOCALES = Path(__file__).resolve().parents[3] / "locale"
IN_ENGLISH, IN_SPANISH = "en-velvet", "es-velvet"


def unfit(text: str) -> list[str]:
    """Return the words of a text that bloodless wording must not contain."""
    found = [match.group() for match in BANNED.finditer(text)]
    sword = [] if MIMED.search(text) else [match.group() for match in SWORD.finditer(text)]
    return found + sword


def sayings() -> Iterator[tuple[str, str]]:
    """Yield every text of the bloodless wording with its key."""
    for entry, reading in {**book(), **book(BLOODLESS)}:
        for phrase in ways(entry, reading, IN_ENGLISH):
            yield f"{entry},{reading}", phrase.en
            yield f"{entry},{reading}", phrase.es
    for term in glossary.entries(IN_ENGLISH):
        yield term.term, f"{term.term}: {term.en}"
        yield term.term, f"{term.term}: {term.es}"


def test_no_text_of_the_bloodless_wording_mentions_blood() -> None:
    assert {where: words for where, text in sayings() if (words := unfit(text))} == {}
    assert sum(1 for _ in sayings()) > 1000


def test_the_list_of_banned_words_finds_the_usual_wording() -> None:
    for key in (("kill", "ESTOCADA"), ("then", "hurt"), ("scene", "end"), ("bull", "SE DUELE")):
        phrases = book()[key]
        assert any(unfit(phrase.en) for phrase in phrases), key
        assert any(unfit(phrase.es) for phrase in phrases), key


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_bloodless_translation_mentions_blood(language: str) -> None:
    path = LOCALES / f"{language}_Velvet" / "LC_MESSAGES" / "django.po"
    said = {entry.msgid: entry.msgstr for entry in polib.pofile(str(path))}
    assert {usual: words for usual, told in said.items() if (words := unfit(told))} == {}
    assert len(said) > 50


def test_every_bloodless_phrase_replaces_a_usual_phrase() -> None:
    assert set(book(BLOODLESS)) - set(book()) == set()
    single = {key for key, phrases in book(BLOODLESS).items() if len(phrases) == 1}
    assert {entry for entry, _ in single} <= {"scene", "next"}, "told once an afternoon"
    written = [phrase for phrases in book(BLOODLESS).values() for phrase in phrases]
    assert len(set(written)) == len(written)
    assert not set(written) & {phrase for phrases in book().values() for phrase in phrases}


def test_bloodless_phrases_use_only_the_placeholders_of_the_usual_phrase() -> None:
    names = re.compile(r"{(\w+)}")
    for key, phrases in book(BLOODLESS).items():
        usual = {name for one in book()[key] for name in names.findall(one.en)} | {"m", "b"}
        for phrase in phrases:
            assert set(names.findall(phrase.en)) == set(names.findall(phrase.es)), phrase.en
            assert set(names.findall(phrase.en)) <= usual, phrase.en
            for text in (phrase.en, phrase.es):
                assert text.count("[") == text.count("]")
                assert text == text.strip()


def test_terms_in_brackets_are_in_the_glossary() -> None:
    for phrases in book(BLOODLESS).values():
        for phrase in phrases:
            for term in re.findall(r"\[([^\]]+)\]", phrase.en + phrase.es):
                assert glossary.meaning(term, IN_ENGLISH), term


def test_the_bloodless_glossary_replaces_only_existing_terms() -> None:
    with (DATA / "glossary_bloodless.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    usual = {entry.term: entry.kind for entry in glossary.entries()}
    assert all(row["of"] in usual for row in rows if row["of"])
    assert all(row["term"] and row["en"] and row["es"] and row["kind"] for row in rows)
    assert {row["kind"] for row in rows} <= set(usual.values())
    terms = [glossary.plain(entry.term) for entry in glossary.entries(IN_ENGLISH)]
    assert len(set(terms)) == len(terms)


def test_no_card_name_of_the_bloodless_wording_mentions_a_wound() -> None:
    for card in load_deck(DATA).cards:
        for name in (card.first.name, card.second.name, card.third.name, card.bull.name):
            assert not unfit(glossary.called(name, IN_ENGLISH))
        assert not unfit(glossary.called(card.kill.name, IN_ENGLISH))
        assert glossary.called(card.kill.name, "en") == card.kill.name


def test_a_card_entry_without_a_bloodless_phrase_uses_the_usual_phrase() -> None:
    names: dict[str, object] = {"m": "M", "b": "B"}
    assert ways("1s", "VERÓNICA+", IN_ENGLISH) == book()["1s", "VERÓNICA"]
    assert "velcro" in say("2s", "CLAVAR-", 1, IN_SPANISH, names)
    own = {say("kill", "ESTOCADA DE SALÓN", turn, IN_ENGLISH, names) for turn in range(4)}
    assert len(own) == 2, "of a deck of somebody's own"
    assert not any("salón" in told for told in own)
    with pytest.raises(KeyError):
        ways("4s", "VERÓNICA", IN_ENGLISH)


def moments(on_air: OnAir) -> list[int]:
    """Return some moments of every phase: the parade, two lidias and their ends, and the last
    moment.
    """
    line = on_air.showing.timeline
    last = [line.moment((turn, line.cards_per_lidia[turn - 1])) for turn in (1, 6)]
    return [0, 1, 9, *(end - back for end in last for back in (16, 9, 2, 0)), len(line) - 1]


def read(fragment: str) -> str:
    """Return the visible and spoken text of a fragment, without the notation of record files."""
    told = re.sub(r'<code id="line".*?</code>', "", fragment)
    said = re.findall(r'(?:aria-label|data-gloss|title)="([^"]*)"', told)
    return html.unescape(" ".join([*said, re.sub(r"<[^>]+>", " ", told)]))


def test_fragments_of_both_wordings_have_the_same_figures_and_links(on_air: OnAir) -> None:
    figures = re.compile(r'data-moment="\d+"|<b class="pen[^<]*|<b class="co-pts[^<]*|href="[^"]*"')
    for moment in moments(on_air):
        usual = source.draw(on_air.showing, moment, "en")
        told = source.draw(on_air.showing, moment, IN_ENGLISH)
        assert unfit(read(told)) == [], moment
        assert "†" not in told
        assert figures.findall(told) == figures.findall(usual)
        assert not re.search(r"<script|<style| style=| on\w+=", told)


def test_each_wording_has_its_own_feed_channels(on_air: OnAir) -> None:
    key, number = str(on_air.corrida.pk), moments(on_air)[5] + 1
    told = {kind: sources.load(kind, key) for kind in map(source.kind, source.LANGUAGES)}
    assert set(told) == {
        *("corrida-en", "corrida-es"),
        *("corrida-en-bloodless", "corrida-es-bloodless"),
    }
    assert len({one.render(number) for one in told.values() if one}) == 4
    assert set(tasks.CHANNELS) == set(told), "feeds in all four languages are woken"


@pytest.mark.slow
def test_the_page_follows_the_wording_cookie(client: Client, on_air: OnAir) -> None:
    on_air.at(40)
    path = f"/corridas/{on_air.corrida.pk}/1/20/"
    usual = client.get(path, headers={"HX-Request": "true"})
    client.cookies["wording"] = "bloodless"
    told = client.get(path, headers={"HX-Request": "true", "If-None-Match": usual["ETag"]})
    assert (told.status_code, told["ETag"] == usual["ETag"]) == (200, False)
    assert "Cookie" in told["Vary"]
    assert told.content.decode() == source.draw(on_air.showing, 21, IN_ENGLISH)
    page = client.get(f"/corridas/{on_air.corrida.pk}/").content.decode()
    assert f'data-feed="/live/corrida-en-bloodless/{on_air.corrida.pk}/"' in page
    assert "the matador has to leave the ring" in page
    assert "FLOWER</text>" in page
    assert "flor entera" in client.get("/glosario/").content.decode()
    client.cookies["wording"] = "anything"
    assert "THE KILL" in client.get(f"/corridas/{on_air.corrida.pk}/").content.decode()


def test_cards_show_the_names_of_the_wording(on_air: OnAir) -> None:
    scene = on_air.scene(moments(on_air)[5])
    usual, told = (
        faces(scene.showing.deck, scene.beats[-1], language) for language in ("en", IN_ENGLISH)
    )
    assert {line.label for face in usual for line in face.lines} >= {"KILL"}
    assert {line.label for face in told for line in face.lines} >= {"FLOR"}
    assert [face.number for face in usual] == [face.number for face in told]
