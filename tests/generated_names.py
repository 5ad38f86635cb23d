"""Generated names in all scripts, including characters that break programs.

The same label gives the same names. `generated_names(len(KINDS))` contains a name of each kind.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence
from typing import Final

from fairness import Chance

Make = Callable[[Chance], str]
FAMILY: Final = "👨\u200d👩\u200d👧"
ENGLAND: Final = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
WORDS: Final = {
    "latin": ("Ana", "Curro", "Belmonte", "de la", "O’Neill", "Pepe-Hillo", "y", "van", "Mc Gee"),
    "accents": ("Íñigo", "Núñez", "Peña", "Ñ", "Güell", "Čapek", "Nguyễn", "Łódź", "Ström"),
    "folding": ("Straße", "İpek", "ışık", "Iris", "ﬁesta", "ﬄ", "ǅ", "ŉ", "ẞ", "ſol"),
    "greek": ("ΣΊΣΥΦΟΣ", "σίσυφος", "Ὀδυσσεύς", "ᾳ", "Άρης", "ΐ"),
    "cyrillic": ("Ольга", "Їжак", "Йод", "ЁЛКА", "Љубав"),
    "hebrew": ("שָׁלוֹם", "דוד", "\u200fמשה\u200e"),
    "arabic": ("می\u200cخواهم", "محمد", "ﷺ", "أحمد", "\u061cعلي"),
    "indic": ("क्\u200dष", "නවෝද්\u200dයා", "ரவி", "ลัดดา", "မောင်"),
    "east": ("山田", "太郎", "ひらがな", "カタカナ", "ｶﾀ", "김", "\u1112\u1161\u11ab", "𠮷野"),
    "wide": ("Ａｎａ", "１２", "ℌ", "𝓐na", "①", "x²"),
    "emoji": (FAMILY, ENGLAND, "👩🏽\u200d🚀", "🇪🇸", "1\ufe0f\u20e3", "❤\ufe0f\u200d🔥", "❤"),
    "figures": ("12", "0", "1e5", "-7", "٣"),
}
INVISIBLE: Final = "\u200b\u2060\ufeff\u00ad\u034f\u2800\u3164\u115f\u200d\u200c\ufe0f\u180e"
DIRECTIONS: Final = "\u200e\u200f\u202a\u202b\u202d\u202e\u202c\u2066\u2067\u2068\u2069"
SPACES: Final = " \u00a0\u2003\u2009\u3000\u202f\u1680\u2028\u2029\t\n\r\x0b\x0c\x85"
CONTROLS: Final = "\x00\x01\x07\x08\x1b\x1f\x7f\x9f"
MARKS: Final = "\u0301\u0303\u0308\u0327\u0345\u20dd\u0e38\u064b\u3099"
UNASSIGNED: Final = "\ue000\uf8ff\U00100000\ufffe\uffff\U0001ffff\ufdd0\u0378\U000e0001"
HALVES: Final = "\ud800\udbff\udc00\udfff"
# Texts with a meaning in spreadsheets, HTML, format strings, SQL, URLs and CSV.
MEANINGS: Final = (
    *("=1+1", "+1", "-1+1", "@SUM(A1)", "<b>Ana</b>", "<script>alert(1)</script>", "&amp;"),
    *("%s", "%(name)s", "%", "{}", "{name}", "{{ name }}", "{% now %}", "_", "__", "*", "?"),
    *("\\", "\\n", "\\u0000", "';--", '"', "'", '"Ana"', "Ana, Eva", "Ana; Eva", "a/b", "../a"),
    *("null", "None", "true", "NaN", "AND", "NEAR", "$1", "#", "-", "--", "°", "…", "—", "new"),
)


def word(chance: Chance) -> str:
    return chance.pick(WORDS[chance.pick(list(WORDS))])


def several(chance: Chance, items: Sequence[str], most: int) -> list[str]:
    return [chance.pick(items) for _item in range(1 + chance.below(most))]


def words_of_one_script(script: str) -> Make:
    def make(chance: Chance) -> str:
        return " ".join(several(chance, WORDS[script], 4))

    return make


def with_any_of(signs: str) -> Make:
    """Return a maker of names of several words that contain some of these signs."""

    def make(chance: Chance) -> str:
        text = list(f"{word(chance)} {word(chance)}")
        for sign in several(chance, signs, 4):
            text.insert(chance.below(len(text) + 1), sign)
        return "".join(text)

    return make


def nothing_but(signs: str) -> Make:
    def make(chance: Chance) -> str:
        return "".join(several(chance, signs, 8))

    return make


def decomposed(chance: Chance) -> str:
    return unicodedata.normalize("NFD", f"{word(chance)} {chance.pick(WORDS['accents'])}")


def with_meaning(chance: Chance) -> str:
    return chance.pick(MEANINGS)


def with_meaning_within(chance: Chance) -> str:
    return f"{chance.pick(MEANINGS)}{word(chance)} {chance.pick(MEANINGS)}"


def of_length(length: int) -> Make:
    def make(chance: Chance) -> str:
        text = word(chance)
        while len(text) < length:
            text += chance.pick(("", " ")) + word(chance)
        # The name is composed (NFC) before it is cut, so that cleaning does not shorten it further.
        return unicodedata.normalize("NFC", text)[:length]

    return make


def any_characters(chance: Chance) -> str:
    planes = (0x250, 0x3000, 0x10000, 0x110000)
    return "".join(chr(chance.below(chance.pick(planes))) for _n in range(8))


def empty(_chance: Chance) -> str:
    return ""


def in_another_case(name: str, chance: Chance) -> str:
    return chance.pick((str.upper, str.lower, str.title, str.swapcase, str.casefold))(name)


def in_another_form(name: str, chance: Chance) -> str:
    form = unicodedata.normalize(chance.pick(("NFC", "NFD")), name)
    return form.replace(" ", chance.pick(("  ", "\u00a0", " \u200b ")))


def with_something_unseen(name: str, chance: Chance) -> str:
    place = chance.below(len(name) + 1)
    return f"{name[:place]}{chance.pick(INVISIBLE + DIRECTIONS)}{name[place:]}"


FRESH: Final[tuple[Make, ...]] = (
    *(words_of_one_script(script) for script in WORDS),
    *map(with_any_of, (INVISIBLE, DIRECTIONS, SPACES, CONTROLS, MARKS, UNASSIGNED, HALVES)),
    *map(nothing_but, (INVISIBLE, DIRECTIONS + SPACES, CONTROLS, MARKS, UNASSIGNED)),
    *map(of_length, (1, 60, 61, 10_000)),
    *(decomposed, with_meaning, with_meaning_within, any_characters, empty),
)
TWINS: Final = (in_another_case, in_another_form, with_something_unseen)
# Number of kinds of names: new names, and two variants by each function in `TWINS`.
KINDS: Final = len(FRESH) + 2 * len(TWINS)


def generated_names(count: int, label: str = "names") -> list[str]:
    """Return `count` names.

    Some differ from an earlier name only in case, Unicode form or invisible signs.
    """
    chance = Chance(bytes(32), label)
    names: list[str] = []
    for number in range(count):
        kind = number % KINDS
        if kind < len(FRESH):
            names.append(FRESH[kind](chance))
            continue
        twin = TWINS[kind % len(TWINS)]
        # Some variants follow their original closely, because tests use neighbouring names
        # together.
        earlier = names[-kind:][: len(WORDS)] if kind % 2 else names[-kind:]
        names.append(twin(chance.pick(earlier), chance))
    return names


def as_sent(name: str) -> str:
    """Return the name as a server receives it: a lone surrogate becomes a replacement character."""
    return name.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
