"""The page and its addresses: what each answers, and what none of them tells."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.broadcast import source
from corridas.models import Circuit, Corrida
from tests.corridas.broadcast.conftest import OnAir

FRAGMENT = {"HX-Request": "true"}


def get(client: Client, path: str, *, fragment: bool = False, **more: str) -> Any:
    """A page, or the fragment of the stage; `more` are headers."""
    return client.get(path, headers={**(FRAGMENT if fragment else {}), **more})


def number(response: HttpResponse) -> int:
    """The moment that a page shows."""
    found = re.search(r'data-moment="(\d+)"', response.content.decode())
    assert found
    return int(found[1])


def told_by(response: HttpResponse) -> str:
    """Headers and body as one text."""
    head = "\n".join(f"{name}: {value}" for name, value in response.items())
    return head + "\n" + response.content.decode()


# --- before it begins ------------------------------------------------------------------------


def test_on_the_bill_the_bulls_have_no_matador(client: Client, announced: Corrida) -> None:
    page = get(client, f"/corridas/{announced.pk}/").content.decode()
    assert "bulls not drawn yet" in page
    assert "data-bull" not in page
    assert bytes(announced.cartel.commitment).hex() in page
    assert bytes(announced.cartel.seed).hex() not in page
    assert 'id="stage"' not in page


def test_a_corrida_without_a_cartel_has_a_page(client: Client, announced: Corrida) -> None:
    day = announced.date.replace(month=12)
    bare = Corrida.objects.create(season=announced.season, plaza=announced.plaza, date=day)
    assert get(client, f"/corridas/{bare.pk}/").status_code == 200


def test_a_page_that_waits_can_be_loaded_again_without_a_script(
    client: Client, announced: Corrida
) -> None:
    path = f"/corridas/{announced.pk}/"
    link = re.compile(rf'<noscript>[^§]*?<a class="btn" href="{path}">Reload</a>[^§]*?</noscript>')
    assert not link.search(get(client, path).text), "nothing begins by itself"
    Corrida.objects.filter(pk=announced.pk).update(state=Corrida.State.QUEUED)
    assert link.search(get(client, path).text)


def test_played_but_not_begun_is_not_begun(client: Client, on_air: OnAir) -> None:
    on_air.at(-1)
    page = get(client, f"/corridas/{on_air.corrida.pk}/").content.decode()
    assert 'id="stage"' not in page
    assert "data-bull" not in page
    response = get(client, f"/corridas/{on_air.corrida.pk}/0/0/")
    assert response.status_code == 302


# --- on air ----------------------------------------------------------------------------------


@pytest.mark.parametrize("moment", [0, 1, 2, 27, 60, 150])
def test_the_page_shows_what_the_clock_has_reached(
    client: Client, on_air: OnAir, moment: int
) -> None:
    on_air.at(moment)
    page = get(client, f"/corridas/{on_air.corrida.pk}/")
    assert number(page) == moment + 1
    assert page["Cache-Control"] == "no-store"
    assert number(get(client, f"/corridas/{on_air.corrida.pk}/", fragment=True)) == moment + 1


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[int]:
    """The moments whose pages are rendered, one after the other, with a cache as in a process."""
    near = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "drawn"}
    settings.CACHES = settings.CACHES | {"near": near}
    caches["near"].clear()
    moments: list[int] = []
    draw = source.draw

    def count(showing: Any, moment: int, language: str, **extra: Any) -> str:
        moments.append(moment)
        return draw(showing, moment, language, **extra)

    monkeypatch.setattr(source, "draw", count)
    return moments


def test_visitors_share_a_page_until_the_next_card(on_air: OnAir, drawn: list[int]) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    assert get(Client(), path).content == get(Client(), path).content
    assert drawn == [40]
    on_air.at(41)
    assert number(get(Client(), path)) == 42
    assert drawn == [40, 41]


@pytest.mark.parametrize(
    ("cookies", "told"),
    [
        ({"theme": "dark"}, 'data-theme="dark"'),
        ({"wording": "bloodless"}, "bloodless"),
        ({"django_language": "es"}, '<html lang="es"'),
        ({"zone": "America/Lima"}, "America/Lima"),
    ],
)
def test_nobody_gets_the_page_of_who_sees_another(
    on_air: OnAir, drawn: list[int], cookies: dict[str, str], told: str
) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    plain = get(Client(), path).content.decode()
    other = Client()
    other.cookies.load(cookies)
    theirs = get(other, path).content.decode()
    assert told in theirs
    assert told not in plain
    assert get(Client(), path).content.decode() == plain
    assert drawn == [40, 40]


def test_the_page_of_who_is_signed_in_is_their_own(
    on_air: OnAir, drawn: list[int], django_user_model: type[User]
) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    ana = Client()
    ana.force_login(django_user_model.objects.create_user("ana"))
    assert get(ana, path).status_code == get(ana, path).status_code == 200
    assert drawn == [40, 40]
    assert "Sign in" in get(Client(), path).content.decode()


def test_who_may_see_a_kept_page_is_asked_each_time(client: Client, on_air: OnAir) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    assert get(client, path).status_code == 200
    Circuit.objects.filter(pk=on_air.corrida.season.circuit_id).update(public=False)
    assert get(client, path).status_code == 404


def test_the_page_holds_the_very_fragment_that_the_feed_sends(
    client: Client, on_air: OnAir
) -> None:
    on_air.at(40)
    address = on_air.showing.timeline.address(40)
    path = f"/corridas/{on_air.corrida.pk}/{address.turn}/{address.card}/"
    sent = source.provide(str(on_air.corrida.pk), "en")
    assert sent is not None
    assert get(client, path, fragment=True).content == sent.render(41)
    # The page differs only by the stands, which are drawn once.
    page = get(client, path).content.decode()
    bare = re.sub(r'(class="co-stands"[^>]*>).*?</svg>', r"\1</svg>", page, flags=re.DOTALL)
    assert sent.render(41).decode() in bare


def test_beyond_the_clock_every_address_is_answered_alike(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    pk, line = on_air.corrida.pk, on_air.showing.timeline
    beyond = [(1, 30), (1, line.cards_per_lidia[0]), (1, 69), (2, 0), (2, 5), (6, 1), (6, 99)]
    pages, fragments = set(), set()
    for turn, card in beyond:
        page = get(client, f"/corridas/{pk}/{turn}/{card}/")
        pages.add((page.status_code, page["Location"], page.content))
        fragment = get(client, f"/corridas/{pk}/{turn}/{card}/", fragment=True)
        fragments.add((fragment.status_code, fragment.content, fragment.get("ETag")))
    assert pages == {(302, f"/corridas/{pk}/", b"")}
    assert fragments == {(404, b"", None)}


def test_who_was_sent_to_the_present_is_told_why(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    response = client.get(f"/corridas/{on_air.corrida.pk}/4/2/", follow=True)
    assert "has not been drawn yet" in response.content.decode()


@pytest.mark.slow
def test_a_lidia_ends_where_its_cards_end(client: Client, on_air: OnAir) -> None:
    line = on_air.showing.timeline
    on_air.at(line.moment((2, 3)))
    pk, cards = on_air.corrida.pk, line.cards_per_lidia[0]
    assert get(client, f"/corridas/{pk}/1/{cards}/").status_code == 200
    assert get(client, f"/corridas/{pk}/1/{cards + 1}/").status_code == 404
    assert number(get(client, f"/corridas/{pk}/1/")) == line.moment((1, cards)) + 1
    assert get(client, f"/corridas/{pk}/2/").status_code == 302
    assert get(client, f"/corridas/{pk}/8/0/").status_code == 404


@pytest.mark.parametrize("path", ["/corridas/999999/", "/corridas/999999/1/", "/corridas/9/1/1/"])
def test_no_such_corrida(client: Client, db: None, path: str) -> None:
    assert get(client, path).status_code == 404


def test_another_persons_private_circuit_is_not_there(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    Circuit.objects.update(public=False)
    pk = on_air.corrida.pk
    for path in (f"/corridas/{pk}/", f"/corridas/{pk}/1/", f"/corridas/{pk}/1/3/"):
        assert get(client, path).status_code == 404


# --- nothing of the future ---------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_of_what_is_to_come_stands_in_any_answer(on_air: OnAir) -> None:
    """Two corridas alike up to a moment and different after it answer alike, byte for byte.

    At the first moment, within a lidia, at the last one before they part, and after it.
    """
    line = on_air.showing.timeline
    check_answers(on_air, [0, 20, line.moment((4, 0)) - 1, line.moment((4, 0)) + 9])


@pytest.mark.nightly
def test_nothing_of_what_is_to_come_stands_in_any_answer_at_many_moments(on_air: OnAir) -> None:
    line = on_air.showing.timeline
    check_answers(on_air, [*range(1, line.moment((4, 0)), 13), len(line) - 2])


def check_answers(on_air: OnAir, seen: list[int]) -> None:
    """Ask for everything at these moments, in order, before and after the future is rewritten."""
    line = on_air.showing.timeline
    before = {moment: answers(on_air, moment) for moment in seen}
    rewrite_the_future(on_air)
    for moment in seen:
        alike = answers(on_air, moment) == before[moment]
        assert alike == (moment < line.moment((4, 0))), moment


def answers(on_air: OnAir, moment: int) -> list[str]:
    """All that a visitor can ask for at a moment, without what is new at every request."""
    pk, (turn, card) = on_air.corrida.pk, on_air.showing.timeline.address(moment)
    paths = [
        f"/corridas/{pk}/",
        f"/corridas/{pk}/{turn}/{card}/",
        f"/corridas/{pk}/{turn}/{card}/?story=all",
        f"/corridas/{pk}/{turn}/{card}/?to=score",
        f"/corridas/{pk}/{turn}/{card}/?to=faster",
        *(f"/corridas/{pk}/{turn}/" for turn in range(8)),
        f"/corridas/{pk}/{turn}/{card + 1}/",
        f"/corridas/{pk}/{turn + 1}/0/",
    ]
    texts = []
    for path in paths:
        for fragment in (False, True):
            on_air.at(moment)
            texts.append(told_by(get(Client(), path, fragment=fragment)))
    return [
        re.sub(r"(Set-Cookie|X-Request-ID).*|csrfmiddlewaretoken\S+ \S+", "", text)
        for text in texts
    ]


def rewrite_the_future(on_air: OnAir) -> None:
    """From the fourth bull on other cards: what went before cannot know of it."""
    from corridas.engine import play_corrida
    from corridas.models import Lidia
    from corridas.simulation.rows import setup_of
    from fairness import Seed

    other = play_corrida(setup_of(on_air.corrida), Seed(b"\x07" * 32))
    for lidia in other.lidias[3:]:
        rows = Lidia.objects.filter(corrida=on_air.corrida, turn=lidia.turn + 1)
        rows.update(draws=lidia.draws)
    source._cache.clear()


def test_the_seed_is_shown_when_the_corrida_is_posted(client: Client, on_air: OnAir) -> None:
    last = len(on_air.showing.timeline) - 1
    seed = bytes(on_air.corrida.cartel.seed).hex()
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(last)
    assert seed not in get(client, path).content.decode()
    Corrida.objects.filter(pk=on_air.corrida.pk).update(state="posted")
    page = get(client, path).content.decode()
    assert seed in page
    assert number(get(client, path)) == last + 1
    assert "data-feed" in page
    assert "data-over" in page


# --- posted before the end was shown -----------------------------------------------------------


@pytest.fixture
def early(on_air: OnAir) -> OnAir:
    """A corrida whose results are posted while its broadcast is at the thirtieth moment."""
    on_air.at(30)
    Corrida.objects.filter(pk=on_air.corrida.pk).update(state="posted")
    return on_air


def test_what_is_posted_early_goes_on_at_its_own_pace(client: Client, early: OnAir) -> None:
    path = f"/corridas/{early.corrida.pk}/"
    page = get(client, path).content.decode()
    assert number(get(client, path)) == 31
    assert number(get(client, path, fragment=True)) == 31
    assert "data-over>" not in page
    assert 'data-mode="live"' in page
    assert bytes(early.corrida.cartel.seed).hex() not in page
    early.at(31)
    assert number(get(client, path)) == 32


def test_the_end_of_what_is_posted_early_is_shown_to_who_asks(client: Client, early: OnAir) -> None:
    path, last = f"/corridas/{early.corrida.pk}/", len(early.showing.timeline)
    assert f'href="{path}?to=end"' in get(client, path).content.decode()
    asked = get(client, f"{path}?to=end")
    page = asked.content.decode()
    assert number(asked) == number(get(client, f"{path}?to=end", fragment=True)) == last
    assert bytes(early.corrida.cartel.seed).hex() in page
    assert f'data-live="{path}?to=end"' in page
    assert number(get(client, f"{path}6/0/")) == early.showing.timeline.moment((6, 0)) + 1


def test_behind_the_shield_what_is_posted_early_is_followed_and_its_end_is_veiled(
    client: Client, early: OnAir
) -> None:
    since = early.corrida.on_air_at
    client.force_login(User.objects.create_user("vera", shielded_since=since))
    path = f"/corridas/{early.corrida.pk}/"
    assert number(get(client, f"{path}?live")) == 31
    assert number(get(client, path, fragment=True)) == 31
    assert get(client, f"{path}?live&to=end").status_code == 403


def test_nobody_asks_for_the_end_of_what_is_on_air(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    assert number(get(client, f"/corridas/{on_air.corrida.pk}/?to=end")) == 31


def test_cards_before_the_clock_lead_back_to_it(client: Client, early: OnAir) -> None:
    path = f"/corridas/{early.corrida.pk}/"
    page = get(client, f"{path}1/3/").content.decode()
    assert f'data-live="{path}"' in page
    assert 'data-latest="31"' in page
    assert number(get(client, f"{path}1/3/?to=faster", fragment=True)) == 15


def test_the_feed_of_what_is_posted_early_goes_on(early: OnAir) -> None:
    told = source.provide(str(early.corrida.pk), "en")
    assert told is not None
    now = dt.datetime.now(dt.UTC).timestamp()
    assert sum(moment <= now for moment in told.moments) == 31


# --- what may be kept --------------------------------------------------------------------------


def test_the_past_may_be_kept(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    path = f"/corridas/{on_air.corrida.pk}/1/9/"
    first = get(client, path, fragment=True)
    assert "max-age" in first["Cache-Control"]
    assert first["ETag"].startswith(f'"corrida-en-{on_air.corrida.pk}-11-')
    assert {"HX-Request", "Cookie", "Accept-Language"} <= set(re.split(r", ?", first["Vary"]))
    again = get(client, path, fragment=True, if_none_match=first["ETag"])
    assert again.status_code == 304
    on_air.at(200)
    later = get(client, path, fragment=True)
    assert (later.content, later["ETag"]) == (first.content, first["ETag"])
    assert get(client, path)["Cache-Control"] == "no-store"


def test_a_fixed_number_of_queries(client: Client, on_air: OnAir) -> None:
    def asked(path: str) -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert get(client, path, fragment=True).status_code == 200
        return len(queries)

    pk = on_air.corrida.pk
    on_air.at(200)
    source._cache.clear()
    cold = asked(f"/corridas/{pk}/")
    assert cold <= 9
    warm = {
        asked(path) for path in (f"/corridas/{pk}/", f"/corridas/{pk}/1/1/", f"/corridas/{pk}/2/")
    }
    assert warm == {1}


# --- stepping without a script -----------------------------------------------------------------


def test_to_the_next_score_and_to_the_present(client: Client, on_air: OnAir) -> None:
    from corridas.stage.scene import next_score

    on_air.at(60)
    pk, line = on_air.corrida.pk, on_air.showing.timeline
    goal = next_score(on_air.showing, 1)
    assert goal is not None
    assert goal < 60
    asked = get(client, f"/corridas/{pk}/1/0/?to=score")
    assert asked["Location"] == "/corridas/{}/{}/{}/".format(pk, *line.address(goal))
    turn, card = line.address(60)
    assert get(client, f"/corridas/{pk}/{turn}/{card}/?to=score")["Location"] == f"/corridas/{pk}/"
    fragment = get(client, f"/corridas/{pk}/{turn}/{card}/?to=faster", fragment=True)
    assert number(fragment) == 61


def test_every_key_is_a_link(client: Client, on_air: OnAir) -> None:
    on_air.at(60)
    page = get(client, f"/corridas/{on_air.corrida.pk}/1/5/").content.decode()
    for key in ("back", "pause", "step", "fast", "score", "live"):
        href = re.search(rf'data-key="{key}"\s+href="([^"]+)"', page)
        assert href, key
        assert get(client, href[1]).status_code in {200, 302}


@pytest.mark.slow
def test_spanish(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    page = get(client, f"/corridas/{on_air.corrida.pk}/", accept_language="es")
    told = page.content.decode()
    assert '<html lang="es"' in told
    assert f"/live/corrida-es/{on_air.corrida.pk}/" in told
    assert source.draw(on_air.showing, 30, "es").split('class="co-story"')[1][:400] in told
