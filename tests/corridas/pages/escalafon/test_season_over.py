"""The page of the end of a season: its contents, its visitors, and its links to the winter."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from corridas.escalafon.queries import ranking
from corridas.escalafon.queries.season_over import lead_of, moment_of, season_over
from corridas.models import (
    Award,
    Corrida,
    Escalafon,
    Feria,
    Lidia,
    Matador,
    MatadorCard,
    Season,
    Winter,
)
from corridas.pages.escalafon import season_over as season_over_view
from corridas.simulation.packed_year import pack
from corridas.simulation.record_book import rebuild_record_book
from corridas.simulation.rows import engine_deck
from corridas.simulation.schedule import promise_winter
from corridas.simulation.winter import closing_careers
from corridas.world.winter import Year
from fairness import Seed
from tests.corridas.pages.conftest import Counted
from tests.databases import written_again
from tests.factories import OREJA, SILENCIO, World, live_through, small_circuit

ADDRESS = "/temporada/2027/final/"
SEED = Seed(sha256(b"final").digest())


@written_again
def ended_circuit(slug: str = "leyendas", **more: Any) -> World:
    world = live_through(small_circuit(slug, **more))
    rebuild_record_book(world.circuit.pk)
    promise_winter(world.season, SEED)
    return world


@pytest.fixture
def ended(db: None) -> World:
    """Return a season that is over and whose winter has not begun."""
    return ended_circuit()


def director(world: World, client: Client) -> None:
    world.circuit.owner = get_user_model().objects.create_user("presidente")
    world.circuit.save()
    client.force_login(world.circuit.owner)


def turn(world: World, *retired: int) -> None:
    """Complete the winter; these matadors retire in it."""
    careers = [career for _man, career in closing_careers(world.season, SEED)]
    news = [
        {
            "kind": "retired",
            "slug": world.matadors[number].slug,
            "name": world.matadors[number].name,
            "why": "age",
        }
        for number in retired
    ]
    known = pack(Year(year=2027, careers=careers, herds=()))
    Winter.objects.filter(season=world.season).update(
        done_at=timezone.now(), news=news, known=known
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_page_names_the_champion_and_the_results_of_the_season(
    ended: World, client: Client, language: str
) -> None:
    page = client.get(ADDRESS, headers={"accept-language": language})
    champion = ranking.standings(ended.season)[0]
    assert page.status_code == 200
    assert f"<h1>{champion.name}</h1>" in page.text
    assert not re.search(r'\sstyle="|<style|\son\w+="', page.text)
    for heading in ("race-h", "ferias-h", "moment-h", "awards-h", "compared-h"):
        assert f'id="{heading}"' in page.text
    assert 'href="/temporada/2027/goyesca/"' in page.text
    assert "/direccion/invierno/" not in page.text
    assert 'href="#next"' not in page.text
    podium = re.findall(r'class="place">(\d)</span>.*?#bust-(\w)"', page.text, re.DOTALL)
    assert podium == [("1", "a"), ("2", "b"), ("3", "a")]
    assert page.text.count("another matador leads the escalafón") == (language == "en")


@pytest.mark.parametrize(
    ("alternativa", "words"),
    [
        ("2027-03-01", "in the year of his alternativa"),
        ("2026-03-01", "in the year after his alternativa"),
        ("1917-03-01", "No matador was in his first two seasons"),
    ],
)
def test_the_page_explains_why_a_matador_won_the_award_for_newcomers(
    ended: World, client: Client, alternativa: str, words: str
) -> None:
    Matador.objects.filter(circuit=ended.circuit).update(alternativa=alternativa)
    Award.objects.filter(key="revelation").update(version=1)
    rebuild_record_book(ended.circuit.pk)
    assert words in client.get(ADDRESS).text


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        ("announced", "1 corrida is still to be played."),
        ("queued", "A corrida is on air."),
        ("on_air", "A corrida is on air."),
        ("at_table", "1 corrida is being played at a real table."),
    ],
)
def test_the_page_of_an_unfinished_season_says_what_is_left_to_play(
    ended: World, client: Client, state: str, sentence: str
) -> None:
    assert ended.matadors[0].name in client.get(ADDRESS).text
    corrida = ended.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    text = client.get(ADDRESS).text
    assert "The 2027 season is not over yet." in text
    assert sentence in text
    assert ended.matadors[0].name not in text
    assert 'href="/direccion/"' not in text


def test_a_season_without_corridas_says_that_none_was_fought(client: Client, db: None) -> None:
    small_circuit()
    assert "none of its corridas was fought" in client.get(ADDRESS).text


@pytest.mark.parametrize("year", ["1999", "99999"])
def test_the_end_of_an_unknown_season_is_not_found(ended: World, client: Client, year: str) -> None:
    assert client.get(f"/temporada/{year}/final/").status_code == 404


@pytest.mark.slow
def test_the_end_of_a_private_circuit_s_season_is_shown_to_its_director_only(
    client: Client, db: None
) -> None:
    world = ended_circuit("cerrado", public=False)
    address = f"/circuitos/cerrado{ADDRESS}"
    assert client.get(address).status_code == 404
    director(world, client)
    assert client.get(address).status_code == 200


@pytest.mark.slow
def test_only_the_director_gets_the_buttons_that_begin_the_winter(
    ended: World, client: Client
) -> None:
    buttons = 'name="then" value="season"'
    assert buttons not in client.get(ADDRESS).text
    client.force_login(get_user_model().objects.create_user("vera"))
    assert buttons not in client.get(ADDRESS).text
    director(ended, client)
    assert buttons in client.get(ADDRESS).text
    assert buttons not in Client().get(ADDRESS).text


def test_the_director_of_a_frozen_circuit_gets_no_buttons(ended: World, client: Client) -> None:
    director(ended, client)
    assert 'name="then"' in client.get(ADDRESS).text
    ended.circuit.frozen_at = timezone.now()
    ended.circuit.save()
    assert 'name="then"' not in client.get(ADDRESS).text


def test_the_director_can_leave_out_a_failed_corrida(ended: World, client: Client) -> None:
    director(ended, client)
    corrida = ended.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=corrida.pk).update(state="failed")
    text = client.get(ADDRESS).text
    assert 'name="leave" value="yes"' in text
    assert 'href="#next"' in text
    Corrida.objects.filter(pk=corrida.pk).update(state="announced")
    assert '· <a href="/direccion/">' in client.get(ADDRESS).text


@pytest.mark.parametrize(
    ("then", "goal"),
    [("winter", ADDRESS.replace("final", "invierno")), ("season", "/temporada/2028/"), ("", None)],
)
def test_the_buttons_start_the_winter_and_lead_to_its_news_or_the_next_season(
    ended: World, client: Client, then: str, goal: str | None
) -> None:
    director(ended, client)
    ended.circuit.calendar = [["Goyesca", "ronda", "03-01", 2, "daily"]]
    ended.circuit.save()
    answer = client.post("/direccion/invierno/", {"then": then})
    assert answer["Location"] == (goal or ADDRESS.replace("final", "invierno"))
    assert Season.objects.filter(year=2028).exists()
    text = Client().get(ADDRESS).text
    assert 'href="/temporada/2028/"' in text
    assert "The winter has changed the matadors’ ratings" in text


def test_matadors_who_may_retire_are_named_with_age_and_career_totals(
    ended: World, client: Client
) -> None:
    Matador.objects.update(counted_from=2027 - 44, promise=70)
    text = client.get(ADDRESS).text
    assert "Matadors who might retire" in text
    said = re.findall(r"[^>]*\b44\b[^<]*", text[text.index("Matadors who might retire") :])
    assert len(said) == len(set(said)) == 4
    Matador.objects.update(counted_from=2027 - 24)
    cache.clear()
    assert "Matadors who might retire" not in client.get(ADDRESS).text, "the rules let them go on"


def test_retired_matadors_are_named_although_their_career_totals_are_missing(
    ended: World, client: Client
) -> None:
    news = [{"kind": "retired", "slug": "nobody", "name": "Nadie", "why": "age"}]
    Winter.objects.update(done_at=timezone.now(), news=news)
    assert "Nadie" in client.get(ADDRESS).text


@pytest.mark.slow
def test_the_page_needs_as_many_queries_for_many_corridas_as_for_few(
    world: World, counted: Counted
) -> None:
    promise_winter(world.season, SEED)
    world.post(world.announce(dt.date(2027, 3, 2)))
    rebuild_record_book(world.circuit.pk)
    one = counted(ADDRESS)
    for day in (3, 4, 5):
        world.post(world.announce(dt.date(2027, 3, day), plaza=day % 2, first=day % 2))
    for year in (2024, 2025, 2026):
        world.another_season(year)
    rebuild_record_book(world.circuit.pk)
    assert counted(ADDRESS) == one <= 20
    turn(world, 1)
    one = counted(ADDRESS)
    turn(world, 1, 2, 3)
    assert counted(ADDRESS) == one <= 18


def test_a_cached_page_needs_one_query(
    ended: World, client: Client, django_assert_num_queries: Any
) -> None:
    turn(ended, 1)
    client.get(ADDRESS)
    with django_assert_num_queries(1):
        client.get(ADDRESS)


def test_a_protected_user_with_unwatched_corridas_cannot_open_the_page(
    ended: World, client: Client
) -> None:
    since = timezone.now() - dt.timedelta(days=2)
    user = get_user_model().objects.create_user("vera", shielded_since=since)
    client.force_login(user)
    assert "so-champ" in client.get(ADDRESS).text
    Corrida.objects.filter(date=dt.date(2027, 3, 2)).update(
        on_air_at=timezone.now() - dt.timedelta(days=1)
    )
    page = client.get(ADDRESS)
    assert page.status_code == 403
    assert "so-champ" not in page.text


@pytest.mark.parametrize(
    "address", ["/temporada/2027/", "/escalafon/2027/", "/temporada/2027/invierno/"]
)
def test_the_pages_of_the_season_link_to_its_end(
    ended: World, client: Client, address: str
) -> None:
    assert f'href="{ADDRESS}"' in client.get(address).text


def test_the_desk_links_to_the_end_of_the_season(ended: World, client: Client) -> None:
    director(ended, client)
    assert f'href="{ADDRESS}"' in client.get("/direccion/").text


def test_changes_of_the_first_rank_are_counted_from_stored_corridas(world: World) -> None:
    """Three matadors fight on 2 March, three on 4 March. One of the latter takes the lead."""
    world.post(world.announce(dt.date(2027, 3, 2), 0, 0), (OREJA, *[SILENCIO] * 5))
    world.post(world.announce(dt.date(2027, 3, 4), 1, 1), (OREJA, *[SILENCIO] * 5))
    course = ranking.course_of(world.season)
    people = ranking.people_by_id(matador.pk for matador in world.matadors)
    lead = lead_of(course, people)
    assert lead is not None
    assert (lead.changes, lead.longest, lead.days) == (1, world.matadors[0].pk, 2)
    assert lead.since == dt.date(2027, 3, 4)
    assert lead_of(ranking.SeasonResults((), ()), people) is None


def test_a_season_is_compared_with_earlier_seasons_only(ended: World) -> None:
    ended.another_season(2026)
    ended.another_season(2028)
    over = season_over(ended.season)
    assert [line.year for line in over.seasons] == [2027, 2026]
    this, before = over.seasons
    assert this.triumphs == 3
    assert this.rate == pytest.approx(0.5)
    assert before.triumphs == 0
    assert over.mean == replace(before, year=0)


def test_the_best_moment_of_a_season_shows_the_cards_that_spared_a_bull(
    ended: World,
) -> None:
    tail = moment_of(ended.season)
    assert tail is not None
    assert not tail.spared
    assert tail.places == (28, 29)
    Lidia.objects.filter(turn=1, corrida__date=dt.date(2027, 3, 4)).update(ending="spared")
    spared = moment_of(ended.season)
    assert spared is not None
    assert spared.spared
    assert (spared.lidia.turn, spared.places) == (1, (26, 27))
    Lidia.objects.update(draws=b"")
    unread = moment_of(ended.season)
    assert unread is not None
    assert unread.places == ()


TOLD = [
    # Each case: how the fight ended and the digits of its number, the INDULTO range on the
    # matador's card, and the expected sentence.
    (("spared", 1, 9), "14-25", "needed a number from 14 to 25, and turned 1, then 9: 19."),
    (("spared", 9, 1), "91", "needed exactly 91, and turned 9, then 1: 91."),
    (("spared", 0, 5), "1-5", "needed a number from 1 to 5, and turned 0, then 5: 5."),
    (("spared", 0, 0), "100", "needed exactly 100, and turned 0, then 0: 100."),
    (("spared",), "14-25", "won the indulto for a bull from Conde de Mayalde."),
    (("killed", 1, 9), "14-25", "Two cards made 19, and the score of 6 took the number to 50."),
    (("killed", 9, 1), "14-25", "Two cards made 91, and the score of 6 took the number to 50."),
]


@pytest.mark.parametrize(("lidia", "indulto", "sentence"), TOLD)
def test_the_best_moment_of_a_season_lists_its_cards_in_the_order_drawn(
    ended: World, client: Client, lidia: tuple[Any, ...], indulto: str, sentence: str
) -> None:
    """If a bull was spared, the cards of its final number are drawn after the cards that
    spared it.
    """
    ending, *digits = lidia
    after = [8, 2] if digits and ending == "spared" else []
    numbers = engine_deck(ended.deck.digest).numbers
    draws = bytes(numbers.index(digit) for digit in (*digits, *after))
    Lidia.objects.update(trophy=1, ending="killed")
    best = Lidia.objects.filter(turn=1, corrida__date=day(4))
    best.update(trophy=3, ending=ending, draws=draws, score=6, number=50)
    MatadorCard.objects.update(indulto=indulto)
    told = part_of(client.get(ADDRESS).text, "moment-h")
    assert sentence in plain(told)
    cards = [*zip(("First", "Second")[: len(digits)], map(str, digits), strict=True)]
    assert re.findall(r'aria-label="(\w+) card: (\d+)"', told) == cards
    assert re.findall(r'<b class="co-num">(?:<u>)?(\d)', told) == [str(digit) for digit in digits]


# Figures under their headings, orders and limits


def table_of(page: str, heading: str) -> list[dict[str, str]]:
    """Return the rows of the table in the section with this heading, as dicts keyed by column
    heading.
    """
    part = page[page.index(f'id="{heading}"') :]
    part = part[: part.index("</table>")]
    head, body = part.split("<tbody>")
    names = [plain(cell) for cell in re.findall(r"<th [^>]*>(.*?)</th>", head, re.DOTALL)]
    rows = re.findall(r"<tr.*?</tr>", body, re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in rows]
    return [dict(zip(names, map(plain, row), strict=True)) for row in cells]


def plain(text: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


def test_every_figure_is_shown_under_its_heading(ended: World, client: Client) -> None:
    """Each column has a different number. The mean is that of the earlier seasons."""
    first = Escalafon.objects.filter(season=ended.season).earliest("pk")
    Escalafon.objects.filter(pk=first.pk).update(indultos=7, injuries=11)
    for year, bulls, ears, indultos, injuries in ((2026, 10, 3, 2, 4), (2025, 10, 5, 1, 8)):
        row = Escalafon.objects.filter(season=ended.another_season(year)).earliest("pk")
        Escalafon.objects.filter(pk=row.pk).update(
            bulls=bulls, ears=ears, indultos=indultos, injuries=injuries
        )
    names = ("Season", "Ears per bull", "Triumphs", "Indultos", "Injuries", "Lead changes")
    lines = (
        ("2027", "0.50", "3", "7", "11", "1"),
        ("2026", "0.30", "0", "2", "4", "0"),
        ("2025", "0.50", "0", "1", "8", "0"),
        ("Mean", "0.40", "0.0", "1.5", "6.0", "0.0"),
    )
    assert table_of(client.get(ADDRESS).text, "compared-h") == [
        dict(zip(names, line, strict=True)) for line in lines
    ]


def test_at_most_six_seasons_are_compared(ended: World) -> None:
    for year in range(2019, 2027):
        ended.another_season(year)
    rows = Escalafon.objects.filter(season__year=2022)
    Escalafon.objects.filter(pk=rows.earliest("pk").pk).update(injuries=10)
    rows = Escalafon.objects.filter(season__year=2021)
    Escalafon.objects.filter(pk=rows.earliest("pk").pk).update(injuries=1000)
    over = season_over(ended.season)
    assert [line.year for line in over.seasons] == [2027, 2026, 2025, 2024, 2023, 2022]
    assert over.mean is not None
    assert over.mean.injuries == 2


def test_two_ears_in_one_corrida_are_a_triumph(ended: World) -> None:
    """The ears may come from one bull or from two.

    One ear, or two ears in different corridas, is no triumph.
    """
    Lidia.objects.update(trophy=0)
    for day, turn, trophy in ((2, 1, 1), (2, 4, 1), (2, 2, 1), (4, 1, 1), (4, 3, 2), (6, 3, 1)):
        Lidia.objects.filter(corrida__date=dt.date(2027, 3, day), turn=turn).update(trophy=trophy)
    assert season_over(ended.season).seasons[0].triumphs == 2


def day(number: int) -> dt.date:
    return dt.date(2027, 3, number)


def course(*days: tuple[int, str]) -> ranking.SeasonResults:
    """Return the events of corridas, each given by its day and the letters of its matadors.

    The first letter of the alphabet leads among tied matadors.
    """
    return ranking.SeasonResults(
        tuple(
            ranking.Paseillo(day(number), corrida, 1, ord(name))
            for corrida, (number, names) in enumerate(days)
            for name in names
        ),
        (),
    )


PEOPLE = {ord(name): ranking.MatadorNames(name, name, name, "") for name in "abc"}


@pytest.mark.parametrize(
    ("days", "changes", "longest", "held", "since"),
    [
        ([(1, "a")], 0, "a", 1, 1),
        ([(1, "a"), (5, "a")], 0, "a", 5, 1),
        # If matadors are tied at the end of a day, their names decide who leads, so the lead does
        # not change here.
        ([(1, "a"), (5, "b")], 0, "a", 5, 1),
        ([(1, "b"), (5, "a")], 1, "b", 4, 5),
        # `since` is the day of the last change, from which the champion leads for good.
        ([(1, "b"), (5, "a"), (6, "b"), (9, "b")], 2, "b", 8, 6),
        ([(1, "b"), (2, "a"), (6, "b"), (7, "a")], 3, "a", 5, 7),
        # The lead is only evaluated at the end of a day, so two corridas of one day count as one.
        ([(1, "a"), (3, "b"), (3, "b"), (3, "a"), (8, "c")], 0, "a", 8, 1),
        # If two matadors led for equally many days, the champion is named as the longest leader.
        ([(1, "b"), (3, "a"), (4, "a")], 1, "a", 2, 3),
    ],
)
def test_the_lead_of_a_season_is_described_by_changes_and_longest_leader(
    days: list[tuple[int, str]], changes: int, longest: str, held: int, since: int
) -> None:
    lead = lead_of(course(*days), PEOPLE)
    assert lead is not None
    assert (lead.changes, chr(lead.longest), lead.days, lead.since) == (
        changes, longest, held, day(since),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("held", "sentences"),
    [
        ([(2, 0)], "Pedro Romero led from the first day to the last."),
        (
            [(2, 0), (4, 1)],
            (
                "The lead changed hands once. Pedro Romero held the lead longest, for 2 days. "
                "Francisco Montes took the lead for good on 4 March."
            ),
        ),
        (
            [(2, 0), (3, 1), (8, 2)],
            (
                "The lead changed hands 2 times. Francisco Montes held the lead longest, for 5 "
                "days. José Redondo took the lead for good on 8 March."
            ),
        ),
        (
            [(2, 0), (3, 1)],
            (
                "The lead changed hands once. Francisco Montes held the lead longest, for 1 day. "
                "Francisco Montes took the lead for good on 3 March."
            ),
        ),
    ],
)
def test_the_page_names_the_champion_and_the_longest_leader_of_the_season(
    world: World, client: Client, held: list[tuple[int, int]], sentences: str
) -> None:
    """Each corrida is given by its day and its first matador, who cuts an ear.

    The matador with most corridas leads. The champion need not be the longest leader.
    """
    for number, first in held:
        world.post(world.announce(day(number), 1, first), (OREJA, *[SILENCIO] * 5))
    rebuild_record_book(world.circuit.pk)
    promise_winter(world.season, SEED)
    said = " ".join(client.get(ADDRESS).text.partition('class="so-say">')[2].split())
    assert said.partition("</p>")[0].strip() == sentences


LEVEL = {"corridas": 4, "ears": 8, "tails": 1, "indultos": 0, "avisos": 3}


@pytest.mark.parametrize(
    ("champion", "second", "words"),
    [
        ({"corridas": 6}, {}, "2 corridas more than {}."),
        ({"corridas": 5}, {}, "one corrida more than {}."),
        ({"ears": 9}, {}, "as many corridas as {}, whom he beats on trophies."),
        ({"tails": 2}, {}, "as many corridas as {}, whom he beats on trophies."),
        ({"indultos": 1}, {}, "as many corridas as {}, whom he beats on trophies."),
        ({"avisos": 2}, {}, "as many corridas and trophies as {}, with fewer avisos."),
        ({}, {}, "level with {} in corridas, trophies and avisos. The alphabet puts him first."),
        ({}, None, "and nobody else was announced."),
    ],
)
def test_the_champion_is_named_with_the_figure_that_decided(
    ended: World,
    client: Client,
    champion: dict[str, int],
    second: dict[str, int] | None,
    words: str,
) -> None:
    """The two matadors are Francisco Montes and Pedro Romero."""
    first, other = ended.matadors[1], ended.matadors[0]
    rows = Escalafon.objects.filter(season=ended.season)
    rows.delete()
    for matador, more in ((first, champion), (other, second)):
        if more is not None:
            rows.create(season=ended.season, matador=matador, category=1, **LEVEL | more)
    page = client.get(ADDRESS).text
    assert f"<h1>{first.billing}</h1>" in page
    lede = plain(page[page.index('class="lede"') :].partition("</p>")[0])
    assert lede.endswith(words.format(other.billing))


def test_the_best_moment_of_a_season_is_its_best_fight_or_the_first_of_equal_ones(
    ended: World,
) -> None:
    """A fight with a spared bull comes first. Then the trophy decides, then the score.

    A fight without a score comes last.
    """
    Lidia.objects.update(trophy=1, score=4, ending="killed")
    rows = list(Lidia.objects.order_by("corrida__date", "turn"))

    def moment() -> int:
        found = moment_of(ended.season)
        assert found
        return rows.index(found.lidia)

    assert moment() == 0
    steps: list[tuple[int, dict[str, object], int]] = [
        (17, {"score": 5}, 17),
        (17, {"score": None}, 0),
        (9, {"score": 5}, 9),
        (12, {"score": 5}, 9),
        (11, {"trophy": 2, "score": None}, 11),
        (14, {"ending": "spared", "score": None}, 14),
        (16, {"ending": "spared"}, 16),
    ]
    for number, change, best in steps:
        Lidia.objects.filter(pk=rows[number].pk).update(**change)
        assert moment() == best, (number, change)


def test_the_greatest_ferias_are_ranked_and_equal_ones_sorted_by_last_day(
    ended: World, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Series of single dates come after all ferias. Of equal ferias the earlier one comes first."""
    ears = {"one": 4, "two": 8, "three": 6, "four": 4}
    for number, (name, score) in enumerate(ears.items()):
        feria = Feria.objects.create(
            season=ended.season,
            plaza=ended.plazas[1],
            slug=name,
            name="Temporada de Arles" if name == "two" else f"Feria {name}",
            starts=dt.date(2027, 5, 1),
            ends=dt.date(2027, 5, 20 - number),
        )
        Award.objects.create(
            season=ended.season,
            feria=feria,
            key="triumph",
            matador=ended.matadors[0],
            score=score,
            detail={"terms": [["ears", score, 1]]},
        )
    Award.objects.exclude(feria__slug__in=ears).delete()
    named = []
    for most in (1, 3, 4):
        monkeypatch.setattr(season_over_view, "FERIAS", most)
        cache.clear()
        ferias = part_of(client.get(ADDRESS).text, "ferias-h")
        named.append(re.findall(r'href="/temporada/2027/(one|two|three|four)/"', ferias))
    assert named == [["three"], ["four", "three", "one"], ["four", "three", "two", "one"]]


def test_retired_matadors_are_not_listed_among_those_who_continue(
    ended: World, client: Client
) -> None:
    """Each of the four matadors who might retire is named exactly once."""
    Matador.objects.update(counted_from=2027 - 44, promise=70)
    doubted = part_of(client.get(ADDRESS).text, "Matadors who might retire")
    slugs = [matador.slug for matador in ended.matadors]
    assert sorted(linked(doubted)) == slugs
    for retired in ([1, 2], [0, 1, 2, 3]):
        turn(ended, *retired)
        cache.clear()
        text = client.get(ADDRESS).text
        everybody_left = len(retired) == len(slugs)
        assert ("who could have retired" in text) != everybody_left
        gone = part_of(text, "bye-h")
        staying = "" if everybody_left else part_of(text, "who could have retired")
        names = [slugs[number] for number in retired]
        assert linked(gone) == names
        assert sorted(linked(staying)) == sorted(set(slugs) - set(names))


def part_of(page: str, words: str) -> str:
    """Return the part of a section that follows these words."""
    start = page.index(words)
    return page[start : page.index("</section>", start)]


def linked(text: str) -> list[str]:
    return re.findall(r'href="/matadores/([\w-]+)/"', text)


def set_chances(world: World, number: int, ear: float, two_ears: float) -> None:
    figures = {"ear": ear, "two_ears": two_ears, "ears": ear + two_ears}
    world.matadors[number].cards.update(
        **{f"{name}_{category}": value for name, value in figures.items() for category in (1, 2, 3)}
    )


@pytest.mark.usefixtures("without_chances")
def test_the_ears_of_the_leaders_are_compared_with_the_expected_ones(
    ended: World, client: Client
) -> None:
    """A leader without chances has no comparison. The others keep theirs."""
    page = client.get(ADDRESS)
    assert "expected" not in page.text
    leaders = [line.pk for line, _suit, _expected in page.context["podium"]]
    numbers = [[man.pk for man in ended.matadors].index(pk) for pk in leaders]
    for number in numbers[:2]:
        set_chances(ended, number, 0.9, 0.6)
    cache.clear()
    MatadorCard.objects.update(ears_1=F("ears_1"))
    page = client.get(ADDRESS)
    bulls = [line.bulls for line, _suit, _expected in page.context["podium"]]
    # Two ears of every bull have the mean 1.5 and the variance 0.9 + 3 x 0.6 - 1.5 squared = 0.45.
    for count in bulls[:2]:
        deviation = (0.45 * count) ** 0.5
        assert f"{1.5 * count:.0f} ± {deviation:.0f} ears expected" in page.text
    assert page.context["podium"][2][2] is None
    assert page.text.count("ears expected") == 2
    assert "In about two of three seasons" in " ".join(page.text.split())
