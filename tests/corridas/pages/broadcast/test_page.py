"""The page of a broadcast and its URLs: what they show, and that they never reveal coming cards."""

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
    """Request a page, or with `fragment` only the part that htmx replaces; `more` are headers."""
    return client.get(path, headers={**(FRAGMENT if fragment else {}), **more})


def number(response: HttpResponse) -> int:
    """Return the number of the moment (step of the broadcast) that a page shows."""
    found = re.search(r'data-moment="(\d+)"', response.content.decode())
    assert found
    return int(found[1])


def told_by(response: HttpResponse) -> str:
    """Return headers and body of a response as one text."""
    head = "\n".join(f"{name}: {value}" for name, value in response.items())
    return head + "\n" + response.content.decode()


# Before the broadcast begins


def test_an_announced_corrida_shows_its_bulls_without_matadors(
    client: Client, announced: Corrida
) -> None:
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


def test_the_page_of_a_queued_corrida_has_a_reload_link_without_javascript(
    client: Client, announced: Corrida
) -> None:
    path = f"/corridas/{announced.pk}/"
    link = re.compile(rf'<noscript>[^§]*?<a class="btn" href="{path}">Reload</a>[^§]*?</noscript>')
    assert not link.search(get(client, path).text), "nothing begins by itself"
    Corrida.objects.filter(pk=announced.pk).update(state=Corrida.State.QUEUED)
    assert link.search(get(client, path).text)


def test_a_played_corrida_is_not_shown_before_its_broadcast_begins(
    client: Client, on_air: OnAir
) -> None:
    on_air.at(-1)
    page = get(client, f"/corridas/{on_air.corrida.pk}/").content.decode()
    assert 'id="stage"' not in page
    assert "data-bull" not in page
    response = get(client, f"/corridas/{on_air.corrida.pk}/0/0/")
    assert response.status_code == 302


# During the broadcast


@pytest.mark.parametrize("moment", [0, 1, 2, 27, 60, 150])
def test_the_page_shows_the_moment_that_the_broadcast_has_reached(
    client: Client, on_air: OnAir, moment: int
) -> None:
    on_air.at(moment)
    page = get(client, f"/corridas/{on_air.corrida.pk}/")
    assert number(page) == moment + 1
    assert page["Cache-Control"] == "no-store"
    assert number(get(client, f"/corridas/{on_air.corrida.pk}/", fragment=True)) == moment + 1


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch, settings: Any) -> list[int]:
    """Return the list of moments that were rendered, with a cache like that of one process."""
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


def test_visitors_share_a_cached_page_until_the_next_card(on_air: OnAir, drawn: list[int]) -> None:
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
def test_visitors_with_other_preferences_get_their_own_cached_page(
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


def test_the_page_of_a_signed_in_user_is_not_shared(
    on_air: OnAir, drawn: list[int], django_user_model: type[User]
) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    ana = Client()
    ana.force_login(django_user_model.objects.create_user("ana"))
    assert get(ana, path).status_code == get(ana, path).status_code == 200
    assert drawn == [40, 40]
    assert "Sign in" in get(Client(), path).content.decode()


def test_permission_to_see_a_cached_page_is_checked_at_each_request(
    client: Client, on_air: OnAir
) -> None:
    path = f"/corridas/{on_air.corrida.pk}/"
    on_air.at(40)
    assert get(client, path).status_code == 200
    Circuit.objects.filter(pk=on_air.corrida.season.circuit_id).update(public=False)
    assert get(client, path).status_code == 404


def test_the_page_contains_the_same_fragment_as_the_live_feed(
    client: Client, on_air: OnAir
) -> None:
    on_air.at(40)
    address = on_air.showing.timeline.address(40)
    path = f"/corridas/{on_air.corrida.pk}/{address.turn}/{address.card}/"
    sent = source.provide(str(on_air.corrida.pk), "en")
    assert sent is not None
    assert get(client, path, fragment=True).content == sent.render(41)
    # The page differs from the fragment only by the drawing of the stands, which is drawn once.
    page = get(client, path).content.decode()
    bare = re.sub(r'(class="co-stands"[^>]*>).*?</svg>', r"\1</svg>", page, flags=re.DOTALL)
    assert sent.render(41).decode() in bare


def test_every_address_beyond_the_present_card_gets_the_same_answer(
    client: Client, on_air: OnAir
) -> None:
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


def test_a_visitor_redirected_from_a_future_card_sees_the_reason(
    client: Client, on_air: OnAir
) -> None:
    on_air.at(30)
    response = client.get(f"/corridas/{on_air.corrida.pk}/4/2/", follow=True)
    assert "has not been drawn yet" in response.content.decode()


@pytest.mark.slow
def test_cards_beyond_the_end_of_a_lidia_are_not_found(client: Client, on_air: OnAir) -> None:
    line = on_air.showing.timeline
    on_air.at(line.moment((2, 3)))
    pk, cards = on_air.corrida.pk, line.cards_per_lidia[0]
    assert get(client, f"/corridas/{pk}/1/{cards}/").status_code == 200
    assert get(client, f"/corridas/{pk}/1/{cards + 1}/").status_code == 404
    assert number(get(client, f"/corridas/{pk}/1/")) == line.moment((1, cards)) + 1
    assert get(client, f"/corridas/{pk}/2/").status_code == 302
    assert get(client, f"/corridas/{pk}/8/0/").status_code == 404


@pytest.mark.parametrize("path", ["/corridas/999999/", "/corridas/999999/1/", "/corridas/9/1/1/"])
def test_an_unknown_corrida_is_not_found(client: Client, db: None, path: str) -> None:
    assert get(client, path).status_code == 404


def test_a_corrida_of_somebody_else_s_private_circuit_is_not_found(
    client: Client, on_air: OnAir
) -> None:
    on_air.at(30)
    Circuit.objects.update(public=False)
    pk = on_air.corrida.pk
    for path in (f"/corridas/{pk}/", f"/corridas/{pk}/1/", f"/corridas/{pk}/1/3/"):
        assert get(client, path).status_code == 404


# No response depends on coming cards


@pytest.mark.slow
def test_no_response_depends_on_cards_that_come_later(on_air: OnAir) -> None:
    """Compare a corrida before and after its later bulls are replaced.

    At the first moment, within a lidia and at the last moment before the fourth bull, all
    responses must be equal byte for byte. After it they must differ.
    """
    line = on_air.showing.timeline
    check_answers(on_air, [0, 20, line.moment((4, 0)) - 1, line.moment((4, 0)) + 9])


@pytest.mark.nightly
def test_no_response_depends_on_cards_that_come_later_at_many_moments(on_air: OnAir) -> None:
    line = on_air.showing.timeline
    check_answers(on_air, [*range(1, line.moment((4, 0)), 13), len(line) - 2])


def check_answers(on_air: OnAir, seen: list[int]) -> None:
    """Compare all responses at these moments before and after the later bulls are replaced."""
    line = on_air.showing.timeline
    before = {moment: answers(on_air, moment) for moment in seen}
    rewrite_the_future(on_air)
    for moment in seen:
        alike = answers(on_air, moment) == before[moment]
        assert alike == (moment < line.moment((4, 0))), moment


def answers(on_air: OnAir, moment: int) -> list[str]:
    """Return all responses that a visitor can get at a moment, without parts that differ each
    time.
    """
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
    """Replace the cards of the fourth and later bulls, which must not affect earlier pages."""
    from corridas.engine import play_corrida
    from corridas.models import Lidia
    from corridas.simulation.rows import setup_of
    from fairness import Seed

    other = play_corrida(setup_of(on_air.corrida), Seed(b"\x07" * 32))
    for lidia in other.lidias[3:]:
        rows = Lidia.objects.filter(corrida=on_air.corrida, turn=lidia.turn + 1)
        rows.update(draws=lidia.draws)
    source._cache.clear()


def test_the_seed_is_shown_only_when_the_corrida_is_posted(client: Client, on_air: OnAir) -> None:
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


# Corridas that are posted before their broadcast ends


@pytest.fixture
def early(on_air: OnAir) -> OnAir:
    """Return a corrida whose results are posted while its broadcast is at the thirtieth moment."""
    on_air.at(30)
    Corrida.objects.filter(pk=on_air.corrida.pk).update(state="posted")
    return on_air


def test_a_corrida_posted_early_continues_its_broadcast_at_its_own_pace(
    client: Client, early: OnAir
) -> None:
    path = f"/corridas/{early.corrida.pk}/"
    page = get(client, path).content.decode()
    assert number(get(client, path)) == 31
    assert number(get(client, path, fragment=True)) == 31
    assert "data-over>" not in page
    assert 'data-mode="live"' in page
    assert bytes(early.corrida.cartel.seed).hex() not in page
    early.at(31)
    assert number(get(client, path)) == 32


def test_the_end_of_a_corrida_posted_early_is_shown_on_request(
    client: Client, early: OnAir
) -> None:
    path, last = f"/corridas/{early.corrida.pk}/", len(early.showing.timeline)
    assert f'href="{path}?to=end"' in get(client, path).content.decode()
    asked = get(client, f"{path}?to=end")
    page = asked.content.decode()
    assert number(asked) == number(get(client, f"{path}?to=end", fragment=True)) == last
    assert bytes(early.corrida.cartel.seed).hex() in page
    assert f'data-live="{path}?to=end"' in page
    assert number(get(client, f"{path}6/0/")) == early.showing.timeline.moment((6, 0)) + 1


def test_a_protected_user_can_follow_a_corrida_posted_early_but_not_see_its_end(
    client: Client, early: OnAir
) -> None:
    since = early.corrida.on_air_at
    client.force_login(User.objects.create_user("vera", shielded_since=since))
    path = f"/corridas/{early.corrida.pk}/"
    assert number(get(client, f"{path}?live")) == 31
    assert number(get(client, path, fragment=True)) == 31
    assert get(client, f"{path}?live&to=end").status_code == 403


def test_the_end_of_a_corrida_on_air_cannot_be_requested(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    assert number(get(client, f"/corridas/{on_air.corrida.pk}/?to=end")) == 31


def test_earlier_cards_of_a_corrida_posted_early_link_to_the_present_card(
    client: Client, early: OnAir
) -> None:
    path = f"/corridas/{early.corrida.pk}/"
    page = get(client, f"{path}1/3/").content.decode()
    assert f'data-live="{path}"' in page
    assert 'data-latest="31"' in page
    assert number(get(client, f"{path}1/3/?to=faster", fragment=True)) == 15


def test_the_live_feed_of_a_corrida_posted_early_continues(early: OnAir) -> None:
    told = source.provide(str(early.corrida.pk), "en")
    assert told is not None
    now = dt.datetime.now(dt.UTC).timestamp()
    assert sum(moment <= now for moment in told.moments) == 31


def test_the_live_feed_says_that_results_are_posted_only_while_the_broadcast_continues(
    on_air: OnAir,
) -> None:
    def notice() -> str:
        told = source.provide(str(on_air.corrida.pk), "en")
        assert told is not None
        return told.notice

    on_air.at(30)
    assert notice() == "", "not posted yet"
    row = Corrida.objects.filter(pk=on_air.corrida.pk)
    row.update(state="posted")
    assert notice() == source.POSTED_EARLY
    now = dt.datetime.now(dt.UTC)
    row.update(on_air_at=now - dt.timedelta(hours=9), ends_at=now)
    assert notice() == "", "the broadcast is over"
    row.update(on_air_at=None, ends_at=None)
    assert notice() == "", "it was never on air"


# HTTP caching


def test_moments_of_the_past_may_be_cached_by_the_browser(client: Client, on_air: OnAir) -> None:
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


def test_a_page_of_a_broadcast_needs_a_constant_number_of_queries(
    client: Client, on_air: OnAir
) -> None:
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


# Navigation without JavaScript


def test_links_lead_to_the_next_score_and_to_the_present_card(
    client: Client, on_air: OnAir
) -> None:
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


def test_every_control_of_the_player_is_a_link(client: Client, on_air: OnAir) -> None:
    on_air.at(60)
    page = get(client, f"/corridas/{on_air.corrida.pk}/1/5/").content.decode()
    for key in ("back", "pause", "step", "fast", "score", "live"):
        href = re.search(rf'data-key="{key}"\s+href="([^"]+)"', page)
        assert href, key
        assert get(client, href[1]).status_code in {200, 302}


@pytest.mark.slow
def test_a_broadcast_can_be_shown_in_spanish(client: Client, on_air: OnAir) -> None:
    on_air.at(30)
    page = get(client, f"/corridas/{on_air.corrida.pk}/", accept_language="es")
    told = page.content.decode()
    assert '<html lang="es"' in told
    assert f"/live/corrida-es/{on_air.corrida.pk}/" in told
    assert source.draw(on_air.showing, 30, "es").split('class="co-story"')[1][:400] in told
