"""A filed table corrida stays in its season once the season's winter has been played."""

from __future__ import annotations

import pytest

from corridas.models import Winter
from leagues.exceptions import OperationError
from leagues.matches.operations.corrections import dispute_match, void_match
from tests.corridas.tabletop.test_tables import (
    NOW,
    Afternoon,
    confirmed,
    counts,
    handed_in,
    random_content,
    table_of,
)


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize("given", [True, False])
def test_sheet_cannot_be_removed_after_the_winter_of_its_season(given: bool) -> None:
    afternoon = Afternoon("wild" if given else "calm")
    match = afternoon.give() if given else afternoon.begin()
    handed_in(match, afternoon.ana, random_content(match))
    confirmed(match, afternoon.beto)
    done = {"seed": b"w", "commitment": b"w", "done_at": NOW}
    Winter.objects.update_or_create(season=afternoon.season, defaults=done)
    before = counts()
    match.refresh_from_db()
    with pytest.raises(OperationError):
        dispute_match(match=match, version=match.version, by=afternoon.ana, at=NOW, reason="No")
    with pytest.raises(OperationError):
        void_match(
            match=match, version=match.version, by=afternoon.director, at=NOW, reason="Not played"
        )
    assert counts() == before
    corrida = table_of(match).corrida
    assert corrida is not None
    assert corrida.is_over
