"""Orders and limits of a digest, links to its neighbours, and independence of later runs."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from corridas.escalafon.queries import records
from corridas.escalafon.queries.ranking import Standing
from corridas.escalafon.queries.records import Sentence
from corridas.labels import KINDS, STOPS
from corridas.models import Corrida, Injury, Lidia, Run
from corridas.season import digest
from corridas.season.digest import RankChange, notable_moves
from corridas.world.stops import StopOn
from tests.corridas.pages.season.test_digest import FALLEN, YEAR, address, run_of, text_of
from tests.factories import World

API = f"/api/v1/circuits/leyendas/seasons/{YEAR}/digests/"


@pytest.fixture
def three(lived: World) -> list[Corrida]:
    """Return the three corridas of March by date."""
    return list(Corrida.objects.order_by("date"))


def digest_of(run: Run, *, whole: bool = True) -> digest.Digest:
    return digest.digest_of(digest.find_run("leyendas", YEAR, run.pk), whole=whole)


def part_of(page: str, heading: str) -> str:
    """Return the section of a page whose heading has this id."""
    start = page.index(f'id="{heading}"')
    return page[start : page.index("</section>", start)]


def matadors_in(text: str) -> list[str]:
    return re.findall(r'href="/matadores/([\w-]+)/"', text)


# Links to neighbouring digests


def test_a_digest_links_to_the_digests_before_and_after_it(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """Runs without corridas and runs of another season are skipped."""
    fourth = lived.post(lived.announce(dt.date(YEAR, 3, 8), 1, 1))
    other = replace(lived, season=lived.another_season(YEAR + 1))
    runs = []
    for corrida in [*three, fourth]:
        runs.append(run_of(lived, corrida))
        Run.objects.create(
            season=lived.season, until=corrida.date, asked_at=timezone.now(), state="done", done=1
        )
        day = corrida.date.replace(year=YEAR + 1)
        run_of(other, other.post(other.announce(day, 1)))
    around = [None, *(run.pk for run in runs), None]
    assert [digest.neighbours(run) for run in runs] == list(zip(around, around[2:], strict=False))
    page = client.get(address(runs[2])).text
    assert f'rel="prev" href="{address(runs[1])}"' in page
    assert f'rel="next" href="{address(runs[3])}"' in page
    links = client.get(f"{API}{runs[2].pk}/").json()["links"]
    assert links["previous"].endswith(f"{API}{runs[1].pk}/")
    assert links["next"].endswith(f"{API}{runs[3].pk}/")


@pytest.mark.parametrize(
    ("day", "by_run"), [(7, True), (8, True), (9, True), (7, False), (8, False), (9, False)]
)
def test_corridas_played_later_change_no_place_in_a_digest(
    world: World, day: int, by_run: bool
) -> None:
    """This also holds if they were fought on the same day or before it, in a run or at a real
    table.
    """
    world.join(2)
    run_of(world, world.post(world.announce(dt.date(YEAR, 3, 1), 1)))
    run = run_of(world, world.post(world.announce(dt.date(YEAR, 3, 8), first=3)))

    def places() -> list[tuple[object, ...]]:
        return [
            (move.line.slug, move.was, move.line.place, move.line.corridas, move.line.ears)
            for move in digest_of(run).moves
        ]

    before = places()
    assert before == [
        ("matador-3", None, 2, 1, 3),
        ("matador-2", 2, 3, 1, 0),
        ("matador-5", None, 4, 1, 0),
        ("matador-1", 3, 5, 1, 0),
        ("matador-4", None, 6, 1, 0),
    ]
    later = world.post(world.announce(dt.date(YEAR, 3, day), 1))
    if by_run:
        run_of(world, later)
    assert places() == before


# Orders


def moved(*places: tuple[int | None, int]) -> list[RankChange]:
    """Return moves in the ranking from a list of old and new places; the new place is also the
    key.
    """
    counters = dict.fromkeys(
        ("corridas", "bulls", "ears", "tails", "vueltas", "indultos", "avisos", "three_avisos"), 0
    )
    return [
        RankChange(
            line=Standing(
                place=place, pk=place, slug=f"m{place}", name=f"M{place}", full_name=f"M{place}",
                birthplace="", **counters,
            ),
            was=was,
        )
        for was, place in places
    ]  # fmt: skip


UP_BY_ONE = [(place + 1, place) for place in range(3, 10)]
FAR_DOWN = [(place + 9, place) for place in range(20, 26)]


@pytest.mark.parametrize(
    ("places", "kept"),
    [
        # Of equally large changes of rank, the six at the highest ranks are listed.
        (UP_BY_ONE, [3, 4, 5, 6, 7, 8]),
        # Losing ranks counts as much as gaining ranks.
        ([*UP_BY_ONE[:-1], (2, 10)], [3, 4, 5, 6, 7, 10]),
        ([*UP_BY_ONE[:-1], (18, 10)], [3, 4, 5, 6, 7, 10]),
        # If the first rank changes, the new leader and the old one are listed first.
        ([(2, 1), (1, 2), *((place + 5, place) for place in range(3, 10))], [1, 2, 3, 4, 5, 6]),
        ([*((place + 5, place) for place in range(3, 10)), (1, 10)], [3, 4, 5, 6, 7, 10]),
        # Changes into or out of the first ten ranks are listed before larger changes further down.
        ([(11, 10), *FAR_DOWN], [10, 20, 21, 22, 23, 24]),
        ([(10, 11), *FAR_DOWN], [11, 20, 21, 22, 23, 24]),
        ([(12, 11), *FAR_DOWN], [20, 21, 22, 23, 24, 25]),
        # A matador whose rank did not change, or who had no rank before, is left out.
        ([(None, 3), (4, 4), (6, 5)], [5]),
        ([(4, 4)], []),
    ],
)
def test_the_six_most_notable_rank_changes_are_listed_by_rank(
    places: list[tuple[int | None, int]], kept: list[int]
) -> None:
    for moves in (moved(*places), moved(*places[::-1])):
        found = notable_moves(moves, (), before=True, whole=False)
        assert [move.line.place for move in found] == kept


def test_followed_matadors_are_always_among_the_listed_rank_changes() -> None:
    moves = moved((None, 1), (2, 2), *UP_BY_ONE, (40, 41))
    short = notable_moves(moves, {1, 41}, before=True, whole=False)
    assert [move.line.place for move in short] == [1, 3, 4, 5, 6, 41]
    whole = notable_moves(moves, (), before=True, whole=True)
    assert [move.line.place for move in whole] == [1, *range(3, 10), 41]
    first = moved(*((None, place) for place in range(1, 9)))
    assert notable_moves(first, (), before=False, whole=False) == first[:6]
    assert notable_moves(first, (), before=False, whole=True) == first


def test_trophies_by_matador_are_sorted_by_points_and_ties_by_name(
    world: World, client: Client
) -> None:
    """The first has seven points, the next has four for an indulto without an ear, and two have
    three.

    An ovation gives none.
    """
    ear, two, nothing = (1, None, 0), (2, None, 0), (0, 6, 0)
    corridas = [
        world.post(world.announce(dt.date(YEAR, 3, 1)), [ear, ear, two, nothing, nothing, nothing]),
        world.post(world.announce(dt.date(YEAR, 3, 2), 1, 3), [nothing] * 6),
    ]
    world.join(3)
    corridas.append(world.post(world.announce(dt.date(YEAR, 3, 3), 1, 4), [nothing] * 6))
    Lidia.objects.filter(corrida=corridas[1], turn=1).update(ending="spared")
    run = run_of(world, *corridas)
    order = [f"matador-{number}" for number in (2, 3, 1, 0)]
    assert [cut.person.slug for cut in digest_of(run).cut] == order
    page = client.get(address(run, "?all=1")).text
    assert matadors_in(part_of(page, "cut-h")) == order
    rows = client.get(f"{API}{run.pk}/").json()["trophies"]
    assert [row["matador"] for row in rows] == order


def test_injuries_are_sorted_by_gravity_and_ties_by_date(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """The page shows the two gravest. The complete list and the API are sorted by date."""
    for number, days in enumerate((5, 20, 20)):
        day = three[number].date
        Injury.objects.create(
            matador=lived.matadors[number + (number == 2)],
            corrida=three[number],
            turn=1,
            grade="grave",
            since=day,
            until=day + dt.timedelta(days=days),
        )
    Injury.objects.filter(corrida=three[2]).update(matador=lived.matadors[2])
    run = run_of(lived, *three)
    page = client.get(address(run)).text
    assert matadors_in(part_of(page, "hurt-h")) == ["matador-1", "matador-2"]
    assert "All 3 injuries" in page
    assert text_of(page).count("He misses no announced corrida.") == 2
    assert "He misses 0" not in text_of(page)
    by_date = ["matador-0", "matador-1", "matador-2"]
    whole = client.get(address(run, "?all=1")).text
    assert matadors_in(part_of(whole, "hurt-h")) == by_date
    assert "All 3 injuries" not in whole
    rows = client.get(f"{API}{run.pk}/").json()["injuries"]
    assert [row["matador"] for row in rows] == by_date
    Injury.objects.filter(corrida=three[0]).delete()
    cache.clear()
    page = client.get(address(run)).text
    assert matadors_in(part_of(page, "hurt-h")) == ["matador-1", "matador-2"]
    assert "All 2 injuries" not in page


@pytest.mark.parametrize(
    ("most", "heading", "numbers"),
    [
        (3, "Afternoons and trophies", [0, 1, 2]),
        # Of corridas with equal trophies, those in plazas of higher category are shown, in order of
        # date.
        (2, "The best afternoons", [0, 2]),
        (1, "The best afternoons", [0]),
    ],
)
def test_the_best_corridas_of_a_digest_are_listed_by_date(
    lived: World,
    three: list[Corrida],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    most: int,
    heading: str,
    numbers: list[int],
) -> None:
    monkeypatch.setattr(digest, "AFTERNOONS", most)
    run = run_of(lived, *three)
    page = client.get(address(run)).text
    assert heading in text_of(page)
    shown = re.findall(r'class="cal" href="/corridas/(\d+)/"', page)
    assert shown == [str(three[number].pk) for number in numbers]


# Parts that depend on the run


@pytest.mark.parametrize(
    ("numbers", "cities"), [((0, 1, 2), ["Ronda", "Arles", "Ronda"]), ((0, 2), []), ((1,), [])]
)
def test_the_city_is_shown_beside_each_corrida_if_the_run_visited_several(
    lived: World, three: list[Corrida], client: Client, numbers: tuple[int, ...], cities: list[str]
) -> None:
    run = run_of(lived, *(three[number] for number in numbers))
    page = client.get(address(run)).text
    beside = re.findall(r'<div class="what">\s*(?:<p>(.*?)</p>)?', page)
    assert len(beside) == len(numbers)
    assert [city for city in beside if city] == cities


@pytest.mark.slow
def test_every_reason_for_stopping_is_shown_on_the_page_in_the_list_and_in_the_api(
    lived: World, three: list[Corrida], client: Client
) -> None:
    lived.hurt_and_spare(three[2])
    run = run_of(lived, *three, state="stopped", fallen=[FALLEN | {
        "matador_id": lived.matadors[0].pk, "corrida_id": three[2].pk,
    }])  # fmt: skip
    stops = [stop.value for stop in StopOn]
    first, last = stops[:-1], stops[-1:]
    assert last == [StopOn.CARTELES.value], "it is met before a corrida, and so alone"
    headings = {name: str(words.heading).rstrip(":") for name, words in STOPS.items()}
    reasons = {name: str(words.reason) for name, words in STOPS.items()}
    headings["asked"], reasons["asked"] = "The season was stopped on request", "stopped on request"
    for met in (first, last, ["asked"]):
        Run.objects.update(reason=",".join(met))
        cache.clear()
        said = text_of(client.get(address(run)).text)
        assert {name for name, heading in headings.items() if heading in said} == set(met)
        listed = text_of(client.get(f"/temporada/{YEAR}/resumen/").text).lower()
        assert {name for name, reason in reasons.items() if reason in listed} == set(met)
        assert client.get(f"{API}{run.pk}/").json()["stopped_by"] == met


def test_only_an_active_run_is_shown_as_still_being_played(
    lived: World, three: list[Corrida], client: Client
) -> None:
    run = run_of(lived, *three)
    said = {}
    for state in Run.State:
        Run.objects.update(state=state, reason="" if state != Run.State.STOPPED else "asked")
        cache.clear()
        said[state] = "Still being played" in client.get(address(run)).text
    assert {state for state, active in said.items() if active} == set(Run.ACTIVE)


def test_a_corrida_suspended_before_its_first_bull_has_a_digest(
    world: World, client: Client
) -> None:
    corrida = world.announce(dt.date(YEAR, 3, 1))
    Corrida.objects.update(state=Corrida.State.SUSPENDED, posted_at=timezone.now())
    run = run_of(world, corrida)
    for more in ("", "?all=1"):
        said = text_of(client.get(address(run, more)).text)
        assert "Nobody finished a bull" in client.get(address(run, more)).text
        assert "Bulls 0 Ears 0" in said
        assert "Nobody has changed places." in said
    told = client.get(f"{API}{run.pk}/").json()
    assert (told["best"], told["moves"], told["trophies"]) == (None, [], [])


def test_rank_changes_in_a_digest_are_shown_as_up_down_or_new(world: World, client: Client) -> None:
    """The second matador rises by two, the first falls by two, and the fourth is new."""
    run_of(world, world.post(world.announce(dt.date(YEAR, 3, 1), 1)))
    run = run_of(world, world.post(world.announce(dt.date(YEAR, 3, 8), 1, 1)))

    def listed_moves(more: str = "") -> list[str]:
        page = client.get(address(run, more)).text
        part = page[page.index('<div class="dg-slope">') :]
        rows = re.findall(r"<li>(.*?)</li>", part[: part.index("</ol>")], re.DOTALL)
        return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]

    moved = ["1 Montes ▲ places gained 2", "3 Pedro Romero ▼ places lost 2"]
    assert listed_moves() == moved
    assert listed_moves("?all=1") == [*moved, "4 Molina new"]
    rows = client.get(f"{API}{run.pk}/").json()["moves"]
    assert [(row["matador"], row["was"], row["place"]) for row in rows] == [
        ("matador-1", 3, 1), ("matador-0", 1, 3), ("matador-3", None, 4),
    ]  # fmt: skip


def test_a_digest_shows_the_next_two_corridas_and_the_first_spared_bull(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """The complete digest shows all spared bulls.

    Corridas are sorted by date although they were announced in another order.
    """
    late, soon, then, *_more = (
        lived.announce(dt.date(YEAR, 5, day)) for day in (9, 1, 2, 3, 4, 5, 6)
    )
    Lidia.objects.filter(corrida__in=three[:2], turn=2).update(ending="spared")
    run = run_of(lived, *three)
    page, whole = (client.get(address(run, more)).text for more in ("", "?all=1"))
    for text in (page, whole):
        coming = re.findall(r'class="dg-date" href="/corridas/(\d+)/"', text)
        assert coming == [str(soon.pk), str(then.pk)]
        assert "2 bulls spared" in text_of(text)
    bulls = [str(lidia.bull_id) for lidia in Lidia.objects.filter(ending="spared")]
    spared = r'class="dg-spared">.*?href="/toros/(\d+)/"'
    assert re.findall(spared, page, re.DOTALL) == bulls[:1]
    assert re.findall(spared, whole, re.DOTALL) == bulls
    told = client.get(f"{API}{run.pk}/").json()
    assert [row["corrida"] for row in told["coming"]] == [soon.pk, then.pk]
    assert late.pk not in told["corridas"]


def test_records_within_reach_come_before_round_numbers(
    lived: World, three: list[Corrida], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most two are shown, and one of each matador."""
    corridas = [lived.announce(dt.date(YEAR, 5, day)) for day in (1, 2)]
    said = {
        corridas[0].pk: [Sentence("a", "A", "round", False), Sentence("b", "B", "round", False)],
        corridas[1].pk: [Sentence("a", "A", "record", True), Sentence("c", "C", "record", True)],
    }
    monkeypatch.setattr(records, "sentences_before", lambda *_args: said)
    run = run_of(lived, *three)
    near = digest_of(run).near
    assert [(line.slug, line.words) for line in near] == [("c", "record"), ("a", "round")]
    # Such records are counted with all corridas, including those that a protected user has not
    # watched.
    found = digest.find_run("leyendas", YEAR, run.pk)
    assert digest.digest_of(found, shielded=True).near == []


@pytest.mark.parametrize(("broken", "short"), [(0, ["A"]), (1, ["A"]), (2, []), (3, [])])
def test_a_short_digest_shows_a_record_within_reach_below_at_most_one_broken_record(
    lived: World,
    three: list[Corrida],
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    broken: int,
    short: list[str],
) -> None:
    """The complete digest shows all of them."""
    coming = lived.announce(dt.date(YEAR, 5, 1))
    said = [Sentence(name.lower(), name, "is close.", True) for name in "AB"]
    monkeypatch.setattr(records, "sentences_before", lambda *_args: {coming.pk: said})
    line = FALLEN | {"matador_id": None, "corrida_id": None}
    keys = list(KINDS)[:broken]
    run = run_of(lived, *three, fallen=[line | {"key": key} for key in keys])
    named = {
        more: re.findall(
            r"Within reach (\w) is close", text_of(client.get(address(run, more)).text)
        )
        for more in ("", "?all=1")
    }
    assert named == {"": short, "?all=1": ["A", "B"]}


def test_the_list_of_digests_names_each_figure(
    lived: World, three: list[Corrida], client: Client
) -> None:
    lived.hurt_and_spare(three[2])
    Injury.objects.create(
        matador=lived.matadors[1], corrida=three[0], turn=1, grade="leve",
        since=three[0].date, until=three[0].date,
    )  # fmt: skip
    run_of(lived, *three)
    listed = text_of(client.get(f"/temporada/{YEAR}/resumen/").text)
    assert "2 March – 6 March 3 corridas 9 Ears 3 Tails 1 Indultos 2 Injuries" in listed
