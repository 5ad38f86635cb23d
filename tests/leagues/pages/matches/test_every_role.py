"""The page of a match in every state and for every role: it offers exactly what works.

States, actions, roles of members and games are read from the code, so new ones fail until these
tables contain them.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from dominoes.engine import Rules as DominoRules
from leagues.exchange.formats import read_csv
from leagues.exchange.operations import import_results
from leagues.fixtures.operations import draw_next_swiss, forfeit_fixture
from leagues.games import games
from leagues.matches.operations import corrections, matches
from leagues.matches.operations.corrections import DisputeVerdict, restorable_versions
from leagues.models import Dispute, Fixture, League, Match, Member, Player, Proposal
from leagues.permissions import Action, allowed_actions, may_view_match
from leagues.results import finalise_due
from tests.databases import rolled_back
from tests.factories import account, browser, guest, small_circuit
from tests.leagues.pages.matches.form import Form, Press, open_free
from tests.leagues.pages.matches.games import DOMINOES, FORMS
from tests.leagues.pages.matches.offered import Offer, offers_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

S = Match.State
HOURS: Final = 72
PARTNERS: Final = replace(
    DOMINOES,
    rules=DominoRules(target=40, partners=True).options(),
    sheet=lambda _match: {"totals": [41, 7, 41, 7]},
    points=[41, 7, 41, 7],
    correction=(
        Press("rewrite"),
        Press("input_mode:score"),
        Press("score", {f"total-{seat}": str([43, 7][seat % 2]) for seat in range(4)}),
    ),
)
GAMES: Final[Mapping[str, Form]] = {form.game: form for form in FORMS} | {"partners": PARTNERS}


def test_roles_test_covers_every_game_with_scoresheets() -> None:
    with_scoresheets = {game.key for game in games.all_games() if game.hand_in}
    assert with_scoresheets == {form.game for form in GAMES.values()}


@dataclass(kw_only=True)
class Evening:
    """A match of any game, and people with every role."""

    form: Form
    league: League
    match: Match
    people: dict[str, Player | None]
    seats: list[Player]
    links: frozenset[str] = frozenset({"guest", "stranger with the link", "nobody with the link"})

    @property
    def url(self) -> str:
        return reverse(games[self.form.game].hand_in, args=[self.match.pk])

    def now(self) -> Match:
        return Match.objects.get(pk=self.match.pk)

    def do(self, operation: Callable[..., Match], role: str, **more: Any) -> None:
        match = self.now()
        operation(
            match=match, version=match.version, by=self.people[role], at=timezone.now(), **more
        )

    def enter(self, role: str) -> None:
        self.do(matches.hand_in, role, content=self.form.sheet(self.now()))

    def confirm(self, role: str = "player") -> None:
        self.do(matches.confirm, role)

    def dispute(self, role: str) -> None:
        self.do(corrections.dispute_match, role, reason="it was 18")

    def propose(self, role: str, verdict: DisputeVerdict) -> None:
        self.do(corrections.propose, role, verdict=verdict, reason="let it be")

    def wait(self) -> None:
        """Let the hours pass in which the result can be disputed."""
        ago = dt.timedelta(hours=HOURS + 1)
        of_match = Match.objects.filter(pk=self.match.pk)
        of_match.update(handed_in_at=F("handed_in_at") - ago, confirmed_at=F("confirmed_at") - ago)
        Dispute.objects.filter(match=self.match).update(at=F("at") - ago)
        Proposal.objects.filter(match=self.match).update(at=F("at") - ago)

    def client(self, role: str) -> Client:
        client = browser(self.people[role])
        if role in self.links:
            client.get(reverse("match_key", args=[self.match.key]))
        return client


def new_evening(form: Form, visibility: str) -> Evening:
    """Create a match with people of every role; the players in the first two seats have
    accounts.
    """
    organiser, player, partner = account("organiser"), account("player"), account("partner")
    boss, scorer = account("boss"), account("scorer")
    seats = [organiser, player, partner, guest("guest")][: max(2, len(form.names))]
    if len(form.names) == 2:
        seats = [organiser, player]
    league = form.league(boss, *seats, visibility=visibility, hours_to_object=HOURS)
    Member.objects.filter(league=league, player=organiser).update(role="organiser")
    Member.objects.create(
        league=league, player=scorer, role="scorer", plays=False, joined_at=timezone.now()
    )
    people: dict[str, Player | None] = {
        "organiser": organiser,
        "player": player,
        "boss": boss,
        "scorer": scorer,
        "admin": account("admin", is_superuser=True, is_staff=True),
        "stranger": account("stranger"),
        "stranger with the link": account("passer-by"),
        "nobody": None,
        "nobody with the link": None,
    }
    if len(seats) == 4:
        people |= {"partner": partner, "guest": seats[3]}
    return Evening(form=form, league=league, match=Match(), people=people, seats=seats)


# Ways in which a match comes about, and what happens to it afterwards.
Step = Callable[[Evening], None]


def _open(evening: Evening) -> None:
    evening.match = evening.form.open(evening.league, evening.seats)


def _matadors_to_choose(evening: Evening) -> None:
    """Create a circuit, because a match of Indulto without a cartel asks for one."""
    if evening.form.game == "indulto":
        small_circuit()


def _swiss(evening: Evening) -> Fixture:
    _matadors_to_choose(evening)
    League.objects.filter(pk=evening.league.pk).update(format="swiss", rounds_planned=3)
    evening.league.refresh_from_db()
    boss = evening.people["boss"]
    assert boss is not None
    (drawn,) = [draw_next_swiss(league=evening.league, by=boss, at=timezone.now())]
    return Fixture.objects.filter(round=drawn).get()


def _print(evening: Evening) -> None:
    fixture, boss = _swiss(evening), evening.people["boss"]
    assert boss is not None
    (evening.match,) = matches.open_round(fixture.round, by=boss, at=timezone.now())


def _forfeit(evening: Evening) -> None:
    fixture, boss = _swiss(evening), evening.people["organiser"]
    assert boss is not None
    evening.match = forfeit_fixture(fixture=fixture, seats={1}, by=boss, at=timezone.now())


def _import(evening: Evening, role: str = "boss") -> None:
    form, by = evening.form, evening.people[role]
    assert by is not None
    _matadors_to_choose(evening)
    rows = [
        f"1,m,2026-03-01 20:00,{seat.name},{number % 2 if form is PARTNERS else number},"
        f"{form.places[number] if form is not PARTNERS else 1 + number % 2},{form.points[number]}"
        for number, seat in enumerate(evening.seats)
    ]
    text = "match,key,played_at,player,side,place,points\n" + "\n".join(rows)
    done = import_results(league=evening.league, reading=read_csv(text), by=by, at=timezone.now())
    (evening.match,) = done.matches


def _waits(role: str) -> Step:
    def begin(evening: Evening) -> None:
        _open(evening)
        evening.enter(role)

    return begin


def _counts(role: str = "player") -> Step:
    def begin(evening: Evening) -> None:
        _open(evening)
        evening.enter("organiser" if role == "player" else "player")
        evening.confirm(role)

    return begin


def _then(first: Step, *steps: Step) -> Step:
    def begin(evening: Evening) -> None:
        first(evening)
        for step in steps:
            step(evening)

    return begin


def _final(evening: Evening) -> None:
    finalise_due(at=timezone.now() + dt.timedelta(hours=HOURS + 1))


def _void(evening: Evening) -> None:
    evening.do(corrections.void_match, "boss", reason="wrong table")


def _write(evening: Evening) -> None:
    """Enter the first part of the result of the match."""
    client = evening.client("player")
    evening.form.press(client, evening.now(), *evening.form.begun)


def _correct_own(evening: Evening) -> None:
    """Correct the match as an organiser who played in it.

    The correction waits for another player.
    """
    client = evening.client("organiser")
    evening.form.press(client, evening.now(), *evening.form.correction)
    sent = {"version": str(evening.now().version), "reason": "miscounted", "short": "1"}
    client.post(reverse("match_correct", args=[evening.match.pk]), sent)
    assert evening.now().sheets.count() == 2


STANDS, VOID = DisputeVerdict.STANDS, DisputeVerdict.VOID
SITUATIONS: Final[Mapping[str, tuple[str, Step]]] = {
    "opened": (S.DRAFT, _open),
    "begun": (S.DRAFT, _then(_open, _write)),
    "printed": (S.DRAFT, _print),
    "entered by a player": (S.HANDED_IN, _waits("player")),
    "entered by the organiser who plays": (S.HANDED_IN, _waits("organiser")),
    "entered by the scorer": (S.HANDED_IN, _waits("scorer")),
    "entered by the other organiser": (S.HANDED_IN, _waits("boss")),
    "long entered": (S.HANDED_IN, _then(_waits("boss"), Evening.wait)),
    "a proposal before it counts": (
        S.HANDED_IN,
        _then(_waits("player"), lambda evening: evening.propose("organiser", VOID)),
    ),
    "confirmed": (S.CONFIRMED, _counts()),
    "confirmed by the other organiser": (S.CONFIRMED, _counts("boss")),
    "a proposal about what counts": (
        S.CONFIRMED,
        _then(_counts(), lambda evening: evening.propose("organiser", VOID)),
    ),
    "corrected by the organiser who played": (S.HANDED_IN, _then(_counts(), _correct_own)),
    "disputed by a player": (
        S.DISPUTED,
        _then(_counts(), lambda evening: evening.dispute("player")),
    ),
    "disputed before it counts": (
        S.DISPUTED,
        _then(_waits("player"), lambda evening: evening.dispute("organiser")),
    ),
    "disputed by the other organiser": (
        S.DISPUTED,
        _then(_waits("boss"), lambda evening: evening.dispute("boss")),
    ),
    "long disputed": (
        S.DISPUTED,
        _then(_counts(), lambda evening: evening.dispute("player"), Evening.wait),
    ),
    "a proposal about a dispute": (
        S.DISPUTED,
        _then(
            _counts(),
            lambda evening: evening.dispute("player"),
            lambda evening: evening.propose("organiser", STANDS),
        ),
    ),
    "final": (S.FINAL, _then(_counts(), _final)),
    "a proposal about a final result": (
        S.FINAL,
        _then(_counts(), _final, lambda evening: evening.propose("organiser", VOID)),
    ),
    "void": (S.VOID, _then(_counts(), _void)),
    "void before it was entered": (S.VOID, _then(_open, _void)),
    "forfeited": (S.CONFIRMED, _forfeit),
    "a disputed forfeit": (
        S.DISPUTED,
        _then(_forfeit, lambda evening: evening.dispute("player")),
    ),
    "a void forfeit": (S.VOID, _then(_forfeit, _void)),
    "imported": (S.CONFIRMED, _import),
    "imported by the organiser who plays": (
        S.HANDED_IN,
        lambda evening: _import(evening, "organiser"),
    ),
    "a disputed import": (
        S.DISPUTED,
        _then(_import, lambda evening: evening.dispute("player")),
    ),
}
VISIBILITIES: Final = tuple(League.Visibility)


def test_roles_test_covers_every_state_of_a_match() -> None:
    assert {state for state, _begin in SITUATIONS.values()} == set(S)


REFUSED: Final = re.compile(r'<p class="note (?:warning|error)">\s*(.*?)\s*</p>', re.DOTALL)
# Actions that have their own button on the page of a match.
BUTTONS: Final = frozenset(
    {Action.CONFIRM, Action.DISPUTE, Action.SETTLE, Action.PROPOSE, Action.ANSWER, Action.VOID}
)
# Actions that are performed in the form of the game.
FORM: Final = frozenset({Action.WRITE, Action.HAND_IN})
REWRITE: Final = frozenset({Action.HAND_IN, Action.CORRECT})
# Links that were already followed, by game, role, state and URL. Most links are on many pages.
_FOLLOWED: Final[set[tuple[str, str, str, str]]] = set()


def test_roles_test_covers_every_action() -> None:
    assert BUTTONS | FORM | REWRITE | {Action.RESTORE} == set(Action)


@dataclass(kw_only=True)
class Seen:
    """The page of a match as a person with a role sees it."""

    evening: Evening
    role: str
    match: Match
    page: str
    offers: list[Offer]
    links: list[str]
    actions: frozenset[Action]

    @property
    def player(self) -> Player | None:
        return self.evening.people[self.role]

    def missing(self) -> Iterator[str]:
        """Yield actions that the page offers although they are not allowed, or does not offer
        although they are allowed.
        """
        at = f"/matches/{self.match.pk}/"
        shown = {offer.action for offer in self.offers}
        for action in BUTTONS:
            if (f"{at}{action}/" in shown) != (action in self.actions):
                yield f"{action}: allowed {action in self.actions}"
        draft = self.match.state == S.DRAFT
        if (draft and self.evening.url in shown) != (draft and bool(FORM & self.actions)):
            yield f"form: allowed {bool(FORM & self.actions)}"
        may_rewrite = not draft and bool(REWRITE & self.actions)
        if ('value="rewrite"' in self.page) != may_rewrite:
            yield f"rewrite: allowed {may_rewrite}"
        may_rematch = matches.may_rematch(self.match, self.player)
        if (f"{at}again/" in shown) != may_rematch:
            yield f"rematch: allowed {may_rematch}"
        versions = {int(link.split("/")[-2]) for link in self.links if f"{at}versions/" in link}
        if versions != self.restorable():
            yield f"versions: allowed {self.restorable()}, shown {versions}"

    def restorable(self) -> set[int]:
        if Action.RESTORE not in self.actions:
            return set()
        sheets = list(self.match.sheets.all())
        keys = restorable_versions(self.match, sheets)
        if self.match.state != S.VOID:
            keys -= {self.match.sheet_id or 0}
        return {sheet.number for sheet in sheets if sheet.pk in keys}

    def refused(self) -> Iterator[str]:
        """Follow all links and press all buttons, and yield those that are rejected.

        All changes are rolled back.
        """
        for link in sorted(set(self.links)):
            kind = (self.evening.form.game, self.role, self.match.state, re.sub(r"\d+", "", link))
            if kind not in _FOLLOWED:
                _FOLLOWED.add(kind)
                with rolled_back():
                    yield from self._follow(link)
        for offer in self.offers:
            if offer.action != self.evening.url:
                with rolled_back():
                    yield from self._press(offer)
        form = self.evening.form
        # Some forms require a first step, such as the choice of a cartel.
        if Action.WRITE in self.actions and not self.match.draft and form.open is open_free:
            with rolled_back():
                form.press(self.evening.client(self.role), self.evening.now(), *form.begun)
        if 'value="rewrite"' in self.page:
            with rolled_back():
                yield from self._rewrite()

    def _follow(self, link: str) -> Iterator[str]:
        answer = self.evening.client(self.role).get(link, follow=True)
        if answer.status_code != 200:
            yield f"link {link}: {answer.status_code}"
        elif not answer.streaming:
            text = answer.content.decode(errors="replace")
            yield from (f"link {link}: {sentence}" for sentence in REFUSED.findall(text))

    def _press(self, offer: Offer) -> Iterator[str]:
        """Press a button. The match must get a new version, or another match must be opened."""
        before = self.evening.now().version
        client = self.evening.client(self.role)
        answer = client.post(offer.action, offer.sent("because I say so"))
        what = f"button {offer.action} {offer.value}"
        if answer.status_code != 302:
            yield f"{what}: {answer.status_code}"
        elif offer.action.endswith("/again/"):
            if answer.headers["Location"] == self.evening.url:
                yield f"{what}: no rematch"
        elif self.evening.now().version != before + 1:
            yield f"{what}: nothing happened"

    def _rewrite(self) -> Iterator[str]:
        """Press "Correct result", which must open a form that can be left again."""
        client, version = self.evening.client(self.role), str(self.match.version)
        sent = {"do": "rewrite", "version": version}
        text = client.post(self.evening.url, sent, follow=True).content.decode()
        yield from (f"rewrite: {sentence}" for sentence in REFUSED.findall(text))
        if 'value="leave"' not in text:
            yield "rewrite: no form that can be left"
        client.post(self.evening.url, {"do": "leave", "version": version})
        if 'id="ticket"' not in client.get(self.evening.url).content.decode():
            yield "rewrite: not left"


def open_page(evening: Evening, role: str) -> Seen | str:
    """Return the page, or the status of a response without a page."""
    client, player, match = evening.client(role), evening.people[role], evening.now()
    answer = client.get(evening.url)
    if answer.status_code != 200:
        return str(answer.status_code)
    page = answer.content.decode().partition("<main")[2].partition("</main>")[0]
    offers, links = offers_of(page, below="/")
    return Seen(
        evening=evening,
        role=role,
        match=match,
        page=page,
        offers=offers,
        links=links,
        actions=allowed_actions(player, match, at=timezone.now()),
    )


def faults_of(evening: Evening, role: str) -> list[str]:
    visible = may_view_match(evening.people[role], evening.now(), knows_link=role in evening.links)
    seen = open_page(evening, role)
    if isinstance(seen, str):
        return [f"{role}: {seen}"] if visible or seen != "404" else []
    if not visible:
        return [f"{role}: sees what is hidden"]
    return [f"{role}: {fault}" for fault in (*seen.missing(), *seen.refused())]


def _each_with_each() -> Iterator[Any]:
    """Yield every situation in every game. By day, every sixth situation is tried in one game."""
    for first, situation in enumerate(SITUATIONS):
        for second, game in enumerate(GAMES):
            daily = first % 6 == 0 and (first // 6 + second) % len(GAMES) == 0
            marks = [] if daily else [pytest.mark.nightly]
            yield pytest.param(game, situation, marks=marks, id=f"{game}-{situation}")


@pytest.mark.parametrize(("game", "situation"), list(_each_with_each()))
def test_match_page_offers_each_role_exactly_what_works(game: str, situation: str) -> None:
    state, begin = SITUATIONS[situation]
    visibility = VISIBILITIES[list(SITUATIONS).index(situation) % len(VISIBILITIES)]
    evening = new_evening(GAMES[game], visibility)
    begin(evening)
    assert evening.now().state == state
    faults = [fault for role in evening.people for fault in faults_of(evening, role)]
    assert faults == [], "\n".join(faults)


def test_roles_test_covers_every_role_of_members(db: None) -> None:
    evening = new_evening(PARTNERS, League.Visibility.PUBLIC)
    roles = Member.objects.filter(league=evening.league).values_list("role", flat=True)
    assert set(roles) == set(Member.Role)
