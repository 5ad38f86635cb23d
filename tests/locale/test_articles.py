"""English messages have no article before a number, because it may need "an", as in "an 8"."""

from __future__ import annotations

import re

import polib
from django.conf import settings

ARTICLE = re.compile(r"\b[Aa] %\((\w+)\)")
# A die shows 1 to 6, and the code adds the right article for half a tile.
ALLOWED = {"die", "half"}


def test_english_messages_have_no_article_before_a_number() -> None:
    messages = polib.pofile(str(settings.BASE_DIR / "locale/es/LC_MESSAGES/django.po"))
    found = {
        name
        for entry in messages
        if not entry.obsolete
        for text in (entry.msgid, entry.msgid_plural)
        for name in ARTICLE.findall(text)
    }
    assert found == ALLOWED
