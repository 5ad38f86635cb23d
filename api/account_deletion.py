"""Replace a deleted user's names in stored API responses to other users."""

from __future__ import annotations

from typing import Final

from accounts.account_deletion.registry import StoredText, register_texts
from api.models import DoneOnce

# Names of response members whose values contain people's names or text that people wrote.
TEXTS: Final = (
    *("about", "by", "detail", "director", "email", "founder", "full_name", "guests", "host"),
    *("league", "location", "matador", "matadors", "name", "names", "note", "owner", "player"),
    *("players", "sentence", "settlement", "text", "title", "username", "winner", "words"),
)


def register_stored_responses() -> None:
    register_texts(
        StoredText(
            model=DoneOnce,
            columns=("answer", "headers"),
            rows=lambda user: DoneOnce.objects.exclude(user=user.pk),
            links=True,
            members=TEXTS,
        )
    )
