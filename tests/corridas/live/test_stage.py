"""The stage at its moments: what lies on the table, in the ring and on the sheet."""

from __future__ import annotations

from corridas import programme
from tests.corridas.live.conftest import OnAir


def test_every_moment_can_be_drawn_in_both_languages(on_air: OnAir) -> None:
    for moment in range(len(on_air.showing.timeline)):
        for language in ("en", "es"):
            told = programme.draw(on_air.showing, moment, language)
            assert f'data-moment="{moment + 1}"' in told
            assert 4_000 < len(told.encode()) < 24_000, moment
