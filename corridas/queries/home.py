"""What the front page asks beside the calendar: the form of the leaders."""

from __future__ import annotations

from collections.abc import Iterable

from corridas.models import Matador
from corridas.queries.verdicts import LETTERS


def form(numbers: Iterable[int]) -> dict[int, list[str]]:
    """The stored form of these matadors as verdicts, the newest last; one query."""
    rows = Matador.objects.filter(pk__in=list(numbers)).values_list("pk", "form")
    return {pk: [LETTERS[letter] for letter in letters] for pk, letters in rows}
