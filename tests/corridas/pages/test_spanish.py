"""Spanish pages contain no English: neither in texts nor in drawings, forms or messages."""

from __future__ import annotations

import datetime as dt
import re
from html.parser import HTMLParser

import polib
import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts import urls as own_urls
from corridas import urls as season_urls
from corridas.models import CircuitCopy, Corrida, Run
from corridas.simulation.run import NOBODY
from tests.corridas.pages.tabletop.table import begin
from tests.databases import written_again
from tests.factories import World, live_through, small_circuit
from tests.locale.test_words import CATALOGUE, PLACE, spoken_as, texts

# Shorter English messages are not searched for, because they may occur in a page by chance.
LONG = 12

# English words that occur in no Spanish sentence. They reveal texts that are not translated.
ENGLISH = re.compile(
    r"\b(the|of|and|with|are|have|been|yet|this|that|from|which|what|who|their|its|"
    r"your|you|when|where|will|only|every|after|before|not|left|card|cards|bull|bulls|ears?|"
    r"points?|score|season|next|last)\b",
    re.IGNORECASE,
)

# Texts that are the same in both languages: the entry BULL on cards, and names of time zones.
PRINTED = re.compile(r"\bBULL\b|^bull$|^[A-Z]\w+/[\w/ -]+$")

# Names of URLs that only accept POST requests.
POSTED = {
    *("chair", "language", "desk_run", "desk_stop", "desk_air", "desk_cut_short", "desk_begin"),
    *(
        "desk_winter",
        "desk_fill",
        "desk_begin_season",
        "circuit_answer",
        "circuit_copy",
        "circuit_offer",
        "circuit_rest",
        "circuit_restore",
    ),
    *("notices_read", "notices_renew", "desk_table_back", "desk_table_time", "exchange_back"),
    *("watched", "watched_all", "unveil"),
}

# Names of URLs of files and feeds that only programs read.
TABLES = {
    *("calendar", "notices_feed", "notice", "notices_unsubscribe", "account_export_file"),
    *("escalafon_csv", "exchange_bundle", "exchange_workbook", "exchange_csv", "exchange_xlsx"),
    *("corrida_acta", "lidia_acta", "season_bundle"),
}


class English:
    """Finds English texts: whole messages of the catalogue, and words that only English has."""

    def __init__(self) -> None:
        self._messages = [
            _pattern(text)
            for entry in polib.pofile(str(CATALOGUE))
            for text, spoken in zip(texts(entry), spoken_as(entry), strict=True)
            if len(PLACE.sub("", text)) > LONG and text != spoken
        ]
        self._judged: dict[str, bool] = {}

    def among(self, pieces: list[str]) -> list[str]:
        """Return the texts that are English.

        Results are cached, because most texts are on every page.
        """
        for piece in set(pieces) - self._judged.keys():
            self._judged[piece] = self._is(piece)
        return [piece for piece in pieces if self._judged[piece]]

    def _is(self, piece: str) -> bool:
        if ENGLISH.search(PRINTED.sub("", piece)):
            return True
        # Most messages are ruled out by a search for their longest constant part, which is faster
        # than a regular expression.
        return any(part in piece and pattern.search(piece) for part, pattern in self._messages)


def _pattern(text: str) -> tuple[str, re.Pattern[str]]:
    """Return the longest constant part of a message, and a pattern for it with any values."""
    parts = PLACE.sub("\0", text).split("\0")
    whole = ".{1,60}?".join(map(re.escape, parts))
    return max(parts, key=len), re.compile(rf"(?<!\w){whole}(?!\w)")


@pytest.fixture(scope="module")
def english() -> English:
    """Return the detector of English texts, which all tests share."""
    return English()


@pytest.fixture
def busy(db: None) -> World:
    """Return a season with past, current and coming corridas, so that every page has contents."""
    return busy_circuit()


@written_again
def busy_circuit() -> World:
    lived = live_through(small_circuit())
    lived.announce(dt.date(2027, 5, 1))
    lived.air_in_earnest(lived.announce(dt.date(2027, 4, 1), 1), seconds=900)
    Corrida.objects.create(season=lived.season, plaza=lived.plazas[0], date=dt.date(2027, 6, 1))
    posted = Corrida.objects.filter(state="posted").earliest("date")
    lived.hurt_and_spare(posted)
    assert posted.posted_at is not None
    run = Run.objects.create(
        season=lived.season,
        until=posted.date,
        state="stopped",
        reason="injury,indulto,leader,record",
        done=1,
        total=2,
        asked_at=posted.posted_at,
        last=posted,
        fallen=[FALLEN],
    )
    Corrida.objects.filter(pk=posted.pk).update(run=run)
    Corrida.objects.create(
        season=lived.season,
        plaza=lived.plazas[1],
        date=dt.date(2027, 6, 2),
        state="failed",
        error=NOBODY,
    )
    return lived


FALLEN = {"key": "share_ears", "value": 4, "before": 3, "matador_id": None} | {
    "corrida_id": None,
    "turn": None,
}


@pytest.fixture
def director(busy: World, client: Client) -> Client:
    """Return a client of a superuser who directs the circuit and reads Spanish."""
    user = get_user_model().objects.create_superuser("presidente", "p@example.org", "x")
    busy.circuit.owner = user
    busy.circuit.save()
    client.force_login(user)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "es"
    return client


# Names of pages whose URLs have no arguments.
ALONE = (
    *("imprenta", "imprenta_deck", "imprenta_matadors", "imprenta_scoresheet", "imprenta_lists"),
    *("imprenta_glossary", "imprenta_rulings", "indulto_rules"),
    *("account", "profile", "notices", "notices_choices", "account_export"),
    *(
        "account_leave",
        "account_leave_undo",
        "records",
        "hall",
        "duels",
        "tienta",
        "tienta_new",
        "desk_tables",
        "exchange",
    ),
)


def _copies(busy: World) -> list[str]:
    """Return the URLs of copies of a circuit: waiting, cancelled, done, and failed."""
    user = get_user_model().objects.filter(username="presidente").first()
    states = [("queued", ""), ("cancelled", ""), ("done", "")]
    states += [("failed", reason) for reason in CircuitCopy.Reason.values]
    rows = [
        CircuitCopy(
            name="Barrio", asked_by=user, asked_at=timezone.now(), state=state, reason=reason
        )
        for state, reason in states
    ]
    return [
        reverse("circuit_copying", args=[row.pk]) for row in CircuitCopy.objects.bulk_create(rows)
    ]


def addresses(busy: World) -> dict[str, list[str]]:
    """Return the URLs of every named page of the apps, with something to show on each."""
    on_air = Corrida.objects.get(state="on_air")
    announced = Corrida.objects.filter(state="announced", cartel__isnull=False).get()
    bare = Corrida.objects.get(state="announced", cartel__isnull=True)
    posted = Corrida.objects.filter(state="posted").earliest("date")
    bulls = list(busy.herd.bulls.filter(lidia__corrida=posted).values_list("pk", flat=True)[:3])
    waiting = busy.herd.bulls.order_by("-pk").values_list("pk", flat=True)[0]
    year = busy.season.year
    match = begin(Client(), busy)
    return {
        "circuit_copying": _copies(busy),
        **{name: [reverse(name)] for name in ALONE},
        "winter": [reverse("winter", args=[year])],
        "season_over": [reverse("season_over", args=[year])],
        "awards": [reverse("awards"), reverse("awards", args=[year])],
        "yearbook": [reverse("yearbook", args=[year])],
        "records_of": [reverse("records_of", args=["plaza", busy.plazas[0].slug])],
        "duel": [reverse("duel", args=[one.slug for one in busy.matadors[:2]])],
        "indulto_hand": [
            reverse("indulto_hand", args=[match.pk]) + end for end in ("", "?bull=2&way=sheet")
        ],
        "tienta_sheet": [reverse("tienta_sheet", args=[match.pk])],
        "indulto_scoresheets": [f"{reverse('indulto_scoresheets')}?match={match.pk}"],
        "home": [reverse("home")],
        "escalafon": [
            reverse("escalafon"),
            reverse("escalafon", args=[year]) + "?sort=nada&category=9&until=ayer",
            reverse("escalafon", args=[year]) + "?category=1&until=2027-03-03&sort=-ears",
        ],
        "matadors": [reverse("matadors") + end for end in ("", "?otra=1&cols=style&sort=style")],
        "compare": [reverse("compare") + "?m=matador-0&m=matador-1&m=nadie"],
        "infirmary": [reverse("infirmary")],
        "bulls": [reverse("bulls") + end for end in ("", "?season=all", "?fate=campo")],
        "results": [reverse("results") + end for end in ("", "?since=ayer&with=tails")],
        "following": [reverse("following")],
        "follow_matador": [reverse("follow_matador", args=[busy.matadors[0].slug])],
        "follow_herd": [reverse("follow_herd", args=[busy.herd.slug])],
        "matador": [reverse("matador", args=[m.slug]) for m in busy.matadors],
        "plazas": [reverse("plazas")],
        "plaza": [reverse("plaza", args=[plaza.slug]) for plaza in busy.plazas],
        "herds": [reverse("herds")],
        "herd": [reverse("herd", args=[busy.herd.slug])],
        "bull": [reverse("bull", args=[pk]) for pk in (*bulls, waiting)],
        "season": [reverse("season", args=[year]) + end for end in ("", "?by=feria", "?month=9")],
        "feria": [reverse("feria", args=[year, busy.feria.slug])],
        "digests": [reverse("digests", args=[year])],
        "digest": [
            reverse("digest", args=[year, Run.objects.get().pk]) + end for end in ("", "?all=1")
        ],
        "glossary": [reverse("glossary")],
        "rules": [reverse("rules")],
        "desk": [reverse("desk")],
        "play": [reverse("play"), f"{reverse('play')}?until=banana"],
        "circuits": [reverse("circuits")],
        "circuit_new": [reverse("circuit_new")],
        "circuit_bring": [reverse("circuit_bring")],
        "season_file": [reverse("season_file", args=[year])],
        "circuit_settings": [reverse("circuit_settings")],
        "circuit_calendar": [reverse("circuit_calendar")],
        "circuit_delete": [reverse("circuit_delete")],
        "desk_cartel": [
            reverse("desk_cartel", args=[announced.pk]) + end
            for end in ("", "?chosen=1&sort=otra&show=otra&q=nadie", "?chosen=1&all=1&sort=rest")
        ],
        "corrida": [reverse("corrida", args=[c.pk]) for c in (on_air, announced, bare)],
        "corrida_verdict": [reverse("corrida_verdict", args=[posted.pk])],
        "lidia_verdict": [reverse("lidia_verdict", args=[posted.pk, 2])],
        "lidia": [reverse("lidia", args=[on_air.pk, turn]) for turn in (0, 1, 2)],
        "card": [reverse("card", args=[on_air.pk, 1, card]) for card in (0, 3, 12, 18, 25, 30)],
        "preferences": [reverse("preferences")],
    }


OFFICE = (
    "index",
    "accounts_user_changelist",
    *(
        f"corridas_{model}_{page}"
        for model in ("circuit", "deck", "matador", "plaza", "ganaderia", "bull", "feria")
        for page in ("changelist", "add")
    ),
    *(
        f"corridas_{model}_changelist"
        for model in ("season", "corrida", "lidia", "escalafon", "injury", "run")
    ),
)


class Words(HTMLParser):
    """Collects the texts of a page: visible text, and attributes shown or read aloud."""

    SAID = ("alt", "aria-label", "content", "data-gloss", "placeholder", "title")
    SILENT = ("script", "style", "code", "pre", "path")

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the texts in attributes. Of `meta` elements only the description counts."""
        named = dict(attrs)
        if tag != "meta" or named.get("name") == "description":
            self.pieces += [named[name] or "" for name in self.SAID if name in named]
        if tag in self.SILENT or named.get("lang") == "en":
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """End the part of the page whose text is ignored, such as a script."""
        if self.inside and self.inside[-1] == tag:
            self.inside.pop()

    def handle_data(self, data: str) -> None:
        """Collect text outside of ignored elements."""
        if not self.inside and data.strip():
            self.pieces.append(" ".join(data.split()))


def page_texts(page: str) -> list[str]:
    """Return all texts of a page."""
    reader = Words()
    reader.feed(page)
    return reader.pieces


def test_the_tests_of_spanish_cover_every_named_page(busy: World) -> None:
    patterns = [*season_urls.urlpatterns, *own_urls.urlpatterns]
    named = {pattern.name for pattern in patterns if isinstance(pattern, URLPattern)}
    assert named - POSTED - TABLES == set(addresses(busy))


@pytest.mark.slow
def test_every_page_is_translated_to_spanish(
    director: Client, busy: World, english: English
) -> None:
    found = {}
    for address in [one for some in addresses(busy).values() for one in some]:
        page = director.get(address, follow=True)
        assert page.status_code == (400 if "nada" in address else 200), address
        if wrong := english.among(page_texts(page.text)):
            found[address] = wrong
    assert not found


@pytest.mark.slow
def test_pages_of_a_site_without_a_season_are_translated_to_spanish(
    db: None, client: Client, english: English
) -> None:
    names = ("home", "escalafon", "matadors", "plazas", "herds", "season", "preferences")
    for address in (*map(reverse, names), "/nada/", "/accounts/login/", "/accounts/signup/"):
        page = client.get(address, headers={"accept-language": "es"}).text
        assert '<html lang="es"' in page, address
        assert not english.among(page_texts(page)), address


@pytest.mark.slow
@pytest.mark.parametrize("name", OFFICE)
def test_admin_lists_and_forms_are_translated_to_spanish(
    director: Client, english: English, name: str
) -> None:
    page = director.get(reverse(f"admin:{name}"))
    assert page.status_code == 200
    assert not english.among(page_texts(page.text))


@pytest.mark.slow
def test_messages_after_form_submissions_are_translated_to_spanish(
    director: Client, busy: World, english: English
) -> None:
    on_air = Corrida.objects.get(state="on_air")
    announced = Corrida.objects.filter(state="announced", cartel__isnull=False).get()
    same = busy.matadors[0].pk
    sent = [
        ("desk_run", [], {"far": "until"}),
        ("desk_run", [], {"far": "feria"}),
        ("desk_run", [], {"far": "until", "until": "2026-01-01"}),
        ("desk_air", [], {"corrida": announced.pk, "pace": "own", "seconds": "0"}),
        ("desk_run", [], {"far": "until", "until": "banana"}),
        ("desk_run", [], {"far": "again"}),
        ("desk_cartel", [announced.pk], {"chosen": 1, "matador": [same] * 3}),
        ("desk_cut_short", [announced.pk], {}),
        ("desk_cut_short", [on_air.pk], {}),
    ]
    for name, places, form in sent:
        page = director.post(reverse(name, args=places), form, follow=True)
        assert not english.among(page_texts(page.text)), name
    for address in (reverse("corrida", args=[on_air.pk]), reverse("lidia", args=[on_air.pk, 6])):
        over = page_texts(director.get(address).text)
        assert "Se acabó" in over or "Terminada" in over
        assert not english.among(over), address


@pytest.mark.slow
@pytest.mark.parametrize("model", ["circuit", "deck", "matador", "plaza", "season", "corrida"])
def test_admin_pages_of_single_rows_are_translated_to_spanish(
    director: Client, english: English, model: str
) -> None:
    row = apps.get_model("corridas", model).objects.earliest("pk")
    page = director.get(reverse(f"admin:corridas_{model}_change", args=[row.pk]))
    assert page.status_code == 200
    assert not english.among(page_texts(page.text))


def test_dates_have_the_spanish_form_on_spanish_pages(director: Client, busy: World) -> None:
    feria = director.get(reverse("feria", args=[2027, "goyesca"])).text
    assert "1 de marzo" in feria
    assert "Martes 2 de marzo" in director.get(reverse("season", args=[2027]) + "?month=3").text
    announced = Corrida.objects.filter(state="announced", cartel__isnull=False).get()
    assert "sábado 1 de mayo de 2027" in director.get(reverse("corrida", args=[announced.pk])).text
    ferias = director.get(reverse("season", args=[2027]) + "?by=feria").text
    assert "1 mar–9 mar" in re.sub(r"<[^>]+>", "", ferias)


def test_the_language_switch_in_the_footer_changes_the_language(
    busy: World, client: Client
) -> None:
    page = client.get(reverse("plazas"), headers={"accept-language": "en"}).text
    assert '<html lang="en"' in page
    switch = re.search(
        r'<form[^>]*action="([^"]+)"[^>]*>(?:(?!</form>).)*?Español', page, re.DOTALL
    )
    assert switch
    again = client.get(switch[1], {"language": "es", "next": reverse("plazas")}, follow=True).text
    assert '<html lang="es"' in again
    assert "Todas las plazas del circuito" in again
    back = client.get(switch[1], {"language": "en", "next": reverse("plazas")}, follow=True).text
    assert "Every plaza in the circuit" in back
