"""What a deleted account leaves in stored responses to the requests of others."""

from __future__ import annotations

from typing import Final

from accounts.account_deletion.registry import StoredText, register_texts
from api.models import DoneOnce

# Members of responses that hold names and prose.
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
