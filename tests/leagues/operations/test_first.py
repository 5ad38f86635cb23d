import pytest

from leagues.models import Match, Place, Result
from tests.leagues.operations import world

pytestmark = pytest.mark.django_db


def test_a_match_among_friends_counts_once_a_second_player_confirms() -> None:
    ana, beto = world.account("ana"), world.account("beto")
    match = world.played(None, [ana, beto], [10, 3])
    assert match.state == Match.State.CONFIRMED
    assert [(p.player, p.place, p.points, p.against) for p in Place.objects.all()] == [
        (ana, 1, 10, 3),
        (beto, 2, 3, 10),
    ]
    assert Result.objects.get().match == match
