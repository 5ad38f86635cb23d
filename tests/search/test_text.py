"""Splitting queries into words, and marking matches in names."""

from __future__ import annotations

import unicodedata

import pytest
from django.utils.html import escape
from hypothesis import given
from hypothesis import strategies as st

from core.names.text import words_of
from search.text import MAX_LENGTH, MAX_WORDS, SMALL_WORDS, mark_words, matches, read_question

QUESTIONS = {
    "Sevilla": ("sevilla",),
    "  josé   MARÍA ": ("jose", "maria"),
    "14 de mayo": ("14", "mayo"),
    "May 14th": ("may", "14"),
    "Sevilla 1924": ("sevilla", "1924"),
    "14/5/2026": ("14", "mayo", "2026"),
    "2026-05-14": ("14", "mayo", "2026"),
    "14/13": ("14", "13"),
    "14/0": ("14", "0"),
    "05/01/2026": ("5", "enero", "2026"),
    "31.12": ("31", "diciembre"),
    "2026-13-05": ("2026", "13", "mayo"),
    " " * MAX_LENGTH + "mon": ("mon",),
    "a b c d e f g h i": ("a", "b", "c", "d", "e", "f", "g", "h"),
    "la": ("la",),
    "the": ("the",),
    "mon mon": ("mon",),
    "ñ": ("n",),
    "": (),
    '"*"': (),
    'NEAR("mon" "te", 2)': ("near", "mon", "te", "2"),
    "words:mon": ("words", "mon"),
    "-mon": ("mon",),
    "' OR 1=1 --": ("or", "1"),
    "mon\0te": ("mon", "te"),
}


@pytest.mark.parametrize(("text", "words"), QUESTIONS.items())
def test_query_is_split_into_words(text: str, words: tuple[str, ...]) -> None:
    assert read_question(text).words == words


@pytest.mark.parametrize(
    ("text", "cut", "signs"),
    [
        ("Sevilla", False, False),
        ("mano-a-mano", False, False),
        ("a" * MAX_LENGTH, False, False),
        ("a" * 10_000, True, False),
        ("a b c d e f g h", False, False),
        ("a b c d e f g h i", True, False),
        ("el a de b y c d e f g h", False, False),
        (f" {'a' * MAX_LENGTH} ", False, False),
        ("a" * (MAX_LENGTH + 1), True, False),
        ('"Sevilla"', False, True),
        ("sev*", False, True),
        ("NEAR(a b)", False, True),
        ("sevilla -madrid", False, True),
    ],
)
def test_long_query_is_cut_and_signs_are_ignored(text: str, cut: bool, signs: bool) -> None:
    question = read_question(text)
    assert (question.cut, question.signs) == (cut, signs)
    assert len(question.text) <= MAX_LENGTH
    assert len(question.words) <= MAX_WORDS


@given(st.text(max_size=60))
def test_any_text_can_be_searched(text: str) -> None:
    question = read_question(text)
    assert all(word.isalnum() for word in question.words)
    shown = mark_words(text, question.words)
    assert shown.count("<mark>") == shown.count("</mark>")


@given(st.text("aAñ<>&'\" ", max_size=12), st.lists(st.sampled_from(["a", "an", "aa", "n"])))
def test_marked_text_is_escaped(text: str, words: list[str]) -> None:
    """This must hold before, between and after the matches."""
    marked = mark_words(text, words)
    plain = marked.replace("<mark>", "").replace("</mark>", "")
    assert plain == escape(unicodedata.normalize("NFC", text))


@pytest.mark.parametrize(
    ("text", "words", "marked"),
    [
        ("Francisco Montes", ("mon",), "Francisco <mark>Mon</mark>tes"),
        ("Limonero", ("mon",), "Limonero"),
        ("José", ("jose",), "<mark>José</mark>"),
        ("Jose\u0301", ("jose",), "<mark>José</mark>"),
        ("Straße", ("strass",), "<mark>Straß</mark>e"),
        ("Montes", ("mo", "mont", "m"), "<mark>Mont</mark>es"),
        ("<b>Mon</b>", ("mon",), "&lt;b&gt;<mark>Mon</mark>&lt;/b&gt;"),
        ("1 May, 14 May", ("1",), "<mark>1</mark> May, 14 May"),
        ("Sevilla, 14 de mayo", ("14", "may"), "Sevilla, <mark>14</mark> de <mark>may</mark>o"),
    ],
)
def test_beginnings_of_words_are_marked(text: str, words: tuple[str, ...], marked: str) -> None:
    assert mark_words(text, words) == marked


def test_every_word_of_a_query_must_begin_a_word_of_the_name() -> None:
    held = words_of("Las Ventas, Madrid")
    assert matches(held, ["ven", "mad"])
    assert not matches(held, ["ven", "sev"])
    assert not matches(held, ["entas"])


def test_short_beginnings_of_words_match() -> None:
    """Only numbers of one or two digits must match a whole word."""
    assert [word for word in ("m", "mo", "mon", "ons") if matches(["montes"], [word])] == [
        "m", "mo", "mon",
    ]  # fmt: skip


@pytest.mark.parametrize("word", sorted(SMALL_WORDS))
def test_small_words_are_ignored_beside_others(word: str) -> None:
    assert read_question(f"mon {word} tes").words == ("mon", "tes")
    assert read_question(word).words == (word,)


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("1", {"1"}),
        ("14", {"14"}),
        ("01", set()),
        ("140", {"140", "1400"}),
        ("1400", {"1400"}),
    ],
)
def test_number_of_one_or_two_digits_matches_only_itself(asked: str, found: set[str]) -> None:
    """Such a number is a day. A longer number may be the beginning of a year."""
    numbers = ("1", "14", "140", "1400", "2014")
    assert {number for number in numbers if matches(["sevilla", number], ["sev", asked])} == found
    marked = {number for number in numbers if "<mark>" in mark_words(f"Sevilla {number}", [asked])}
    assert marked == found
