"""English messages have no article before a value that may begin with a vowel, such as 8."""

from __future__ import annotations

import re

import polib
from django.conf import settings

ARTICLE = re.compile(r"\b[Aa] %\((\w+)\)")
# A die shows 1 to 6; the code puts the right article before half a tile.
ALLOWED = {"die", "half"}


def test_no_article_stands_before_a_number() -> None:
    messages = polib.pofile(str(settings.BASE_DIR / "locale/es/LC_MESSAGES/django.po"))
    found = {
        name
        for entry in messages
        if not entry.obsolete
        for text in (entry.msgid, entry.msgid_plural)
        for name in ARTICLE.findall(text)
    }
    assert found == ALLOWED
