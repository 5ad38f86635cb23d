"""A corrida of a real table, entered step by step without JavaScript."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corridas.models import Matador, TableCorrida
from corridas.pages.tabletop.entry import (
    Writing,
    number_of_text,
    parse_integer,
    points_of,
    typed_of,
)
from leagues.matches.operations.matches import hand_in
from leagues.models import Match
from tests.corridas.pages.tabletop.table import Afternoon, begin, figures, lay, press
from tests.factories import World, account, browser
from tests.leagues.pages.matches.form import Press
from tests.leagues.pages.matches.games import INDULTO


@pytest.fixture
def ana() -> Client:
    return Client()


@pytest.fixture
def match(ana: Client, world: World) -> Match:
    return begin(ana, world)


@pytest.fixture
def afternoon(match: Match, world: World) -> Afternoon:
    return Afternoon.played(match, world)


def draft_of(match: Match) -> dict[str, Any]:
    """Return the stored draft of the sheet."""
    match.refresh_from_db()
    assert isinstance(match.draft, dict)
    return match.draft


def page_of(client: Client, match: Match, query: str = "") -> str:
    answer = client.get(f"/tienta/{match.pk}/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_table_corrida_starts_with_its_cartel_in_order_of_appearance(
    match: Match, world: World
) -> None:
    draft = draft_of(match)
    assert draft["plaza"] == {"name": "La Vieja", "rating": 2}
    assert [one["rating"] for one in draft["cartel"]] == [90, 89, 88]
    assert draft["leads"] == [0, 1, 0]
    assert len({bull["name"] for bull in draft["bulls"]}) == 6
    row = TableCorrida.objects.get(match=match)
    assert (row.circuit, row.plaza, str(row.date)) == (world.circuit, world.plazas[1], "2027-05-01")
    assert [seat.player.name for seat in match.seats.order_by("number")] == ["Ana", "Berta"]


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("plaza", "", "Choose a plaza."),
        ("date", "soon", "Enter the date."),
        ("matador-1", "", "Choose three matadors."),
        ("matador-1", "same", "Choose three different matadors."),
        ("bull-0", "twice", "Enter six different bulls."),
        ("bull-0", "x" * 61, "A name can have at most 60 characters."),
        ("name-1", "Ana", "has two seats in this match."),
        ("name-1", "A\u200bNA", "has two seats in this match."),
        ("name-1", "x" * 10_000, "A name can have at most 60 characters."),
    ],
)
def test_a_missing_value_gets_an_error_at_its_field(
    ana: Client, world: World, field: str, value: str, sentence: str
) -> None:
    sent = {"circuit": "leyendas", "plaza": str(world.plazas[0].pk), "date": "2027-05-01"}
    sent |= {f"matador-{place}": str(one.pk) for place, one in enumerate(world.matadors[:3])}
    sent |= {"own": "Ana", "herd": str(world.herd.pk), "lead-0": "0", "lead-1": "1", "lead-2": "0"}
    sent[field] = value
    if value == "same":
        sent["matador-1"] = sent["matador-0"]
    if value == "twice":
        sent |= {"bull-0": "Toro", "number-0": "7", "bull-1": "Toro", "number-1": "7"}
    answer = ana.post("/tienta/nueva/", sent)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert len(value) < 60 or value in answer.content.decode(), "what was typed stays"
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("zone", "day"),
    [("", "2027-04-30"), ("Europe/Madrid", "2027-05-01"), ("America/New_York", "2027-04-30")],
)
def test_the_form_of_a_table_corrida_offers_today_in_the_user_s_time_zone(
    ana: Client, world: World, monkeypatch: pytest.MonkeyPatch, zone: str, day: str
) -> None:
    at = dt.datetime(2027, 4, 30, 22, 30, tzinfo=dt.UTC)
    monkeypatch.setattr(timezone, "now", lambda: at)
    ana.cookies[settings.ZONE_COOKIE_NAME] = zone
    assert f'name="date" value="{day}"' in ana.get("/tienta/nueva/").text


@pytest.mark.slow
def test_a_lidia_can_be_entered_card_by_card(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    draws = afternoon.lidia(0).draws
    lay(ana, match, 0, draws)
    assert draft_of(match)["lidias"][0] == {"cards": list(draws)}
    page = page_of(ana, match, "?bull=1")
    assert "This lidia is over." in page
    assert "is-stands" in page
    assert 'href="?bull=2#lidia"' in page


@pytest.mark.slow
def test_only_cards_that_have_not_been_drawn_are_offered(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    first, second = afternoon.lidia(0).draws[:2]
    page = page_of(ana, match)
    assert page.count('value="card:') == 70
    lay(ana, match, 0, bytes([first, second]))
    page = page_of(ana, match)
    assert page.count('value="card:') == 68
    assert f'value="card:{first}"' not in page


@pytest.mark.parametrize(
    ("card", "sentence"),
    [("70", "is not a card"), ("x", "is not a card"), ("again", "has already been drawn.")],
)
def test_an_impossible_card_is_rejected(
    ana: Client, match: Match, afternoon: Afternoon, card: str, sentence: str
) -> None:
    first = afternoon.lidia(0).draws[0]
    lay(ana, match, 0, bytes([first]))
    text = str(first) if card == "again" else card
    press(ana, match, "typed", bull=1, way="cards", card=text)
    assert sentence in page_of(ana, match)
    assert draft_of(match)["lidias"][0] == {"cards": [first]}


@pytest.mark.slow
def test_the_last_card_can_be_undone(ana: Client, match: Match, afternoon: Afternoon) -> None:
    draws = afternoon.lidia(0).draws
    lay(ana, match, 0, draws[:2])
    press(ana, match, "back", bull=1, way="cards")
    assert draft_of(match)["lidias"][0] == {"cards": [draws[0]]}
    press(ana, match, "back", bull=1, way="cards")
    press(ana, match, "back", bull=1, way="cards")
    assert "There is no card to undo." in page_of(ana, match)


def test_a_lidia_can_be_entered_by_its_scoresheet(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    lidia = afternoon.lidia(0)
    press(ana, match, "put", **figures(lidia))
    assert set(draft_of(match)["lidias"][0]) == {"sheet"}
    page = page_of(ana, match, "?bull=1")
    assert "is-stands" in page
    assert "not checked" in page


@pytest.mark.parametrize(("press", "drawn"), [("card", 1), ("read", 0)])
def test_an_htmx_request_gets_only_the_lidia(
    ana: Client, match: Match, afternoon: Afternoon, press: str, drawn: int
) -> None:
    """Pressing Enter in a field sends the form with “read”."""
    do = f"card:{afternoon.lidia(0).draws[0]}" if press == "card" else press
    match.refresh_from_db()
    sent = {"version": match.version, "do": do, "bull": "1", "way": "cards"}
    headers = {"HX-Request": "true", "HX-Target": "lidia"}
    text = ana.post(f"/tienta/{match.pk}/", sent, headers=headers).content.decode()
    assert text.startswith('<section id="lidia"')
    assert f'data-drawn="{drawn}"' in text
    assert "<html" not in text


@pytest.mark.parametrize(
    ("typed", "leads"),
    [
        # For each matador, the seat (player) that was chosen to lead him. Ana has the first seat,
        # Berta the third.
        (("2", "0", "2"), [1, 0, 1]),
        (("0", "0", "2"), [0, 0, 1]),
        (("2", "2", "0"), [1, 1, 0]),
    ],
)
def test_an_empty_player_field_does_not_change_who_leads_a_matador(
    ana: Client, world: World, typed: tuple[str, ...], leads: list[int]
) -> None:
    more = {f"lead-{place}": seat for place, seat in enumerate(typed)}
    match = begin(ana, world, **{"name-1": "", "name-2": "Berta", **more})
    names = match.seats.order_by("number").values_list("player__name", flat=True)
    assert list(names) == ["Ana", "Berta"]
    assert match.draft is not None
    assert match.draft["leads"] == leads


def test_a_rejected_action_on_a_corrida_at_a_real_table_is_explained(
    ana: Client, match: Match
) -> None:
    Match.objects.update(state=Match.State.VOID)
    headers = {"HX-Request": "true", "HX-Target": "lidia"}
    answer = ana.post(f"/tienta/{match.pk}/", {"do": "card:1"}, headers=headers)
    assert answer.status_code == 403
    assert "state" in answer.text


def test_the_entered_cards_of_a_fight_can_be_cleared(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    lay(ana, match, 0, afternoon.lidia(0).draws[:3])
    press(ana, match, "wipe", bull=1, way="cards")
    assert draft_of(match)["lidias"][0] == {}


def enter_corrida(ana: Client, match: Match, afternoon: Afternoon) -> None:
    """Enter the first lidia by its cards, the others by their scoresheets."""
    lay(ana, match, 0, afternoon.lidia(0).draws)
    for lidia in afternoon.record.lidias[1:]:
        press(ana, match, "put", **figures(lidia))


@pytest.mark.slow
def test_a_whole_corrida_can_be_submitted_and_confirmed(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    enter_corrida(ana, match, afternoon)
    assert "Submit corrida" in page_of(ana, match)
    press(ana, match, "send")
    match.refresh_from_db()
    assert match.state == Match.State.HANDED_IN
    assert "Awaiting confirmation by a second player" in page_of(ana, match)
    berta = Client()
    berta.get(f"/matches/key/{match.key}/")
    guest = match.seats.get(number=1).player_id
    berta.post(f"/matches/key/{match.key}/", {"guest": guest})
    berta.post(f"/matches/{match.pk}/confirm/", {"version": match.version})
    match.refresh_from_db()
    assert match.state in (Match.State.CONFIRMED, Match.State.FINAL)
    assert "every card verified" in page_of(berta, match)


@pytest.mark.slow
def test_a_correction_with_a_cleared_lidia_cannot_be_submitted(db: None) -> None:
    two = [account(name) for name in INDULTO.names]
    match = INDULTO.open(INDULTO.league(two[0], *two), two)
    sheet = INDULTO.sheet(match)
    sent = hand_in(match=match, version=match.version, by=two[0], at=timezone.now(), content=sheet)
    page = INDULTO.press(browser(two[0]), sent, Press("rewrite"), Press("wipe", {"bull": "6"}))
    assert "Submit corrida" not in page


def test_the_referee_uses_the_name_of_a_matador_on_posters(
    ana: Client, match: Match, afternoon: Afternoon
) -> None:
    name = draft_of(match)["cartel"][0]["name"]
    Matador.objects.filter(name=name).update(apodo="Armillita")
    hurt = figures(afternoon.lidia(0)) | {"hurt-1": "on"}
    page = press(ana, match, "put", **hurt).content.decode() or page_of(ana, match)
    assert "can be injured, in this case Armillita." in page
    assert name not in page


def test_the_printed_scoresheet_contains_names_and_a_qr_code(ana: Client, match: Match) -> None:
    page = ana.get(f"/tienta/{match.pk}/hoja/").content.decode()
    assert "Pedro Romero" in page
    assert 'class="qr"' in page
    assert "La Vieja" in page


def test_the_list_of_table_corridas_shows_only_the_user_s_own(ana: Client, match: Match) -> None:
    assert f"/tienta/{match.pk}/" in ana.get("/tienta/").content.decode()
    assert f"/tienta/{match.pk}/" not in Client().get("/tienta/").content.decode()


@pytest.mark.slow
def test_pages_of_a_table_need_as_many_queries_for_three_corridas_as_for_one(
    ana: Client, world: World
) -> None:
    def count(address: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert ana.get(address).status_code == 200
        return len(queries)

    match = begin(ana, world)
    addresses = ("/tienta/", "/tienta/nueva/", f"/tienta/{match.pk}/")
    for address in addresses:
        ana.get(address)
    one = [count(address) for address in addresses]
    for day in ("02", "03"):
        begin(ana, world, date=f"2027-05-{day}")
    assert [count(address) for address in addresses] == one
    assert max(one) <= 12


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("", None),
        ("7", 7),
        ("+3 −2", {"entries": [3, -2]}),
        ("B2, B4", {"entries": [2, 4]}),
        ("x", "x"),
        ("-0", 0),
    ],
)
def test_points_are_read_in_the_notations_that_people_use(text: str, points: object) -> None:
    assert points_of(text) == points


@pytest.mark.parametrize(("text", "number"), [("12", 12), ("−7", -7), ("1e3", None), ("", None)])
def test_numbers_are_read_in_the_notations_that_people_use(text: str, number: int | None) -> None:
    assert parse_integer(text) == number
    assert number_of_text(text) == (number if number is not None else text or None)


def test_typed_figures_are_shown_again_as_they_were_typed(afternoon: Afternoon) -> None:
    for lidia in afternoon.record.lidias:
        fields = figures(lidia)
        writing = Writing(turn=lidia.turn, way="sheet")
        writing.typed = {name: text for name, text in fields.items() if "-" in name}
        writing.typed |= {name: fields.get(name, "") for name in ("avisos", "indulto", "number")}
        again = Writing(turn=lidia.turn, way="sheet")
        starter, able = lidia.result.starter, (0, 1, 2)
        again.typed = typed_of(writing.lidia(starter, able))
        assert again.lidia(starter, able) == writing.lidia(starter, able)


@pytest.mark.parametrize("kept", [None, 7, {"turn": 9}, {"way": "other"}, {"nothing": 1}])
def test_unusable_session_data_give_an_empty_form(kept: object) -> None:
    assert Writing.from_stored(kept) == Writing()


LEADS: list[Any] = [
    # Names of the second and third player and the chosen leaders. Then the seats that lead, or the
    # index of the matador whose leader the form asks for.
    ("", "", ("0", "1", ""), [0, 0, 0]),
    ("", "", ("", "", ""), [0, 0, 0]),
    ("Berta", "", ("0", "1", "0"), [0, 1, 0]),
    ("Berta", "", ("0", "1", ""), 2),
    ("Berta", "", ("", "", ""), 0),
    ("Berta", "", ("0", "1", "2"), 2),  # that seat is empty
    ("Berta", "", ("0", "0", ""), [0, 0, 1]),  # only one matador and one player are left
    ("", "Carla", ("2", "0", "2"), [1, 0, 1]),
    ("Berta", "Carla", ("2", "0", ""), [2, 0, 1]),
    ("Berta", "Carla", ("2", "", ""), 1),
]


@pytest.mark.parametrize(("second", "third", "chosen", "led"), LEADS)
def test_the_form_asks_for_a_matador_s_leader_unless_only_one_is_possible(
    ana: Client, world: World, second: str, third: str, chosen: tuple[str, ...], led: Any
) -> None:
    sent = {"circuit": "leyendas", "plaza": str(world.plazas[0].pk), "date": "2027-05-01"}
    sent |= {f"matador-{place}": str(one.pk) for place, one in enumerate(world.matadors[:3])}
    sent |= {"own": "Ana", "herd": str(world.herd.pk), "name-1": second, "name-2": third}
    sent |= {f"lead-{place}": one for place, one in enumerate(chosen)}
    answer = ana.post("/tienta/nueva/", sent)
    if isinstance(led, int):
        names = " or ".join(["Ana", second]) if not third else f"Ana, {second} or {third}"
        asked = f"Choose who leads {world.matadors[led].billing}: {names}."
        assert answer.status_code == 422
        assert answer.context["form"].errors == {f"lead-{led}": asked}
        assert asked in answer.text
        assert answer.context["matadors"][0][:2] == (str(world.matadors[0].pk), chosen[0])
        assert not Match.objects.exists()
        return
    assert answer.status_code == 302
    draft = Match.objects.get().draft
    assert draft is not None
    found = dict(zip([row["name"] for row in draft["cartel"]], draft["leads"], strict=True))
    assert [found[one.name] for one in world.matadors[:3]] == led


def test_the_form_offers_the_names_of_players_where_they_are_known(
    ana: Client, world: World
) -> None:
    page = ana.get("/tienta/nueva/")
    assert [name for _key, name in page.context["leaders"]] == [
        "you",
        "the second player",
        "the third player",
    ]
    # The first two leaders are shown as chosen, the third is left open.
    assert [lead for _value, lead, _wrong in page.context["matadors"]] == ["0", "1", ""]
    again = ana.post("/tienta/nueva/", {"own": "Ana", "name-1": "Berta"})
    assert [name for _key, name in again.context["leaders"]] == ["Ana", "Berta", "the third player"]
