"""What the site's own rating counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from leagues.models import League, Result
from leagues.operations.leagues import change_settings
from leagues.operations.matches import confirm, open_match
from leagues.operations.settings import settings_of
from tests.leagues.operations.world import NOW, account, enter, found, guest, handed_in, score

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("has_account", "counts"), [(True, True), (False, False)])
def test_a_guests_word_settles_a_league_and_no_leaderboard(has_account: bool, counts: bool) -> None:
    ana = account("ana")
    other = account("berta") if has_account else guest("berta")
    league = found(ana, visibility=League.Visibility.PUBLIC)
    enter(league, other)
    match = open_match(by=ana, at=NOW, players=[ana, other], league=league)
    match = handed_in(match, ana, score(10, 3))
    confirm(match=match, version=match.version, by=other, at=NOW)
    assert Result.objects.get().site is counts
    for visibility in (League.Visibility.PRIVATE, League.Visibility.PUBLIC):
        settings = replace(settings_of(league), visibility=visibility)
        league = change_settings(league=league, settings=settings, by=ana, at=NOW)
    assert Result.objects.get().site is counts
