"""The preview of a feria: its best cartel, its matadors, rivalries and records at stake."""

from __future__ import annotations

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from corridas.escalafon.queries import records
from corridas.escalafon.queries.records import Sentence
from corridas.models import Corrida, Matador, MatadorCard
from corridas.season import feria_preview
from corridas.season.cartel_queries import Meetings
from corridas.season.feria_preview import preview
from tests.factories import World


def day(number: int) -> dt.date:
    return dt.date(2027, 3, number)


def open_corrida(world: World, number: int) -> Corrida:
    return Corrida.objects.create(
        season=world.season, plaza=world.plazas[0], feria=world.feria, date=day(number)
    )


def test_carteles_with_and_without_matadors_are_counted(world: World) -> None:
    corridas = [world.announce(day(1)), open_corrida(world, 2), open_corrida(world, 3)]
    found = preview(world.feria, corridas)
    assert found
    assert (found.announced, found.open, found.best) == (1, 2, None)
    assert preview(world.feria, corridas[1:]) is None


@pytest.mark.parametrize("state", Corrida.State)
def test_a_feria_is_previewed_until_its_first_corrida_is_no_longer_announced(
    world: World, state: Corrida.State
) -> None:
    corridas = [world.announce(day(1)), world.announce(day(2))]
    corridas[1].state = state
    assert bool(preview(world.feria, corridas)) is (state == Corrida.State.ANNOUNCED)


@pytest.mark.usefixtures("without_chances")
@pytest.mark.parametrize(("firsts", "best"), [((1, 0), 1), ((0, 1), 0), ((0, 0), 0)])
@pytest.mark.parametrize("known", [True, False])
def test_the_best_cartel_can_expect_most_ears_or_comes_first(
    world: World, firsts: tuple[int, int], best: int, known: bool
) -> None:
    """The ratings and chances of the matadors fall from each to the next.

    If the chances of one card are missing, the mean rating decides.
    """
    for number, matador in enumerate(world.matadors):
        if known or number != 2:
            ears = (9 - number if known else number) / 10
            set_chances(matador, ears)
    corridas = [world.announce(day(n), first=first) for n, first in enumerate(firsts, start=1)]
    found = preview(world.feria, corridas)
    assert found
    assert found.best
    assert found.best.corrida == corridas[best]
    assert found.best.matadors == world.matadors[firsts[best] : firsts[best] + 3]
    assert found.best.rating == 89 - firsts[best]
    if not known:
        assert found.best.ears is None
        return
    sums = [4.2 if first else 4.8 for first in firsts]
    assert found.best.ears == pytest.approx(max(sums))
    assert found.usual == pytest.approx(sum(sums) / 2)


def set_chances(matador: Matador, ears: float) -> None:
    figures = {"ear": ears, "two_ears": 0.0, "lap": 0.0, "ears": ears}
    MatadorCard.objects.filter(matador=matador).update(
        **{f"{name}_{category}": figure for name, figure in figures.items() for category in (1, 2)}
    )


@pytest.mark.usefixtures("without_chances")
@pytest.mark.parametrize(
    ("known", "said"),
    [
        (4, "Most ears expected: 4.8 (a usual cartel in plazas like this one: 4.5), from"),
        (3, "The chances of some cards have not been calculated yet. The cartel with the highest"),
        (0, "The chances of some cards have not been calculated yet. The cartel with the highest"),
    ],
)
def test_the_page_of_a_feria_shows_the_most_expected_ears(
    world: World, client: Client, known: int, said: str
) -> None:
    for number, matador in enumerate(world.matadors[:known]):
        set_chances(matador, (9 - number) / 10)
    for number in (0, 1):
        world.announce(day(number + 1), first=number)
    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/temporada/2027/{world.feria.slug}/?known={known}")
    assert said in " ".join(page.text.split())
    assert sum("AVG" in query["sql"] for query in queries) == 1


def test_matadors_with_several_corridas_are_named_by_their_number(
    world: World,
) -> None:
    """Equal ones are named in the order of appearance, and at most four in all."""
    world.join(3)
    corridas = [world.announce(day(n), first=n - 1) for n in (1, 2, 3, 4, 5)]
    men = world.matadors
    named = []
    for held in (corridas[:3], corridas):
        found = preview(world.feria, held)
        assert found
        named.append(found.most)
    assert named == [
        [(men[2], 3), (men[1], 2), (men[3], 2)],
        [(men[2], 3), (men[3], 3), (men[4], 3), (men[1], 2)],
    ]


def test_rivals_who_both_won_come_first_and_nobody_is_named_more_than_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then those who met more often come first, then those who meet earlier in the feria.

    Rivals who were always level are left out.
    """
    corridas = [world.announce(day(n), first=first) for n, first in ((8, 0), (9, 1))]
    met = {
        (0, 1): Meetings(1, 1, 5),
        (0, 2): Meetings(2, 2, 0),
        (1, 2): Meetings(3, 1, 0),
        (1, 3): Meetings(0, 0, 9),
        (2, 3): Meetings(1, 1, 5),
    }
    keys = [matador.pk for matador in world.matadors]
    by_key = {(keys[one], keys[other]): found for (one, other), found in met.items()}
    monkeypatch.setattr(feria_preview, "meetings", lambda *_args: by_key)
    named = []
    for most in (5, 2):
        monkeypatch.setattr(feria_preview, "RIVALRIES", most)
        found = preview(world.feria, corridas)
        assert found
        named.append(
            [
                (keys.index(row.left.pk), keys.index(row.right.pk), row.corrida.date.day)
                for row in found.rivalries
            ]
        )
    assert named == [[(0, 2, 8), (0, 1, 8), (2, 3, 9)], [(0, 2, 8), (0, 1, 8)]]
    hidden = preview(world.feria, corridas, results=False)
    assert hidden
    assert (hidden.rivalries, hidden.at_stake, hidden.announced) == ([], [], 2)


def test_rivals_are_named_with_the_first_corrida_in_which_they_meet(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    corridas = [world.announce(day(number)) for number in (8, 9)]
    one, two, *_ = (matador.pk for matador in world.matadors)
    monkeypatch.setattr(feria_preview, "meetings", lambda *_args: {(one, two): Meetings(1, 0, 0)})
    found = preview(world.feria, corridas)
    assert found
    assert [row.corrida for row in found.rivalries] == corridas[:1]


@pytest.mark.parametrize(("year", "counted"), [(2025, False), (2026, True)])
def test_rivals_are_compared_over_this_season_and_the_one_before(
    world: World, year: int, counted: bool
) -> None:
    this = world.season
    world.season = world.another_season(year)
    world.post(world.announce(dt.date(year, 3, 1), plaza=1))
    world.season = this
    found = preview(world.feria, [world.announce(day(8))])
    assert found
    assert bool(found.rivalries) is counted


def test_only_records_are_at_stake_and_one_for_each_matador(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A round number is no record. The first corrida in which a record may fall is named."""
    corridas = [world.announce(day(number)) for number in (8, 9)]
    first, second = (
        [Sentence("a", "A", "round", False), Sentence("b", "B", "record", True)],
        [
            Sentence("a", "A", "record", True),
            Sentence("b", "B", "later", True),
            Sentence("c", "C", "record", True),
        ],
    )
    said = {corridas[0].pk: first, corridas[1].pk: second}
    monkeypatch.setattr(records, "sentences_before", lambda *_args: said)
    found = preview(world.feria, corridas)
    assert found
    expected = [(corridas[0], first[1]), (corridas[1], second[0]), (corridas[1], second[2])]
    assert found.at_stake == expected
    monkeypatch.setattr(feria_preview, "RIVALRIES", 2)
    found = preview(world.feria, corridas)
    assert found
    assert found.at_stake == expected[:2]
