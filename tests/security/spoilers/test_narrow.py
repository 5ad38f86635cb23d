"""Pages that one unwatched corrida hides in its circuit, and pages that stay open."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.db.models import F, Q
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from corridas.models import (
    Award,
    Bull,
    Cartel,
    Corrida,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Palmares,
    Season,
    Watched,
)
from corridas.models import Record as Held
from corridas.simulation.post import post_due
from tests.factories import CARD, RABO, World, small_circuit
from tests.security.spoilers.conftest import Afternoons

pytestmark = pytest.mark.django_db
# The day of the unwatched corrida.
DAY = dt.date(2028, 4, 10)
API = "/api/v1/circuits/leyendas/"
CHANGING = re.compile(r'csrfmiddlewaretoken" value="[^"]*"')


@dataclass
class Scene:
    """A circuit in its second season. Of its two broadcast corridas, the first was watched."""

    world: World
    hidden: Corrida
    hidden_bull: Bull
    quiet_bull: Bull


@pytest.fixture
def scene(person: User) -> Scene:
    """The circuit with a first season whose corrida was not broadcast, in another plaza and
    with another herd.
    """
    world = small_circuit()
    quiet = world.post(world.announce(dt.date(2027, 3, 5)))
    quiet_bull = Bull.objects.filter(cartel__corrida=quiet).earliest("pk")
    world.season = world.another_season(2028)
    old, world.feria = world.feria, _feria(world, "goyesca")
    assert old.slug == world.feria.slug, "the same every year"
    first = world.post(world.announce(DAY - dt.timedelta(days=7)))
    assert first.feria == world.feria
    world.herd = Ganaderia.objects.create(
        circuit=world.circuit, slug="miura", name="Miura", country="ES", continent="EU"
    )
    hidden = world.announce(DAY, plaza=1)
    world.air_in_earnest(hidden, seconds=100_000)
    Corrida.objects.filter(pk=hidden.pk).update(feria=_feria(world, "abril", plaza=1))
    assert hidden.pk in post_due(at=timezone.now())
    hidden.refresh_from_db()
    world.post(
        world.announce(DAY + dt.timedelta(days=3), plaza=1), [RABO] * 6
    )  # not broadcast, so not hidden
    _winter(world)
    return Scene(
        world=world,
        hidden=hidden,
        hidden_bull=Bull.objects.filter(cartel__corrida=hidden).earliest("pk"),
        quiet_bull=quiet_bull,
    )


def _winter(world: Any) -> None:
    """Create the outcome of the following winter, which depends on the whole season."""
    first, second, *_others = world.matadors
    MatadorCard.objects.create(matador=first, printing=2, rating=33, since=2029, **CARD)
    Matador.objects.filter(pk=first.pk).update(state="retired", retired_in=2028, counted_from=2000)
    novice = Matador.objects.create(circuit=world.circuit, slug="novice", name="A Novice")
    MatadorCard.objects.create(matador=novice, rating=44, since=2029, **CARD)
    Matador.objects.filter(pk=novice.pk).update(
        padrino=second, alternativa=DAY + dt.timedelta(days=300)
    )


def _feria(world: Any, slug: str, plaza: int = 0) -> Feria:
    return Feria.objects.create(
        season=world.season, plaza=world.plazas[plaza], slug=slug, name=f"Feria {slug}",
        starts=DAY, ends=DAY,
    )  # fmt: skip


# Plaza, herd and feria with which the hidden corrida has nothing to do.
ELSEWHERE = ("ronda", "mayalde", "goyesca")
BEFORE = DAY - dt.timedelta(days=1)
# Pages of totals that show the figures of the day before.
AS_OF = (
    *("/matadores/", "/matadores/matador-0/", "/matadores/matador-1/"),
    *("/matadores/?season=2028&category=2&sort=ears", "/enfermeria/"),
    *("/matadores/comparar/?m=matador-0&m=matador-1", "/plazas/", "/plazas/?sort=ears"),
    *("/ganaderias/", "/ganaderias/miura/"),
    *("/records/", "/records/plaza/arles/", "/records/feria/abril/", "/records/matador/matador-0/"),
    *("/records/ganaderia/miura/", "/salon/"),
    *("/mano-a-mano/matador-0/matador-1/", "/anuario/2028/"),
    *(
        "/escalafon/",
        "/escalafon/2028/",
        f"/escalafon/2028/?until={DAY}",
        "/escalafon/2028/?until=",
    ),
)
# A page with the totals of the day before and a calendar that leaves out only the unwatched
# corrida.
PLAZA = "/plazas/arles/"
# API endpoints with the totals of the day before.
FOR_PROGRAMS = (
    *(f"{API}hall/", f"{API}duels/matador-0/matador-1/"),
    *(f"{API}seasons/2028/yearbook/", f"{API}plazas/arles/"),
    *(f"{API}seasons/2028/escalafon/", f"{API}seasons/2028/race/"),
    *(f"{API}seasons/2028/escalafon/?until={DAY}", f"{API}herds/miura/"),
    *(f"{API}matadors/matador-0/", f"{API}matadors/matador-1/"),
)
# API lists in which each row says until which day its figures count.
LISTS = (f"{API}herds/", f"{API}matadors/", f"{API}cards/")
OPEN = (
    *FOR_PROGRAMS,
    *LISTS,
    "/escalafon/2028.csv",
    *AS_OF,
    "/",
    *("/escalafon/2027/", "/escalafon/2027.csv", "/temporada/2027/", "/temporada/2027/?by=feria"),
    *("/temporada/2027/goyesca/", "/temporada/2028/goyesca/", "/temporada/2027/invierno/"),
    *("/temporada/", "/temporada/2028/", "/temporada/2028/?by=feria", "/temporada/2028/abril/"),
    PLAZA,
    *(f"/{name}/?format=csv" for name in ("matadores", "ganaderias", "plazas")),
    *("/toros/", "/toros/?format=csv", "/toros/?season=all&herd=miura", "/toros/?fate=campo"),
    *(
        "/resultados/",
        "/resultados/?format=csv",
        "/resultados/?sort=ears",
        "/resultados/?herd=miura",
    ),
    *("/temporada/2027/archivo/", "/premios/2027/", "/anuario/2027/", "/records/plaza/ronda/"),
    *(f"/escalafon/2028/?until={BEFORE}", f"/escalafon/2028.csv?until={BEFORE}"),
    *(f"/escalafon/?until={BEFORE}", "/plazas/ronda/", "/ganaderias/mayalde/", "/toros/QUIET/"),
    *(f"{API}seasons/2027/", f"{API}seasons/2027/escalafon/", f"{API}seasons/2027/race/"),
    *(f"{API}seasons/2027/awards/", f"{API}seasons/2027/winter/"),
    *(f"{API}seasons/2027/ferias/", f"{API}seasons/2028/ferias/goyesca/"),
    *(f"{API}seasons/2028/", f"{API}seasons/2028/ferias/", f"{API}seasons/2028/ferias/abril/"),
    *("/api/v1/corridas/", "/api/v1/corridas/?state=posted", "/api/v1/corridas/?state=suspended"),
    *(f"{API}seasons/2028/escalafon/?until={BEFORE}", f"{API}seasons/2028/race/?until={BEFORE}"),
    *(f"{API}plazas/ronda/", f"{API}herds/mayalde/", f"{API}bulls/QUIET/"),
)
SHUT = (
    *("/temporada/2028/invierno/", "/premios/", "/premios/2028/"),
    *(f"/premios/2028/?until={BEFORE}", "/toros/HIDDEN/", "/corridas/CORRIDA/"),
    *(f"{API}bulls/HIDDEN/", f"{API}records/", f"{API}bulls/"),
    f"{API}matadors/?state=active",
)


def get_address(client: Client, address: str, scene: Scene) -> Any:
    cache.clear()
    for word, number in (
        ("QUIET", scene.quiet_bull.pk),
        ("HIDDEN", scene.hidden_bull.pk),
        ("CORRIDA", scene.hidden.pk),
    ):
        address = address.replace(word, str(number))
    return client.get(address)


@pytest.mark.slow
def test_pages_without_results_of_the_unwatched_corrida_stay_open(
    scene: Scene, shielded: Client
) -> None:
    told = {address: get_address(shielded, address, scene).status_code for address in OPEN}
    shut = {one for one, status in told.items() if status == 403}  # a winter may be still to come
    assert shut == set()


def test_pages_of_the_unwatched_corrida_and_later_totals_are_hidden(
    scene: Scene, shielded: Client
) -> None:
    told = {address: get_address(shielded, address, scene).status_code for address in SHUT}
    assert {address: status for address, status in told.items() if status != 403} == {}


@pytest.mark.slow
def test_open_pages_do_not_depend_on_the_hidden_result(scene: Scene, shielded: Client) -> None:
    before = {address: body(shielded, address, scene) for address in OPEN}
    turn_over(scene.hidden)
    wrong = [one for one in OPEN if body(shielded, one, scene) != before[one]]
    assert wrong == []


@pytest.mark.slow
def test_totals_of_the_day_before_do_not_depend_on_later_results(
    scene: Scene, shielded: Client
) -> None:
    before = {
        address: body(shielded, address, scene) for address in (*AS_OF, *FOR_PROGRAMS, *LISTS)
    }
    turn_over(scene.hidden, later=True)
    wrong = [one for one in before if body(shielded, one, scene) != before[one]]
    assert wrong == []


@pytest.mark.parametrize(
    "address",
    [
        "/escalafon/2028/",
        "/matadores/?sort=ears",
        "/mano-a-mano/matador-0/matador-1/",
        f"{API}duels/matador-0/matador-1/",
    ],
)
def test_tables_and_duels_change_only_for_users_who_may_see_the_result(
    scene: Scene, shielded: Client, client: Client, address: str
) -> None:
    before = {reader: body(reader, address, scene) for reader in (shielded, client)}
    turn_over(scene.hidden, later=True)
    assert body(client, address, scene) != before[client]
    assert body(shielded, address, scene) == before[shielded]


def body(client: Client, address: str, scene: Scene) -> str:
    return CHANGING.sub("", get_address(client, address, scene).getvalue().decode())


def turn_over(hidden: Corrida, *, later: bool = False) -> None:
    """Change everything that posting the hidden corrida has written, and optionally later
    results too.
    """
    turned = Q(date__gte=hidden.date) if later else Q(pk=hidden.pk)
    for lidia in Lidia.objects.filter(corrida__in=Corrida.objects.filter(turned)):
        Lidia.objects.filter(pk=lidia.pk).update(
            trophy=3 - (lidia.trophy or 0), score=77, number=99, avisos=2, crowd=None,
            ending="spared",
        )  # fmt: skip
    Corrida.objects.filter(turned).update(
        ears=F("ears") + 17, tails=F("tails") + 5, indultos=F("indultos") + 3, hurt=F("hurt") + 2
    )
    Corrida.objects.filter(pk=hidden.pk).update(
        state=Corrida.State.SUSPENDED, posted_at=F("posted_at") + dt.timedelta(minutes=7)
    )
    turned_out = Bull.objects.filter(lidia__corrida__in=Corrida.objects.filter(turned))
    turned_out.update(state=Bull.State.SEMENTAL)
    Escalafon.objects.filter(season=hidden.season).update(ears=F("ears") + 17, tails=F("tails") + 5)
    Palmares.objects.exclude(book__of__in=ELSEWHERE).update(ears=F("ears") + 17)
    Held.objects.exclude(book__of__in=ELSEWHERE).update(
        value=F("value") + 1000, season=hidden.season, corrida=hidden
    )
    Award.objects.filter(season=hidden.season).delete()
    for matador in Matador.objects.filter(puestos__cartel__corrida=hidden):
        Injury.objects.create(
            matador=matador, corrida=hidden, turn=2, grade="grave",
            since=hidden.date, until=hidden.date + dt.timedelta(days=9),
        )  # fmt: skip
        Matador.objects.filter(pk=matador.pk).update(
            state="active", retired_in=None, form="r" * 5, seasons=77
        )
    MatadorCard.objects.filter(since__gt=hidden.date.year).update(rating=77, oreja="43-60")
    Matador.objects.filter(slug="novice").delete()


@pytest.mark.parametrize("address", [*AS_OF, PLAZA])
def test_totals_page_says_that_it_ends_the_day_before(
    scene: Scene, shielded: Client, client: Client, person: User, address: str
) -> None:
    told, now = (get_address(one, address, scene) for one in (shielded, client))
    assert told.status_code == 200
    first = reverse("card", args=[scene.hidden.pk, 0, 0])
    assert f'<a href="{first}">the corrida of 10 April 2028 in Arles</a>' in told.text
    assert "as of 9 April 2028" in told.text
    assert "have not watched" not in now.text
    tag = told.get("ETag")
    assert tag is None or tag != now["ETag"]
    Watched.objects.create(user=person, corrida=scene.hidden, at=timezone.now())
    after = get_address(shielded, address, scene)
    assert "have not watched" not in after.text
    assert figures(after.text) == figures(now.text) != figures(told.text)
    assert after.get("ETag") != tag or tag is None


@pytest.mark.parametrize("address", FOR_PROGRAMS)
def test_api_totals_say_until_which_day_they_count(
    scene: Scene, shielded: Client, client: Client, person: User, address: str
) -> None:
    told, now = (
        get_address(shielded, address, scene).json(),
        get_address(client, address, scene).json(),
    )
    assert told["until"] == BEFORE.isoformat()
    assert told["unwatched"].endswith(reverse("api_moment", args=[scene.hidden.pk, 0, 0]))
    assert now["until"] is now["unwatched"] is None
    assert told.keys() == now.keys()
    Watched.objects.create(user=person, corrida=scene.hidden, at=timezone.now())
    assert get_address(shielded, address, scene).json()["until"] is None


def test_note_about_hidden_results_is_translated_into_spanish(
    scene: Scene, shielded: Client
) -> None:
    cache.clear()
    page = shielded.get("/matadores/matador-0/", headers={"accept-language": "es"}).text
    first = reverse("card", args=[scene.hidden.pk, 0, 0])
    way = f'<a href="{first}">la corrida del 10 de abril de 2028 en Arles</a>'
    assert f"las cifras hasta el 9 de abril de 2028 porque no has visto {way}" in page


def figures(page: str) -> list[str]:
    """Return the figures of a page without the user's menu."""
    return re.findall(r">[^<>]*\d[^<>]*<", page.partition('id="main"')[2])


@pytest.mark.parametrize("address", [*AS_OF, PLAZA, *FOR_PROGRAMS])
def test_changed_results_are_visible_without_spoiler_protection(
    scene: Scene, client: Client, address: str
) -> None:
    before = body(client, address, scene)
    turn_over(scene.hidden, later=True)
    assert body(client, address, scene) != before


@pytest.mark.parametrize("address", [*AS_OF, PLAZA, *FOR_PROGRAMS])
def test_totals_of_a_past_day_take_as_many_queries_for_many_corridas(
    scene: Scene, shielded: Client, address: str
) -> None:
    counts = []
    for more in (["2028-02-28"], ["2028-03-01", "2028-03-02", "2027-04-01", "2028-05-05"]):
        for day in map(dt.date.fromisoformat, more):
            scene.world.season = Season.objects.get(year=day.year)
            scene.world.post(scene.world.announce(day))
        with CaptureQueriesContext(connection) as caught:
            assert get_address(shielded, address, scene).status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1] <= 35


def test_api_list_says_of_a_hidden_corrida_only_that_it_is_over(
    scene: Scene, shielded: Client, client: Client
) -> None:
    hidden = scene.hidden
    Corrida.objects.filter(pk=hidden.pk).update(state=Corrida.State.SUSPENDED)

    def listed(asking: Client, state: str, **headers: str) -> dict[int, Any]:
        answer = asking.get("/api/v1/corridas/", {"state": state}, headers=headers)
        return {row["id"]: row for row in answer.json()["results"]}

    told = listed(shielded, "posted")[hidden.pk]
    assert (told["state"], told["posted_at"], told["bulls"]) == ("posted", None, [])
    assert told["veiled"] is True
    assert [share["bulls"] for share in told["matadors"]] == [[], [], []]
    assert listed(shielded, "suspended") == {}
    for asking, headers in ((client, {}), (shielded, {"veiled": "show"})):
        assert hidden.pk not in listed(asking, "posted", **headers)
        open_now = listed(asking, "suspended", **headers)[hidden.pk]
        assert (open_now["state"], open_now["veiled"]) == ("suspended", False)
        assert open_now["posted_at"]
        assert len(open_now["bulls"]) == 6


def test_api_list_takes_as_many_queries_with_hidden_corridas(
    scene: Scene, shielded: Client
) -> None:
    counts = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as caught:
            rows = shielded.get("/api/v1/corridas/", {"limit": limit}).json()["results"]
        assert len(rows) == limit
        counts.append(len(caught))
    assert counts[0] == counts[1]
    assert [row["veiled"] for row in rows] == [False, False, True]


def test_api_feria_leaves_out_awards_until_its_corrida_is_watched(
    scene: Scene, shielded: Client, client: Client, person: User
) -> None:
    address = f"{API}seasons/2028/ferias/abril/"
    now = client.get(address).json()
    assert now["awards"]
    assert now["veiled"] is False
    told = shielded.get(address).json()
    assert (told["awards"], told["veiled"]) == ([], True)
    lifted = shielded.get(address, headers={"veiled": "show", "host": "testserver"})
    assert lifted.json() == now
    Watched.objects.create(user=person, corrida=scene.hidden, at=timezone.now())
    assert shielded.get(address, headers={"host": "testserver"}).json() == now


def test_sire_is_hidden_like_his_sons(scene: Scene, shielded: Client) -> None:
    Bull.objects.filter(pk=scene.hidden_bull.pk).update(sire=scene.quiet_bull)
    assert get_address(shielded, "/toros/QUIET/", scene).status_code == 403


def test_all_corridas_can_be_marked_only_where_a_whole_circuit_is_hidden(
    scene: Scene, shielded: Client
) -> None:
    assert b"Mark the corrida as watched" in get_address(shielded, "/premios/", scene).content
    narrow = get_address(shielded, "/toros/HIDDEN/", scene).content
    assert b"Mark the corrida as watched" not in narrow
    assert b"Show results for half an hour" in narrow


@pytest.mark.parametrize("day", [f"{BEFORE}", f"{BEFORE - dt.timedelta(days=9)}"])
def test_ranking_of_an_earlier_day_is_not_hidden(
    scene: Scene, shielded: Client, client: Client, day: str
) -> None:
    for address in (f"/escalafon/2028/?until={day}", f"/escalafon/2028.csv?until={day}"):
        told, now = (
            get_address(one, address, scene).getvalue().decode() for one in (shielded, client)
        )
        assert "have not watched" not in told
        assert figures(told) == figures(now)
    address = f"{API}seasons/2028/escalafon/?until={day}"
    assert rows(shielded, address, scene) == rows(client, address, scene)


def rows(client: Client, address: str, scene: Scene) -> Any:
    """Return the rows of a list without host names, which differ between clients."""
    found = get_address(client, address, scene).json()
    told = found["results"] if "results" in found else found["rows"]
    return [{name: value for name, value in row.items() if name != "links"} for row in told]


@pytest.mark.parametrize("address", LISTS)
def test_api_rows_say_until_which_day_they_count(
    scene: Scene, shielded: Client, client: Client, person: User, address: str
) -> None:
    told, now = (rows(one, address, scene) for one in (shielded, client))
    assert {row["until"] for row in told} == {BEFORE.isoformat()}
    assert {row["until"] for row in now} == {None}
    assert told != [row | {"until": BEFORE.isoformat()} for row in now]
    Watched.objects.create(user=person, corrida=scene.hidden, at=timezone.now())
    assert rows(shielded, address, scene) == now


@pytest.mark.parametrize("address", ["/", "/temporada/2028/", "/temporada/2028/abril/", PLAZA])
def test_calendar_leaves_out_an_unwatched_corrida_until_it_is_revealed(
    scene: Scene, shielded: Client, client: Client, address: str
) -> None:
    verdicts = verdict_count(get_address(client, address, scene).content)
    assert b"Not watched yet" not in get_address(client, address, scene).content
    page = get_address(shielded, address, scene).content
    assert b"Not watched yet" in page
    assert f"/corridas/{scene.hidden.pk}/".encode() in page
    assert verdict_count(page) < verdicts
    shielded.post("/telon/mostrar/", {"circuit": "leyendas", "next": "/"})
    page = get_address(shielded, address, scene).content
    assert b"Not watched yet" not in page
    assert verdict_count(page) == verdicts


def verdict_count(page: bytes) -> int:
    """Return the number of verdicts on a page."""
    return page.count(b'class="badge') + page.count(b'class="v"')


def test_records_within_reach_wait_until_the_corrida_is_watched(
    scene: Scene, shielded: Client, client: Client, person: User
) -> None:
    season = scene.hidden.season
    coming = Corrida.objects.create(
        season=season, plaza=scene.hidden.plaza, date=DAY + dt.timedelta(days=9)
    )
    cartel = Cartel.objects.get(corrida=scene.hidden)
    puestos = list(cartel.puestos.all())
    cartel.pk, cartel.corrida = None, coming
    cartel.save()
    for puesto in puestos:
        puesto.pk, puesto.cartel, puesto.date = None, cartel, coming.date
        puesto.save()
    Palmares.objects.filter(book__scope="circuit").update(corridas=99)
    page, resource = f"/corridas/{coming.pk}/", f"/api/v1/corridas/{coming.pk}/"
    said = client.get(resource).json()["said"]
    assert said
    assert "Records within reach" in client.get(page).text
    assert "Records within reach" not in shielded.get(page).text
    assert shielded.get(resource).json()["said"] == []
    assert shielded.get(resource, headers={"veiled": "show"}).json()["said"] == said
    Watched.objects.create(user=person, corrida=scene.hidden, at=timezone.now())
    assert "Records within reach" in shielded.get(page).text
    assert shielded.get(resource).json()["said"] == said


def test_home_page_names_the_broadcast_without_its_results(
    afternoons: Afternoons, shielded: Client, client: Client
) -> None:
    told, veiled = client.get("/").text, shielded.get("/").text
    assert "Watch the ring" in told
    assert "Top of the escalafón" in told
    for page in (told, veiled):
        assert f"/corridas/{afternoons.on_air.pk}/" in page
        assert "Latest corridas" in page
    assert "Watch the ring" not in veiled
    assert "Top of the escalafón" not in veiled
    assert "Nothing live" not in veiled
    assert "The season is over" not in veiled
    assert reverse("card", args=[afternoons.on_air.pk, 0, 0]) in veiled
