"""The digest of a run (what happened in a run of corridas): its page, its list and its spoilers."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.template.loader import render_to_string
from django.test import Client
from django.utils import timezone, translation

from accounts.models import Notice, User
from accounts.notifications.kinds import notification_text
from corridas import calendar, notifications
from corridas.engine import Tally
from corridas.escalafon.queries import ranking
from corridas.following.operations import follow
from corridas.following.queries import Followed, followed_keys
from corridas.models import (
    Cartel,
    Circuit,
    Corrida,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    Puesto,
    Run,
    Season,
)
from corridas.pages.season.digest import trophies_in_words
from corridas.season import digest
from corridas.simulation.post import post_now
from tests.corridas.pages.conftest import Counted
from tests.factories import SILENCIO, World, browser_of, small_circuit

YEAR = 2027
FALLEN: dict[str, Any] = {"key": "share_ears", "value": 4, "before": 3, "turn": None}


def run_of(world: World, *corridas: Corrida, **columns: Any) -> Run:
    """Return a run that played these corridas and has ended."""
    given = {"state": "done", "done": len(corridas), "total": len(corridas), **columns}
    run = Run.objects.create(
        season=world.season,
        until=corridas[-1].date,
        last=corridas[-1],
        asked_at=timezone.now(),
        **given,
    )
    Corrida.objects.filter(pk__in=[corrida.pk for corrida in corridas]).update(run=run)
    return run


@pytest.fixture
def three(lived: World) -> list[Corrida]:
    """Return the three corridas of March by date."""
    return list(Corrida.objects.order_by("date"))


def address(run: Run, more: str = "") -> str:
    return f"/temporada/{YEAR}/resumen/{run.pk}/{more}"


def text_of(page: str) -> str:
    """Return the text of the page's main part."""
    main = page[page.index('<main id="main">') : page.index("</main>")]
    return re.sub(r" ([,.:])", r"\1", " ".join(re.sub(r"<[^>]+>", " ", main).split()))


def test_a_run_has_a_digest_page(lived: World, three: list[Corrida], client: Client) -> None:
    run = run_of(lived, *three)
    page = client.get(address(run)).text
    said = text_of(page)
    assert "2 March – 6 March" in said
    assert "3 corridas" in said
    assert "Bulls 18 Ears 9 Tails 3" in said
    assert re.search(r"corridas [\w ]+ in (Ronda|Arles) ", said)
    assert "Nobody was injured." in said
    assert "No record was broken." in said
    for corrida in three:
        assert f'href="/corridas/{corrida.pk}/"' in page
    assert 'rel="prev"' not in page
    assert 'id="cut-h"' not in page
    assert "Trophies by matador" in text_of(client.get(address(run, "?all=1")).text)


def test_the_digest_links_to_the_deciding_card_of_its_best_lidia(
    lived: World, client: Client
) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(YEAR, 4, 1)), seconds=100_000)
    post_now(corrida.pk, at=timezone.now())
    run = run_of(lived, Corrida.objects.get(pk=corrida.pk))
    found = digest.digest_of(digest.find_run("leyendas", YEAR, run.pk))
    assert found.best
    assert found.best.first
    best = found.best.first.best
    assert best
    assert best.decision
    lidia = Lidia.objects.get(pk=best.lidia.pk)
    assert best.decision.number == lidia.number
    assert best.decision.card in {len(lidia.draws), len(lidia.draws) - 1}
    page = client.get(address(run)).text
    assert f"/corridas/{corrida.pk}/{lidia.turn}/{best.decision.card}/" in page
    for points, shown in ((7, "+7"), (0, "0"), (-1, "−1")):
        bull = replace(best, decision=replace(best.decision, points=points))
        made = render_to_string("corridas/digest.html#made", {"bull": bull})
        assert f"<span>{shown}</span>" in made
    assert (
        client.get(f"/corridas/{corrida.pk}/{lidia.turn}/{best.decision.card}/").status_code == 200
    )


def test_injuries_show_missed_corridas_and_replacements(
    lived: World, three: list[Corrida], client: Client
) -> None:
    hurt, stand_in = lived.matadors[0], lived.matadors[3]
    lived.hurt_and_spare(three[2])
    # The day after the injury, the last day of the rest, and the day after it.
    replaced = lived.announce(dt.date(YEAR, 3, 7), first=1)
    Puesto.objects.filter(cartel=replaced.pk, matador=stand_in).update(instead_of=hurt)
    lived.announce(dt.date(YEAR, 3, 26))
    lived.announce(dt.date(YEAR, 3, 27))
    run = run_of(lived, *three, state="stopped", reason="injury,indulto")
    said = text_of(client.get(address(run)).text)
    assert "Pedro Romero Serious, Ronda, 6 Mar, bull 2" in said
    assert "He misses 2 corridas." in said
    assert "is the substitute in Ronda." in said
    assert "21 days out, back on 27 Mar" in said
    assert "There is no substitute for the corrida in Ronda yet." in text_of(
        client.get(address(run, "?all=1")).text
    )
    assert "The season stopped because a matador was injured: Pedro Romero, Ronda" in said
    assert "The season stopped because a bull was spared:" in said
    assert "A bull spared" in said


@pytest.mark.parametrize(
    ("injured", "count"),
    [({}, 0), ({1: 0b001}, 1), ({1: 0b011}, 2), ({1: 0b011, 4: 0b100}, 3), ({2: 0b111}, 3)],
)
def test_the_number_of_injuries_counts_every_matador_injured_by_a_bull(
    lived: World, three: list[Corrida], client: Client, injured: dict[int, int], count: int
) -> None:
    """One bull may injure several matadors. `injured` has a bit for each of them."""
    for turn, matadors in injured.items():
        Lidia.objects.filter(corrida=three[0], turn=turn).update(injured=matadors)
    page = client.get(address(run_of(lived, three[0]))).text
    assert f"Injuries {count} " in text_of(page)
    assert page.count('class="badge herida"') == count, "every injured matador has a mark"


@pytest.mark.parametrize(
    ("earlier", "firsts", "sentence"),
    [
        ([0], [1], "He is now 1st in the ranking, up from 3rd."),
        ([0], [0], "He is now 1st in the ranking."),
        # The two afternoons are equal, so the earlier one is the best. Its matador led before the
        # run, but two others have more corridas now.
        ([0], [0, 1], "He is now 3rd in the ranking."),
        ([], [0], "He is now 1st in the ranking."),
    ],
    ids=["risen", "same place", "fallen", "no earlier ranking"],
)
def test_the_digest_says_where_the_matador_of_the_best_afternoon_stands(
    world: World, client: Client, earlier: list[int], firsts: list[int], sentence: str
) -> None:
    """The earlier place is named only if the new place is better."""
    played = [
        world.post(world.announce(dt.date(YEAR, 7, day), 1, first))
        for day, first in enumerate([*earlier, *firsts], start=1)
    ]
    if earlier:
        run_of(world, *played[: len(earlier)])
    said = text_of(client.get(address(run_of(world, *played[len(earlier) :]))).text)
    assert re.findall(r"He is now [^.]+\.", said) == [sentence]


def test_a_digest_shows_the_rank_changes_during_its_run(lived: World, three: list[Corrida]) -> None:
    first, second = run_of(lived, three[0]), run_of(lived, *three[1:])
    before = digest.digest_of(digest.find_run("leyendas", YEAR, first.pk))
    after = digest.digest_of(digest.find_run("leyendas", YEAR, second.pk))
    assert {move.was for move in before.moves} == {None}
    assert before.neighbours == (None, second.pk)
    assert after.neighbours == (first.pk, None)
    assert after.changed == 3
    assert after.coming == []


def test_a_new_leader_is_named_as_the_reason_for_stopping(lived: World, client: Client) -> None:
    begun = lived.post(lived.announce(dt.date(YEAR, 4, 2), first=1), [SILENCIO] * 6)
    run = run_of(lived, begun, state="stopped", reason="leader")
    said = text_of(client.get(address(run)).text)
    assert re.search(r"The season stopped because the lead changed: [^.]+, Ronda, 2 April", said)


@pytest.mark.parametrize(
    ("turn", "leader", "at"),
    [
        (None, "Francisco Montes", "at the paseíllo"),
        (1, "Pedro Romero", "bull 1"),
        (3, "José Redondo", "bull 3"),
        (5, "Francisco Montes", "at the paseíllo"),
        (6, "José Redondo", "bull 6"),
    ],
)
def test_a_new_leader_is_named_with_the_bull_after_which_he_led(
    world: World, client: Client, turn: int | None, leader: str, at: str
) -> None:
    """Without an ear the alphabet puts Francisco Montes first, already before the first bull."""
    brought = [EAR if bull == turn else DULL for bull in range(1, 7)]
    corrida = world.post(world.announce(dt.date(YEAR, 4, 2)), brought)
    run = run_of(world, corrida, state="stopped", reason="leader")
    said = text_of(client.get(address(run)).text)
    named = re.findall(r"because the lead changed: ([^.]+)\.", said)
    assert [re.sub(r", card \d+", "", words) for words in named] == [
        f"{leader}, Ronda, 2 April, {at}"
    ]


@pytest.mark.parametrize(
    ("counts", "english", "spanish"),
    [
        (
            {"ears": 2, "tails": 1, "indultos": 1},
            "2 ears, a tail and an indulto",
            "2 orejas, un rabo y un indulto",
        ),
        ({"ears": 1, "tails": 0, "indultos": 2}, "an ear and 2 indultos", "una oreja y 2 indultos"),
        ({"ears": 0, "tails": 0, "indultos": 0}, "", ""),
    ],
)
def test_a_single_trophy_is_written_with_an_article(
    counts: dict[str, int], english: str, spanish: str
) -> None:
    with translation.override("en"):
        assert trophies_in_words(Tally(counts)) == english
    with translation.override("es"):
        assert trophies_in_words(Tally(counts)) == spanish


def test_broken_records_are_shown_with_the_old_record(
    lived: World, three: list[Corrida], client: Client
) -> None:
    line = FALLEN | {"matador_id": lived.matadors[0].pk, "corrida_id": three[0].pk}
    run = run_of(lived, three[0], state="stopped", reason="record", fallen=[line])
    said = text_of(client.get(address(run)).text)
    assert "Most ears in an afternoon: 4 Pedro Romero. The old record was 3." in said
    assert (
        "The season stopped because a record was broken: Most ears in an afternoon, Pedro "
        "Romero, Ronda"
    ) in said


def test_only_the_last_digest_of_a_season_links_to_its_champion(
    lived: World, three: list[Corrida], client: Client
) -> None:
    first, last = (run_of(lived, corrida) for corrida in three[:2])
    said = f"The {YEAR} season is over: see who won"
    assert said in text_of(client.get(address(last)).text)
    assert said not in text_of(client.get(address(first)).text)
    lived.announce(dt.date(YEAR, 5, 1))
    assert said not in text_of(client.get(address(last)).text)


def test_the_digest_shows_the_next_corridas_until_there_is_a_later_run(
    lived: World, three: list[Corrida], client: Client
) -> None:
    run = run_of(lived, three[0])
    assert "The season is over." in text_of(client.get(address(run)).text)
    coming = lived.announce(dt.date(YEAR, 5, 1))
    page = client.get(address(run)).text
    assert f'class="dg-date" href="/corridas/{coming.pk}/"' in page, "carteles are in the key"
    later = run_of(lived, three[1])
    cache.clear()
    assert f'href="{address(later)}"' in client.get(address(run)).text


def test_the_digest_of_an_active_run_shows_its_progress(
    lived: World, three: list[Corrida], client: Client
) -> None:
    run = run_of(lived, three[0], state="running", total=9)
    assert "Still being played: 1 of 9 corridas so far." in text_of(client.get(address(run)).text)
    assert digest.latest_digest(lived.season) is None


def replace_first(corrida: Corrida, by: Matador) -> None:
    """Replace the first matador of a corrida that is announced."""
    first = Puesto.objects.get(cartel=corrida.pk, order=0)
    first.delete()
    first.pk, first.matador, first.card = None, by, by.cards.get()
    first.save()


@pytest.mark.parametrize(
    "changed", ["progress", "state", "cartel", "end of the season", "results", "stars"]
)
def test_a_cached_digest_equals_a_new_one_after_each_change(
    lived: World, three: list[Corrida], changed: str
) -> None:
    """Nothing else changes, so each must be part of the cache key."""
    ana = User.objects.create_user("ana")
    coming = lived.announce(dt.date(YEAR, 5, 1))
    run = run_of(lived, *three, state="running", total=9)
    changes: dict[str, Callable[[], object]] = {
        "progress": lambda: Run.objects.update(done=4),
        "state": lambda: Run.objects.update(state="done"),
        "cartel": lambda: replace_first(coming, lived.matadors[3]),
        "end of the season": lambda: Corrida.objects.filter(pk=coming.pk).update(state="failed"),
        "results": lambda: (
            Lidia.objects.update(trophy=0, crowd=SILENCIO[1]),
            Season.objects.update(posted_version=lived.season.posted_version + 1),
        ),
        "stars": lambda: follow(user=ana, row=lived.matadors[0], at=timezone.now()),
    }
    browser = browser_of("ana")

    def digest_page() -> str:
        page = browser.get(address(run)).text
        return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)

    before = digest_page()
    assert digest_page() == before
    changes[changed]()
    after = digest_page()
    assert after != before
    cache.clear()
    assert digest_page() == after


@pytest.mark.slow
def test_a_cached_digest_is_rendered_again_after_every_change(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """Each change is made alone, with the earlier page still in the cache."""
    lived.hurt_and_spare(three[2])
    billed = lived.announce(dt.date(YEAR, 3, 10), first=1)
    stands_in = Puesto.objects.get(cartel=billed.pk, matador=lived.matadors[3])
    Puesto.objects.filter(pk=stands_in.pk).update(instead_of=lived.matadors[0])
    bare = Corrida.objects.create(
        season=lived.season, plaza=lived.plazas[1], date=dt.date(YEAR, 5, 5)
    )
    run = run_of(lived, *three, state="running", total=9)

    def digest_text() -> str:
        return text_of(client.get(address(run)).text)

    assert "Still being played: 3 of 9 corridas so far." in digest_text()
    Run.objects.update(done=4)
    assert "Still being played: 4 of 9 corridas so far." in digest_text()
    Run.objects.update(state="done")
    before = digest_text()
    assert "Still being played" not in before
    assert "is the substitute in Ronda." in before
    stands_in.delete()
    stands_in.pk, stands_in.instead_of = None, None
    stands_in.save()
    assert "is the substitute in Ronda." not in digest_text()
    for corrida, over in ((billed, False), (bare, True)):
        Corrida.objects.filter(pk=corrida.pk).update(state="failed")
        assert (f"The {YEAR} season is over: see who won" in digest_text()) is over


@pytest.mark.parametrize("place", [0, 1, 2])
def test_a_cached_digest_is_rendered_again_after_the_cartel_of_a_coming_corrida_was_changed(
    lived: World, three: list[Corrida], client: Client, place: int
) -> None:
    coming = lived.announce(dt.date(YEAR, 5, 1))
    run = run_of(lived, *three)

    def billed() -> list[bool]:
        page = client.get(address(run)).text
        below = page[page.index(f'class="dg-date" href="/corridas/{coming.pk}/"') :]
        row = below[: below.index("</li>")]
        return [matador.billing in row for matador in lived.matadors]

    assert billed() == [True, True, True, False]
    puesto = coming.cartel.puestos.get(order=place)
    puesto.delete()
    puesto.pk, puesto.matador = None, lived.matadors[3]
    puesto.card = lived.matadors[3].cards.get()
    puesto.save()
    assert billed() == [number != place for number in range(4)]


def test_the_error_of_a_failed_run_is_shown_to_the_director_only(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """Only the director reads it, on the desk."""
    run = run_of(lived, three[0], state="failed", reason="no such file: /secret")
    Circuit.objects.update(owner=User.objects.create_user("ana"))
    assert "no such file: /secret" in browser_of("ana").get("/direccion/").text
    assert "secret" not in client.get(address(run)).text
    assert "secret" not in client.get(f"/temporada/{YEAR}/resumen/").text


def test_the_list_of_digests_contains_only_runs_that_played_a_corrida(
    lived: World, three: list[Corrida], client: Client
) -> None:
    assert "No corridas have been played yet." in client.get(f"/temporada/{YEAR}/resumen/").text
    old = Run.objects.create(
        season=lived.season, until=dt.date(YEAR, 3, 1), asked_at=timezone.now(), done=3
    )
    run = run_of(lived, *three[:2], state="stopped", reason="injury")
    page = client.get(f"/temporada/{YEAR}/resumen/").text
    assert f'href="{address(run)}"' in page
    assert f'href="{address(old)}"' not in page
    assert "2 March – 4 March" in text_of(page)
    assert "A matador was injured" in page
    assert client.get(address(old)).status_code == 404
    assert digest.latest_digest(lived.season) == run


@pytest.mark.parametrize(
    "way",
    [
        "/temporada/2027/resumen/999/",
        "/temporada/2026/resumen/{}/",
        "/temporada/1900/resumen/",
        "/temporada/99999/resumen/",
        "/temporada/2027/resumen/99999999999/",
    ],
)
def test_an_unknown_digest_is_not_found(
    lived: World, three: list[Corrida], client: Client, way: str
) -> None:
    run = run_of(lived, *three)
    assert client.get(way.format(run.pk)).status_code == 404


@pytest.mark.parametrize("query", ["?all=1&page=banana", "?page=-1", "?all=%00", "?all=1&page=99"])
def test_strange_query_parameters_do_not_break_a_digest(
    lived: World, three: list[Corrida], client: Client, query: str
) -> None:
    run = run_of(lived, *three)
    assert client.get(address(run, query)).status_code == 200
    assert client.get(f"/temporada/{YEAR}/resumen/{query}").status_code == 200


@pytest.mark.slow
def test_a_digest_needs_as_many_queries_for_three_corridas_as_for_one(
    lived: World, three: list[Corrida], counted: Counted
) -> None:
    for day in (1, 2, 3):
        lived.announce(dt.date(YEAR, 5, day))
    one = run_of(lived, three[0])
    # The first request fills the cache of the deck, which each process reads once.
    counted(address(one))
    single = counted(address(one))
    Corrida.objects.filter(run=one).update(run=None)
    one.delete()
    whole = run_of(lived, *three)
    lived.hurt_and_spare(three[2])
    Injury.objects.create(
        matador=lived.matadors[1],
        corrida=three[0],
        turn=1,
        grade="leve",
        since=three[0].date,
        until=three[2].date,
    )
    assert counted(address(whole)) == single <= 15
    assert counted(address(whole, "?all=1")) <= 16
    assert counted(f"/temporada/{YEAR}/resumen/") <= 8


def protected_runs(world: World, three: list[Corrida]) -> tuple[Run, Run, Run, Run]:
    """Hide the corrida of 4 March from users with spoiler protection and return four runs around
    it.

    The first run ended before 3 March and the second on it. The third began earlier and ended
    later. The fourth is that of the hidden corrida.
    """
    first, eve = (world.post(world.announce(dt.date(YEAR, 3, day), plaza=1)) for day in (1, 3))
    runs = (
        run_of(world, three[0]),
        run_of(world, eve),
        run_of(world, first, three[2]),
        run_of(world, three[1]),
    )
    Corrida.objects.filter(pk=three[1].pk).update(
        on_air_at=timezone.now() - dt.timedelta(minutes=5)
    )
    return runs


def listed_runs(browser: Client) -> list[int]:
    page = browser.get(f"/temporada/{YEAR}/resumen/").text
    return [int(pk) for pk in re.findall(r'href="/temporada/2027/resumen/(\d+)/"', page)]


@pytest.mark.slow
def test_digests_of_unwatched_corridas_are_hidden_from_protected_users(
    lived: World, three: list[Corrida], client: Client
) -> None:
    vera = User.objects.create_user("vera", shielded_since=timezone.now() - dt.timedelta(hours=1))
    before, eve, across, day = protected_runs(lived, three)
    browser = browser_of("vera")
    found = {run.pk: browser.get(address(run)).status_code for run in (before, eve, across, day)}
    assert found == {before.pk: 200, eve.pk: 200, across.pk: 403, day.pk: 403}
    assert client.get(address(across)).status_code == client.get(address(day)).status_code == 200
    assert listed_runs(browser) == [eve.pk, before.pk]
    assert listed_runs(client) == [day.pk, across.pk, eve.pk, before.pk]
    User.objects.filter(pk=vera.pk).update(shielded_since=None)
    assert browser.get(address(day)).status_code == 200
    assert listed_runs(browser) == [day.pk, across.pk, eve.pk, before.pk]


def test_records_are_left_out_while_a_corrida_is_unwatched(
    lived: World, three: list[Corrida]
) -> None:
    User.objects.create_user("vera", shielded_since=timezone.now() - dt.timedelta(hours=1))
    line = FALLEN | {"matador_id": None, "corrida_id": None, "value": 1224, "before": 1206}
    run = run_of(lived, three[0], fallen=[line])
    Corrida.objects.filter(pk=three[1].pk).update(
        on_air_at=timezone.now() - dt.timedelta(minutes=5)
    )
    assert "Most ears in an afternoon" not in browser_of("vera").get(address(run)).text
    said = text_of(Client().get(address(run)).text)
    assert "Most ears in an afternoon: 1,224 The old record was 1,206." in said


@pytest.mark.parametrize("number", [2**31, 2**63, 10**30])
def test_a_digest_with_a_number_too_large_is_not_found_for_protected_users(
    lived: World, number: int
) -> None:
    User.objects.create_user("vera", shielded_since=timezone.now())
    assert browser_of("vera").get(f"/temporada/{YEAR}/resumen/{number}/").status_code == 404


def test_later_corridas_do_not_affect_the_rank_changes_of_a_digest(
    lived: World, three: list[Corrida]
) -> None:
    """A corrida that was posted earlier but fought later may not have been watched."""
    run = run_of(lived, three[0])
    found = digest.digest_of(digest.find_run("leyendas", YEAR, run.pk))
    assert {move.line.corridas for move in found.moves} == {1}
    posted = Corrida.objects.get(pk=three[0].pk).posted_at
    assert posted is not None
    for hours in (-1, 0):
        Corrida.objects.filter(run=None).update(posted_at=posted + dt.timedelta(hours=hours))
        found = digest.digest_of(digest.find_run("leyendas", YEAR, run.pk))
        assert {(move.was, move.line.corridas) for move in found.moves} == {(None, 1)}


def test_the_notification_of_a_run_links_to_its_digest(lived: World, three: list[Corrida]) -> None:
    ana = User.objects.create_user("ana")
    lived.announce(dt.date(YEAR, 5, 1))
    run = run_of(lived, *three, asked_by=ana)
    run.season = Season.objects.select_related("circuit").get(pk=lived.season.pk)
    notifications.run_over(run, at=timezone.now())
    assert address(run) in Notice.objects.get(user=ana, kind="run_over").link


def test_the_notification_of_the_last_run_links_to_the_champion(
    lived: World, three: list[Corrida]
) -> None:
    ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
    Circuit.objects.update(owner=bea)
    run = run_of(lived, *three, asked_by=ana)
    run = Run.objects.select_related("season__circuit", "asked_by").get(pk=run.pk)
    notifications.run_ended(run, "", timezone.now())
    over = f"/temporada/{YEAR}/final/"
    links = dict(Notice.objects.values_list("kind", "link"))
    assert links == {"run_over": over, "season_over": over}


def test_followed_matadors_come_first_in_a_digest_and_have_a_star(
    lived: World, three: list[Corrida]
) -> None:
    ana = User.objects.create_user("ana")
    run = run_of(lived, *three)
    row = digest.find_run("leyendas", YEAR, run.pk)
    whole = slice(0, 40)
    last = digest.digest_of(row, page=whole).cut[-1]
    follow(user=ana, row=Matador.objects.get(pk=last.matador), at=timezone.now())
    seen = digest.digest_of(row, page=whole, followed=followed_keys(ana, "leyendas"))
    assert seen.cut[0] == last
    page = browser_of("ana").get(address(run, "?all=1")).text
    assert "dg-star" in page
    assert page.index(">you follow<") > page.index(f">{last.person.name}</a>")
    assert "dg-star" not in Client().get(address(run, "?all=1")).text


def test_a_corrida_of_a_followed_matador_is_among_those_shown(
    lived: World, monkeypatch: Any
) -> None:
    monkeypatch.setattr(digest, "AFTERNOONS", 1)
    corridas = list(Corrida.objects.order_by("date"))
    run = run_of(lived, *corridas)
    row = digest.find_run("leyendas", YEAR, run.pk)
    (best,) = digest.digest_of(row).shown
    other = next(
        (corrida, set(puestos) - {share.matador for share in best.shares})
        for corrida in corridas
        if (puestos := corrida.cartel.puestos.values_list("matador", flat=True))
        and set(puestos) - {share.matador for share in best.shares}
    )
    followed = Followed(matadors=frozenset(list(other[1])[:1]))
    (shown,) = digest.digest_of(row, followed=followed).shown
    assert followed.matadors <= {share.matador for share in shown.shares}


def test_a_corrida_of_a_followed_herd_is_among_those_shown(
    lived: World, three: list[Corrida], monkeypatch: Any
) -> None:
    """The corrida in Arles is shown only to followers of its herd, because the others are better.

    If a user follows the herd of several corridas, the best of these is shown.
    """
    monkeypatch.setattr(digest, "AFTERNOONS", 1)
    herd = Ganaderia.objects.create(
        circuit=lived.circuit, slug="aldama", name="Aldama", country="ES", continent="EU"
    )
    Cartel.objects.filter(corrida=three[1]).update(ganaderia=herd)
    row = digest.find_run("leyendas", YEAR, run_of(lived, *three).pk)
    shown = {
        herds: [
            afternoon.corrida.pk
            for afternoon in digest.digest_of(row, followed=Followed(herds=frozenset(herds))).shown
        ]
        for herds in ((), (herd.pk,), (lived.herd.pk,), (herd.pk, lived.herd.pk))
    }
    first, second = three[0].pk, three[1].pk
    assert list(shown.values()) == [[first], [second], [first], [first]]


def test_a_spared_bull_has_a_star_for_its_followed_herd_and_matador(
    lived: World, three: list[Corrida]
) -> None:
    """Keys of herds and of matadors are separate: equal numbers do not make a star."""
    lived.hurt_and_spare(three[2])
    row = digest.find_run("leyendas", YEAR, run_of(lived, *three).pk)
    (spared,) = digest.digest_of(row).spared
    herd = spared.bull.ganaderia_id
    matador = herd + 1
    spared = spared._replace(lidia=spared.lidia._replace(finisher_id=matador))

    def stars(*, herds: tuple[int, ...] = (), matadors: tuple[int, ...] = ()) -> int:
        followed = Followed(matadors=frozenset(matadors), herds=frozenset(herds))
        context = {"one": spared, "followed": followed, "circuit": "leyendas"}
        return render_to_string("corridas/digest.html#spared", context).count(">you follow<")

    assert stars() == 0
    assert stars(herds=(herd,)) == stars(matadors=(matador,)) == 1
    assert stars(herds=(matador,)) == stars(matadors=(herd,)) == 0


def test_notifications_name_followed_matadors_first(lived: World, three: list[Corrida]) -> None:
    ana, vera = (User.objects.create_user(name) for name in ("ana", "vera"))
    run = run_of(lived, *three, asked_by=ana)
    people = notifications.in_the_news(run)
    follow(user=ana, row=Matador.objects.get(pk=people[-1][0]), at=timezone.now())
    follow(user=vera, row=Matador.objects.get(pk=people[0][0]), at=timezone.now())
    follow(user=vera, row=lived.herd, at=timezone.now())
    at = timezone.now()
    notifications.run_over(run, at=at)
    notifications.followed_played(run, at=at)
    told = Notice.objects.get(user=ana)
    assert str(told.data["names"]).startswith(f"{people[-1][1]}, {people[0][1]}")
    told = Notice.objects.get(user=vera)
    assert told.data["names"] == ", ".join(sorted([people[0][1], lived.herd.name]))
    assert (told.kind, told.link) == ("followed_played", address(run))


def test_notifications_reveal_no_results_and_no_private_circuit(
    lived: World, three: list[Corrida]
) -> None:
    """Protected users get no results.

    Followers are not notified about a circuit that was made private.
    """
    ana = User.objects.create_user("ana", shielded_since=timezone.now())
    vera = User.objects.create_user("vera")
    run = run_of(lived, *three, asked_by=ana)
    follow(user=vera, row=lived.herd, at=timezone.now())
    Circuit.objects.update(public=False)
    run = Run.objects.get(pk=run.pk)
    notifications.run_over(run, at=timezone.now())
    notifications.followed_played(run, at=timezone.now())
    assert "names" not in Notice.objects.get().data


EAR, DULL = (1, 4, 0), (0, 2, 0)
CHEERED = (1, 6, 0)


def afternoons_of(world: World, *played: tuple[int, tuple[int, int, int]]) -> digest.Digest:
    """Return the digest of corridas on consecutive days, given by their plaza and the bull of an
    ear.
    """
    corridas = [
        world.post(world.announce(dt.date(YEAR, 7, day), plaza), [ear, DULL, DULL, *[DULL] * 3])
        for day, (plaza, ear) in enumerate(played, start=1)
    ]
    return digest.digest_of(digest.find_run("leyendas", YEAR, run_of(world, *corridas).pk))


@pytest.mark.parametrize(
    ("played", "best"),
    [
        # If two corridas brought equal trophies, the one in a plaza of the first category is the
        # best, although the bull of the other got more applause.
        ([(1, CHEERED), (0, EAR)], 1),
        ([(0, EAR), (1, CHEERED)], 0),
        # Trophies count more than the category of the plaza.
        ([(1, (2, 4, 0)), (0, EAR)], 0),
        # Among corridas in plazas of one category the one with the better bull is the best, and the
        # earlier one if the bulls are equal.
        ([(0, EAR), (0, CHEERED)], 1),
        ([(1, EAR), (1, EAR), (1, EAR)], 0),
    ],
)
def test_the_best_corrida_among_equal_trophies_is_in_the_plaza_of_higher_category(
    world: World, played: list[tuple[int, tuple[int, int, int]]], best: int
) -> None:
    found = afternoons_of(world, *played)
    assert found.best is not None
    assert found.best.corrida.pk == found.held[best].pk


def test_a_corrida_without_a_finished_bull_is_never_the_best(world: World) -> None:
    bare = world.post(world.announce(dt.date(YEAR, 7, 1), 0))
    Lidia.objects.filter(corrida=bare).update(finisher=None)
    other = world.post(world.announce(dt.date(YEAR, 7, 2), 1), [DULL] * 6)
    run = run_of(world, bare, other)
    found = digest.digest_of(digest.find_run("leyendas", YEAR, run.pk))
    assert found.best is not None
    assert found.best.corrida.pk == other.pk


# Notifications at the end of a run


def test_the_news_of_a_run_leave_out_other_runs(lived: World, three: list[Corrida]) -> None:
    """The first matador appeared only in the earlier run, and the injury is from there too."""
    earlier, run = run_of(lived, three[0]), run_of(lived, three[1])
    assert [pk for pk, _name in notifications.in_the_news(run)] == [
        lived.matadors[number].pk for number in (1, 3, 2)
    ]
    lived.hurt_and_spare(three[0])
    Injury.objects.update(matador=lived.matadors[3])
    assert notifications.in_the_news(earlier)[0][0] == lived.matadors[3].pk
    assert notifications.in_the_news(run)[0][0] == lived.matadors[1].pk


def test_the_notification_of_a_run_without_corridas_links_to_the_calendar(
    lived: World, three: list[Corrida]
) -> None:
    ana = User.objects.create_user("ana")
    run_of(lived, *three)
    lived.announce(dt.date(YEAR, 5, 1))
    empty = Run.objects.create(
        season=lived.season, asked_by=ana, until=three[0].date, asked_at=timezone.now(),
        state="stopped", reason="carteles",
    )  # fmt: skip
    assert notice_of(empty, "run_stopped").link == f"/temporada/{YEAR}/"


def test_the_director_is_told_only_of_the_end_of_the_season_of_a_posted_corrida(
    lived: World, three: list[Corrida]
) -> None:
    ana, bea = (User.objects.create_user(name) for name in ("ana", "bea"))
    Circuit.objects.update(owner=ana)
    barrio = small_circuit("barrio", "Barrio", owner=bea)
    corrida = barrio.post(barrio.announce(dt.date(YEAR, 4, 1)))
    for posted, told in (([], []), ([three[0].pk], [ana.pk]), ([corrida.pk], [ana.pk, bea.pk])):
        notifications.seasons_over_after(posted, at=timezone.now())
        assert list(Notice.objects.order_by("pk").values_list("user", flat=True)) == told


@pytest.mark.parametrize("state", Corrida.State)
def test_a_season_is_over_if_no_corrida_can_be_played_any_more(
    lived: World, state: Corrida.State
) -> None:
    """The last corrida of each season is the newest, and its day is the current one."""
    coming = lived.announce(dt.date(YEAR, 5, 1))
    Corrida.objects.filter(pk=coming.pk).update(state=state)
    ended = {*Corrida.OVER, Corrida.State.FAILED}
    assert calendar.is_over(lived.season.pk) is (state in ended)
    over = Corrida.objects.over().order_by("-date")
    assert calendar.newest("leyendas") == over[0].pk
    assert calendar.current_day(lived.season) == over[0].date
    assert [corrida.pk for corrida in calendar.last("leyendas", 2)] == [
        over[0].pk, over[1].pk,
    ]  # fmt: skip


def notice_of(run: Run, kind: str) -> Notice:
    run = Run.objects.select_related("season__circuit__owner", "asked_by").get(pk=run.pk)
    notifications.run_over(run, at=timezone.now())
    return Notice.objects.get(kind=kind)


def test_a_notification_counts_posted_corridas_and_names_the_leader(
    lived: World, three: list[Corrida]
) -> None:
    """When a run stops, `done` does not count its last corrida yet."""
    ana = User.objects.create_user("ana")
    lived.announce(dt.date(YEAR, 5, 1))
    run = run_of(lived, *three, asked_by=ana, state="stopped", reason="injury", done=2)
    notice = notice_of(run, "run_stopped")
    said = notification_text(notice.kind, notice.data)
    leader = ranking.standings(lived.season)[0].name
    assert "Corridas played: 3." in said
    assert f"{leader} leads the escalafón. In the news:" in said
    assert notice.link == address(run)


def test_the_notification_of_a_run_that_ends_the_season_names_the_champion(
    lived: World, three: list[Corrida]
) -> None:
    ana = User.objects.create_user("ana")
    Circuit.objects.update(owner=ana)
    notice = notice_of(run_of(lived, *three, asked_by=ana), "run_over")
    champion = ranking.standings(lived.season)[0].name
    said = notification_text(notice.kind, notice.data)
    assert "has been played to its end. Corridas played: 3." in said
    assert f"{champion} is the champion. In the news:" in said
    over = Notice.objects.get(kind="season_over")
    assert f"{champion} is the champion." in notification_text(over.kind, over.data)


def test_the_notifications_of_a_protected_director_name_no_leader_or_champion(
    lived: World, three: list[Corrida]
) -> None:
    vera = User.objects.create_user("vera", shielded_since=timezone.now())
    Circuit.objects.update(owner=vera)
    notice = notice_of(run_of(lived, *three, asked_by=vera), "run_over")
    champion = ranking.standings(lived.season)[0].name
    for row in (notice, Notice.objects.get(kind="season_over")):
        said = notification_text(row.kind, row.data)
        assert champion not in said
        assert str(lived.season) in said


def test_the_notification_of_a_protected_owner_names_no_champion_after_the_run_of_another_user(
    lived: World, three: list[Corrida]
) -> None:
    """The user who requested the run is not protected and gets the name."""
    ana = User.objects.create_user("ana")
    vera = User.objects.create_user("vera", shielded_since=timezone.now())
    Circuit.objects.update(owner=vera)
    notice_of(run_of(lived, *three, asked_by=ana), "run_over")
    champion = ranking.standings(lived.season)[0].name
    named = {
        (row.user_id, row.kind): champion in notification_text(row.kind, row.data)
        for row in Notice.objects.all()
    }
    assert named == {(ana.pk, "run_over"): True, (vera.pk, "season_over"): False}


def test_stored_notifications_of_earlier_releases_can_still_be_shown() -> None:
    data = {"season": "Barrio 2027", "corridas": 3, "names": "Espartero"}
    said = notification_text("run_over", data)
    assert said.endswith("Corridas played: 3. In the news: Espartero.")
    assert notification_text("season_over", {"season": "Barrio 2027"}).endswith(
        "so its winter can begin."
    )


# Alternativas


def test_a_digest_lists_the_alternativas_of_its_corridas(
    lived: World, three: list[Corrida], client: Client
) -> None:
    """An alternativa on another day and one whose padrino is not on the cartel are not listed."""
    run = run_of(lived, *three)
    assert "took the alternativa" not in client.get(address(run)).text
    new, padrino, testigo, other = lived.matadors
    Matador.objects.filter(pk=new.pk).update(
        alternativa=three[0].date, padrino=padrino, testigo=testigo
    )
    Matador.objects.filter(pk=other.pk).update(
        alternativa=three[1].date, padrino=new, testigo=testigo
    )
    Matador.objects.filter(pk=testigo.pk).update(
        alternativa=three[0].date + dt.timedelta(days=1), padrino=padrino, testigo=new
    )
    assert new.pk not in three[1].cartel.puestos.values_list("matador", flat=True)
    cache.clear()
    said = text_of(client.get(address(run)).text)
    city = three[0].plaza.city
    assert said.count("took the alternativa") == 1
    assert (
        f"{new.billing} took the alternativa in {city} on 2 March from {padrino.billing}, with "
        f"{testigo.billing} as witness."
    ) in said
    row = client.get(f"/api/v1/circuits/leyendas/seasons/{YEAR}/digests/{run.pk}/").json()
    (sworn,) = row["alternativas"]
    assert (sworn["matador"], sworn["padrino"], sworn["testigo"]) == (
        new.slug, padrino.slug, testigo.slug,
    )  # fmt: skip
    assert sworn["links"]["corrida"].endswith(f"/corridas/{three[0].pk}/")
