"""Names: one way to clean, compare, sort and search them."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.names.text import (
    clean,
    clean_lines,
    comparison_key,
    fold_case_and_accents,
    search_text,
    shorten,
    sort_key,
)

FAMILY = "👨‍👩‍👧"
BLACK_FLAG = "🏴"
ENGLAND = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("Ana", "Ana"),
        ("  Ana \t María\n", "Ana María"),
        ("Ana\u00a0\u2003María", "Ana María"),
        ("Ana\nBruno", "Ana Bruno"),
        ("A\u0301lvaro", "Álvaro"),
        ("A\u200b\u0301lvaro", "Álvaro"),
        ("Ana\u200b", "Ana"),
        ("\ufeffAna\u2060", "Ana"),
        ("A\u00adna", "Ana"),
        ("\u202eanA\u202c", "anA"),
        ("\u2067Ana\u2069", "Ana"),
        ("Ana\u3164", "Ana"),
        ("Ana\u2800", "Ana"),
        ("Ana\u034f", "Ana"),
        ("An\ufe0fa", "Ana"),
        ("Ana\ue000", "Ana"),
        ("Ana\ufffe\U0010ffff", "Ana"),
        ("Ana\x00\x07", "Ana"),
        ("A\u200dna", "Ana"),
        ("\u0301Ana", "Ana"),
        ("Ana \u0301", "Ana"),
        ("\u200b \u202e\u2800", ""),
        (FAMILY, FAMILY),
        (f"Ana{FAMILY}", f"Ana{FAMILY}"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥"),
        ("1\ufe0f\u20e3", "1\ufe0f\u20e3"),
        ("👩🏽‍🚀", "👩🏽‍🚀"),
        (ENGLAND, ENGLAND),
        ("a\U000e0067", "a"),
        ("👩‍", "👩"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("می\u200c", "می"),
        ("क्\u200dष", "क्\u200dष"),
        ("නවෝද්\u200dයා", "නවෝද්\u200dයා"),
        ("Ａｎａ", "Ａｎａ"),
    ],
)
def test_clean_removes_invisible_characters_from_names(typed: str, stored: str) -> None:
    assert clean(typed) == stored


@pytest.mark.parametrize(
    ("part", "stored"),
    [("\u064e\u200d", ""), ("❤\u200d", "❤\u200d" * 4999 + "❤"), ("م\u200d\u180b", "م" * 5000)],
)
@pytest.mark.timeout(10)
def test_clean_is_fast_for_long_sequences_of_joiners(part: str, stored: str) -> None:
    assert clean(part * 5000) == stored


@pytest.mark.timeout(10)
def test_clean_is_fast_for_a_flag_with_many_tags() -> None:
    flag = BLACK_FLAG + "\U000e0067" * 100_000
    assert clean(flag) == flag


@pytest.mark.parametrize(
    ("text", "most", "cut"),
    [
        ("Ana", 3, "Ana"),
        ("Ana María", 4, "Ana"),
        ("Ana María", 5, "Ana M"),
        ("Ana\u200b", 3, "Ana"),
        ("A\u0301lvaro", 2, "Ál"),
        (f"Ana {FAMILY}", 8, "Ana"),
        (f"Ana {FAMILY}", 9, f"Ana {FAMILY}"),
        ("Ana 👩🏽‍🚀", 5, "Ana"),
        ("Ana ❤\ufe0f", 5, "Ana"),
        (f"Ana {ENGLAND}", 8, "Ana"),
        ("🇪🇸🇵🇹", 3, "🇪🇸"),
        ("🇪🇸🇵🇹", 2, "🇪🇸"),
        ("Ana क्\u200dष", 7, "Ana"),
        ("x\u0302\u0302\u0302", 2, "x\u0302"),
        ("", 3, ""),
    ],
)
def test_shorten_does_not_cut_within_an_emoji(text: str, most: int, cut: str) -> None:
    assert shorten(text, most) == cut


def test_clean_lines_preserves_line_breaks() -> None:
    assert clean_lines("\n Uno\u200b \r\n\r\n dos  tres\n\n") == "Uno\n\ndos tres"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("peñista", "PEÑISTA"),
        ("Ólga", "ólga"),
        ("Ólga", "o\u0301LGA"),
        ("Straße", "STRASSE"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
        ("Ana", " ana\u200b "),
        ("می\u200cخواهم", "میخواهم"),
        (FAMILY, FAMILY.replace("\u200d", "")),
        ("❤\ufe0f", "❤"),
        ("\u1fb7", "\u03b1\u0342\u03b9"),
    ],
)
def test_names_that_differ_in_case_or_unicode_form_are_equal(one: str, other: str) -> None:
    assert comparison_key(one) == comparison_key(other)
    assert sort_key(one) == sort_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Peña", "Pena"), ("José", "Jose"), ("Pepe-Hillo", "Pepe Hillo"), ("Ａｎａ", "Ana")],
)
def test_names_that_differ_in_accents_or_hyphens_are_different(one: str, other: str) -> None:
    assert comparison_key(one) != comparison_key(other)
    assert sort_key(one) != sort_key(other)


@pytest.mark.parametrize(
    "ordered",
    [
        ["Álvaro", "Nuria", "Ñaco", "Oscar", "Óscar B", "Zoe"],
        ["César", "Chicuelo"],
        ["Dámaso", "Diego"],
        ["Béjar", "Burgos"],
        ["Málaga", "Murcia"],
        ["Céret", "Ciudad de México"],
        ["Nuñez", "Ñ", "ñandú", "Ñuño", "Oliva"],
        ["canto", "cantor", "caña", "cañizares", "cao"],
        ["De la Cruz", "Dela"],
        ["D’Ors", "Dalí"],
        ["pena", "peña", "pera"],
        ["12", "Ana"],
        ["Łódź", "Lope", "Maçon", "Ødegaard", "Œuvre", "Olmo", "Zoë"],
    ],
)
def test_names_are_sorted_in_spanish_order(ordered: list[str]) -> None:
    shuffled = ordered[1::2] + ordered[::2]
    assert sorted(shuffled, key=sort_key) == ordered


def test_sort_key_of_the_longest_name_fits_into_an_index() -> None:
    # This single character is folded to eighteen letters.
    assert len(sort_key("\ufdfa" * 60).encode()) < 2000


def test_search_text_contains_every_folded_word_once() -> None:
    text = search_text("Joaquín Núñez", "Pepe-Hillo", "joaquin-nunez")
    assert text == " joaquin nunez pepe hillo"


@pytest.mark.parametrize(("text", "words"), [("ℌeraldo", "heraldo"), ("ϒ", "υ"), ("𝓐na", "ana")])
def test_styled_capital_letters_are_folded_to_lowercase(text: str, words: str) -> None:
    assert fold_case_and_accents(text) == words


@pytest.mark.slow
def test_folding_a_character_twice_changes_nothing() -> None:
    signs = (chr(number) for number in range(0x30000) if not 0xD800 <= number < 0xE000)
    assert [
        sign
        for sign in signs
        if fold_case_and_accents(fold_case_and_accents(sign)) != fold_case_and_accents(sign)
    ] == []


@pytest.mark.slow
@given(st.text(max_size=60))
def test_cleaning_a_name_twice_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned == cleaned.strip()
    assert comparison_key(cleaned) == comparison_key(text)
    assert comparison_key(comparison_key(text)) == comparison_key(text)
    assert sort_key(cleaned) == sort_key(text)
    assert "\x00" not in sort_key(text)


# Letters, marks, joiners and emoji that often interact when they are combined.
SIGNS = (
    "a ❤🔥🏴👩🏽1مक्ᄀα\u0301\u200d\u200c\ufe0f\u20e3"
    "\u2800\u180b\u064e\u034f\u115f\u0345\U000e0067\U000e007f"
)


@given(st.text(st.sampled_from(SIGNS), max_size=12))
def test_cleaning_a_shortened_text_changes_nothing(text: str) -> None:
    cleaned = clean(text)
    assert clean(cleaned) == cleaned
    assert comparison_key(cleaned) == comparison_key(text)
    for most in range(1, len(cleaned) + 1):
        cut = shorten(cleaned, most)
        assert cleaned.startswith(cut)
        assert len(cut) <= most
        assert clean(cut) == cut


@given(st.text(max_size=30), st.text(max_size=30))
def test_sort_keys_are_equal_exactly_for_equal_names(one: str, other: str) -> None:
    same = comparison_key(one) == comparison_key(other)
    assert (sort_key(one) == sort_key(other)) is same
    if same:
        assert search_text(one) == search_text(other)
        assert fold_case_and_accents(clean(one)) == fold_case_and_accents(clean(other))
