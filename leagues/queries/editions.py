"""Whether a kept page of a league still holds."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.db import connection

from leagues.models import League


class Edition(NamedTuple):
    """Which league, and which edition of it: a kept page of any other one is out of date."""

    league: int
    edition: int
    visibility: str

    @property
    def private(self) -> bool:
        """Whether only its players may see it, whatever address they have."""
        return self.visibility == League.Visibility.PRIVATE


_EDITION: Final = "SELECT id, edition, visibility FROM leagues_league WHERE slug = %s"


def find_edition(slug: str) -> Edition | None:
    """The present edition of the league at an address, None where there is none; one query.

    Written out, for the page that is asked for most asks nothing else once it is kept: making
    this query anew every time took longer than all the rest of the answer.
    """
    with connection.cursor() as cursor:
        cursor.execute(_EDITION, [slug])
        row = cursor.fetchone()
    return Edition(*row) if row else None
