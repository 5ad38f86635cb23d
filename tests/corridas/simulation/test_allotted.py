"""Concurrent requests that read the same state never get the same slug, place or row twice.

The two threads meet between reading and writing (`at_once`). On PostgreSQL they use two
transactions.
"""

from hashlib import sha256
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from corridas.archive.importer import Rosters
from corridas.circuits.operations import Founding, found_circuit, plan_season
from corridas.errors import OperationError
from corridas.following import operations as following
from corridas.models import (
    Cartel,
    Change,
    Circuit,
    Corrida,
    Deck,
    Follow,
    Matador,
    MatadorCard,
    Palmares,
    Puesto,
    Season,
    TableCorrida,
)
from corridas.roster.history import record_change, undo
from corridas.roster.operations import print_next_card
from corridas.season.operations import open_next_season, queue_corrida
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.new_circuit import shipped
from corridas.simulation.post import post_now
from corridas.tabletop import lending
from leagues.models import Match
from tests.corridas.simulation import world
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year
from tests.databases import opened
from tests.factories import small_circuit
from tests.scratch import at_once, seeds


def kinds(came: list[Any]) -> list[str]:
    return sorted(type(answer).__name__ for answer in came)


@pytest.mark.slow
def test_circuits_of_one_name_founded_at_once_get_different_slugs(shared: str) -> None:
    with opened(shared):
        people = [User.objects.create_user(name) for name in ("ana", "beto", "carla")]
    bare = Founding(name="Sierra", year=2027, roster=Circuit.Roster.IMPORTED)

    def found(by: User) -> Circuit:
        return found_circuit(founding=bare, by=by, at=NOW)

    came = at_once(shared, *(lambda by=by: found(by) for by in people), reading='slug" LIKE|::text')
    assert kinds(came) == ["Circuit"] * 3, came
    assert "sierra" in {circuit.slug for circuit in came}
    assert len({circuit.slug for circuit in came}) == 3


def test_deck_saved_by_two_requests_at_once_has_one_row(shared: str) -> None:
    lines = [*str(shipped().deck).splitlines(), "# another"]
    came = at_once(
        shared, lambda: Rosters.deck(lines), lambda: Rosters.deck(lines), reading="corridas_deck"
    )
    assert kinds(came) == ["Deck", "Deck"], came
    with opened(shared):
        digest = sha256("\n".join(lines).encode()).hexdigest()
        assert Deck.objects.filter(digest=digest).count() == 1


@pytest.fixture
def two_seasons(settings: Settings) -> None:
    settings.SEASONS_A_CIRCUIT = 2


def give_director(season: Season) -> Circuit:
    circuit = season.circuit
    circuit.owner = User.objects.create_user("ana")
    circuit.save()
    return circuit


@pytest.mark.slow
@pytest.mark.usefixtures("two_seasons")
@pytest.mark.parametrize(
    ("years", "errors"), [((2027, 2028), 1), ((2027, 2027), 1)], ids=["the last one", "the same"]
)
def test_year_planned_by_two_requests_at_once_has_one_season(
    years: tuple[int, int], errors: int, shared: str
) -> None:
    with opened(shared):
        circuit = give_director(world.calm())
    came = at_once(
        shared,
        *(lambda year=year: plan_season(circuit=circuit, year=year) for year in years),
        reading='COUNT.* FROM "corridas_season"',
    )
    assert sum(isinstance(answer, OperationError) for answer in came) == errors, came
    with opened(shared):
        assert circuit.seasons.count() == 2


@pytest.mark.slow
@pytest.mark.usefixtures("two_seasons")
def test_season_can_be_planned_while_a_winter_plans_another(shared: str) -> None:
    with opened(shared):
        circuit = give_director(world.brief())
        Corrida.objects.filter(season__circuit=circuit).update(state=Corrida.State.POSTED)
    came = at_once(
        shared,
        lambda: open_next_season(circuit=circuit, at=NOW),
        lambda: plan_season(circuit=circuit, year=2031),
        reading='COUNT.* FROM "corridas_season"',
    )
    assert kinds(came) == ["OperationError", "Season"], came
    with opened(shared):
        assert circuit.seasons.count() == 2


@pytest.mark.slow
@pytest.mark.usefixtures("valkey")
def test_two_corridas_at_once_cannot_exceed_the_directors_limit_on_air(
    shared: str, settings: Settings
) -> None:
    """The corridas belong to two circuits, but the limit counts all circuits of a director."""
    settings.MAX_LIVE_CORRIDAS_PER_USER = 1
    with opened(shared):
        director = give_director(world.calm()).owner
        Circuit.objects.filter(slug="brief").update(owner=director)

    def queue(season: Any) -> bool:
        return queue_corrida(corrida=Corrida.objects.of_season(season())[0], pace_ms=100, at=NOW)

    came = at_once(
        shared,
        lambda: queue(world.calm),
        lambda: queue(world.brief),
        reading='COUNT.* FROM "corridas_corrida" INNER JOIN "corridas_season"',
    )
    assert kinds(came) == ["OperationError", "bool"], came


@pytest.mark.slow
def test_following_two_matadors_at_once_cannot_exceed_the_limit(
    shared: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MAX_FOLLOWED", 1)
    with opened(shared):
        ana, (first, second) = User.objects.create_user("ana"), Matador.objects.all()[:2]

    came = at_once(
        shared,
        lambda: following.follow(user=ana, row=first, at=NOW),
        lambda: following.follow(user=ana, row=second, at=NOW),
        reading='COUNT.* FROM "corridas_follow"',
    )
    assert kinds(came) == ["NoneType", "OperationError"], came
    with opened(shared):
        assert Follow.objects.count() == 1


@pytest.mark.slow
def test_two_editions_of_a_card_saved_at_once_get_successive_numbers(shared: str) -> None:
    with opened(shared):
        season = world.calm()
        world.queue_all(season)
        place = Puesto.objects.filter(cartel__corrida__season=season).select_related("matador")
        matador = place[0].matador

    def print_it() -> MatadorCard:
        return print_next_card(matador=matador)

    came = at_once(shared, print_it, print_it, reading='FROM "corridas_matadorcard"')
    assert kinds(came) == ["MatadorCard", "OperationError"], came
    with opened(shared):
        printings = matador.cards.order_by("printing").values_list("printing", flat=True)
        assert list(printings) == [1, 2]


@pytest.mark.slow
def test_roster_change_without_a_circuit_is_undone_once_by_two_requests(shared: str) -> None:
    with opened(shared):
        deck = Deck.objects.create(name="Other", cards=str(shipped().deck), digest="o" * 64)
        change = record_change(row=deck, before=None, by=None, at=NOW)
        assert change is not None

    def back() -> Change:
        return undo(change=change, by=None, at=NOW)

    came = at_once(shared, back, back, reading='FROM "corridas_change"')
    assert kinds(came) == ["Change", "OperationError"], came


@pytest.mark.slow
@pytest.mark.usefixtures("valkey")
def test_matadors_are_hired_once_while_a_table_misses_its_deadline(shared: str) -> None:
    """The periodic task takes a corrida back from a table while the director broadcasts another
    corrida.

    Both fill the carteles of the same weeks, with bulls of the same herds.
    """
    with opened(shared):
        season = world.calm()
        late, other = Corrida.objects.of_season(season)[:2]
        match = Match.objects.create(
            game="indulto", rules={}, rules_hash="", played_at=NOW, created_at=NOW, key="key"
        )
        Corrida.objects.filter(pk=late.pk).update(state=Corrida.State.AT_TABLE)
        TableCorrida.objects.create(
            match=match, corrida=late, date=late.date, given=True, deadline=NOW
        )
    came = at_once(
        shared,
        lambda: lending.overdue(at=NOW, fresh=seeds("overdue")),
        lambda: queue_corrida(corrida=other, pace_ms=100, at=NOW),
        reading='FROM "corridas_bull"',
    )
    assert kinds(came) == ["bool", "list"], came
    with opened(shared):
        late.refresh_from_db()
        assert late.state in {Corrida.State.QUEUED, Corrida.State.ANNOUNCED}, "it was taken back"
        assert Cartel.objects.filter(corrida__season=season).count() == 4


@pytest.mark.slow
def test_record_book_can_be_rebuilt_while_a_later_season_is_posted(shared: str) -> None:
    """One worker rebuilds the record book while another worker adds a corrida of a later season."""
    with opened(shared):
        first = small_circuit("ours")
        second = in_year(first, first.season.year + 1)
        opening = fight(second, second.announce(day_of(second, 3)), {"trophy": 2})
        assert post_now(opening.pk, at=NOW)
        early = fight(first, first.announce(day_of(first, 4)), {"trophy": 1})
        late = fight(second, second.announce(day_of(second, 5), plaza=1), {"trophy": 3})
        whole = Palmares.objects.filter(book__circuit=first.circuit, book__scope="circuit")

    came = at_once(
        shared,
        lambda: post_now(early.pk, at=NOW),
        lambda: post_now(late.pk, at=NOW),
        reading='FROM "corridas_award"',
    )
    assert came == [True, True]
    with opened(shared):
        assert sum(whole.values_list("ears", flat=True)) == 2 + 1 + 2
        assert rebuild_book(first.circuit, write_rows=False) == []
        forms = Matador.objects.filter(circuit=first.circuit).values_list("form", flat=True)
        assert sum(map(len, forms)) == 18, "a letter for each bull"
