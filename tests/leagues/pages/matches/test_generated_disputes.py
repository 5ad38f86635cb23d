"""Random disputes and corrections, in which people use only what their page offers.

An organiser plays, and only some of the others take part. Every match can be ended from a page, and
no player settles the own match alone. `DISPUTES` is the number of matches.
"""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corridas.engine import BULLS
from dominoes.engine import Rules as DominoRules
from fairness import Chance
from leagues.exchange.formats import read_csv
from leagues.exchange.operations import import_results
from leagues.games import games
from leagues.matches.operations.matches import hand_in
from leagues.models import Dispute, League, Match, Member, Player, Proposal, Result, Sheet
from leagues.permissions import Action, allowed_actions
from leagues.results import finalise_due
from tests import factories
from tests.databases import rolled_back
from tests.factories import browser, small_circuit
from tests.leagues.pages.matches.form import Form, Press
from tests.leagues.pages.matches.games import ELTORO, INDULTO, grid, score
from tests.leagues.pages.matches.offered import Offer, offers_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

DISPUTES: Final = int(os.environ.get("DISPUTES", "4"))
HOURS: Final = 72
S = Match.State


@dataclass(frozen=True, kw_only=True)
class DisputedGame:
    """A game with the sides of its seats, complete scoresheets, and the presses that enter each."""

    key: str
    names: Sequence[str]
    sides: Sequence[int]
    rules: Any
    sheets: Sequence[Any]
    presses: Sequence[Sequence[Press]]
    points: Sequence[Sequence[int]]
    form: Form | None = None


def _totals(*points: int) -> tuple[Press, ...]:
    fields = {f"total-{seat}": str(points[seat % len(points)]) for seat in range(4)}
    return (Press("rewrite"), Press("input_mode:score"), Press("score", fields))


PAIRS: Final = ((41, 7), (12, 44), (40, 39), (3, 58))
DAYS: Final = (("14 9 3 2", "8 17 1 0", "12 8 2 1"), ("14 9 3 2", "8 17 1 0", "12 19 2 1"))
KINDS: Final = (
    DisputedGame(
        key="dominoes",
        names=("ana", "beto", "carla", "dani"),
        sides=(0, 1, 0, 1),
        rules=DominoRules(target=40, partners=True).options(),
        sheets=[{"totals": [*pair, *pair]} for pair in PAIRS],
        presses=[_totals(*pair) for pair in PAIRS],
        points=PAIRS,
    ),
    DisputedGame(
        key="eltoro",
        names=("ana", "beto", "carla", "dani"),
        sides=(0, 1, 2, 3),
        rules=ELTORO.rules,
        sheets=[
            {"kind": "points", "days": [[int(n) for n in row.split()] for row in days]}
            for days in DAYS
        ],
        presses=[(Press("rewrite"), Press("points", grid(*days))) for days in DAYS],
        points=((34, 34, 6, 3), (34, 45, 6, 3)),
    ),
    DisputedGame(
        key="indulto",
        names=("ana", "beto"),
        sides=(0, 1),
        rules=INDULTO.rules,
        sheets=[],
        presses=[
            (
                Press("rewrite"),
                *(Press("put", score(bull, 50 + bull)) for bull in range(1, BULLS)),
                Press("put", score(BULLS, last)),
                Press("send"),
            )
            for last in (90, 56)
        ],
        points=((5, 2), (4, 2)),
        form=INDULTO,
    ),
)


@dataclass(kw_only=True)
class DisputeCase:
    """A match, the people who take part, and what each of them has done."""

    kind: DisputedGame
    chance: Chance
    league: League
    match: Match
    people: list[Player]
    there: dict[Player, Client]
    cartel: dict[str, str] = field(default_factory=dict)
    past: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        return reverse(games[self.kind.key].hand_in, args=[self.match.pk])

    def side(self, player: Player | None) -> int | None:
        person = player.person_id if player else None
        for number, one in enumerate(self.people):
            if one.pk == person:
                return self.kind.sides[number]
        return None

    def others_decide(self) -> bool:
        """Return whether an organiser neither played nor entered the match."""
        organisers = set(
            Member.objects.filter(league=self.league, role="organiser").values_list(
                "player", flat=True
            )
        )
        parties = {player.pk for player in self.people}
        parties |= set(
            Sheet.objects.filter(match=self.match, reason="").values_list("by", flat=True)
        )
        return bool(organisers - parties)


def _imported(case: DisputeCase, by: Player) -> Match:
    rows = [
        f"1,m,2026-03-01 20:00,{name},{side},{1 if points == best else 2},{points}"
        for (name, side) in zip(case.kind.names, case.kind.sides, strict=True)
        for points in [dict(enumerate(case.kind.points[0]))[side]]
        for best in [max(case.kind.points[0])]
    ]
    text = "match,key,played_at,player,side,place,points\n" + "\n".join(rows)
    done = import_results(league=case.league, reading=read_csv(text), by=by, at=timezone.now())
    return done.matches[0]


def _cartel() -> dict[str, str]:
    """Return fields of plaza and cartel, which a correction requires if only points were
    imported.
    """
    world = small_circuit()
    fields = {"circuit": world.circuit.slug, "plaza": str(world.plazas[0].pk)}
    fields |= {"date": "2027-05-01", "herd": str(world.herd.pk)}
    for place, matador in enumerate(world.matadors[:3]):
        fields |= {f"matador-{place}": str(matador.pk), f"lead-{place}": str(place % 2)}
    return fields


def draw(seed: int) -> DisputeCase:
    """Create a match that was entered or imported, depending on the seed."""
    chance = Chance(seed.to_bytes(32, "big"), "disputes")
    kind = KINDS[seed % len(KINDS)]
    organiser = chance.below(len(kind.names))
    people = [
        factories.guest(name)
        if seat != organiser and not chance.below(4)
        else factories.account(name)
        for seat, name in enumerate(kind.names)
    ]
    boss = people[organiser]
    league = factories.league(kind.key, boss, *people, rules=kind.rules, hours_to_object=HOURS)
    if not chance.below(4):
        second = people[chance.below(len(people))]
        if second.user is not None:
            Member.objects.filter(league=league, player=second).update(role="organiser")
    scorer = factories.account("scorer")
    Member.objects.create(
        league=league, player=scorer, role="scorer", plays=False, joined_at=timezone.now()
    )
    seats = [seat for seat in range(len(people)) if seat != organiser]
    present = [boss, people[chance.pick(seats)]]
    case = DisputeCase(
        kind=kind, chance=chance, league=league, match=Match(), people=people, there={}
    )
    if not chance.below(3):
        case.match = _imported(case, boss)
        case.cartel = _cartel() if kind.form else {}
    else:
        writer = scorer if not chance.below(5) else chance.pick(present)
        match = kind.form.open(league, people) if kind.form else factories.match(league, *people)
        content = chance.pick(kind.sheets) if kind.sheets else kind.form.sheet(match)  # type: ignore[union-attr]
        case.match = hand_in(
            match=match, version=match.version, by=writer, at=timezone.now(), content=content
        )
    if not chance.below(5):
        present.append(scorer)
    case.there = {player: browser(player) for player in present}
    return case


BUTTONS: Final = frozenset(
    {Action.CONFIRM, Action.DISPUTE, Action.SETTLE, Action.PROPOSE, Action.ANSWER, Action.VOID}
)


def page_of(case: DisputeCase, player: Player) -> str:
    return case.there[player].get(case.url).content.decode()


def offers_to(case: DisputeCase, player: Player) -> list[Offer]:
    """Return the actions on the match page, the correction form, and the earlier versions."""
    page = page_of(case, player)
    offers, links = offers_of(page, below=f"/matches/{case.match.pk}/")
    offers += [Offer(link) for link in links if "/versions/" in link]
    if 'value="rewrite"' in page:
        offers.append(Offer("rewrite"))
    offers = [offer for offer in offers if not offer.action.endswith("/again/")]
    match = Match.objects.get(pk=case.match.pk)
    may = allowed_actions(player, match, at=timezone.now())
    shown = {action for action in BUTTONS for offer in offers if f"/{action}/" in offer.action}
    assert shown == may & BUTTONS, case.past
    return offers


def send_offer(case: DisputeCase, player: Player, offer: Offer) -> None:
    """Submit an offered form, and check that it was accepted and not decided by one side alone."""
    before, now = Match.objects.get(pk=case.match.pk), timezone.now()
    waited, others = overdue(case), case.others_decide()
    client, at = case.there[player], f"/matches/{case.match.pk}/"
    version = {"version": str(before.version)}
    proposal = Proposal.objects.filter(match=before, answered_at=None).first()
    dispute = Dispute.objects.filter(match=before, settled_at=None).first()
    if offer.action == "rewrite":
        _rewrite(case, client)
    elif "/versions/" in offer.action:
        assert client.get(offer.action).status_code == 200
        client.post(offer.action, {**version, "reason": "as before", "short": "1"})
    else:
        client.post(offer.action, offer.sent("because I say so"))
    after = Match.objects.select_related("entered_by", "confirmed_by", "sheet").get(pk=before.pk)
    what = f"{player.name}: {offer.action.removeprefix(at)} {offer.value}"
    case.past.append(f"{what}: {before.state} -> {after.state}")
    assert after.version == before.version + 1, (case.past, page_of(case, player)[-2000:])
    assert now <= timezone.now()
    _check_not_alone(case, player, before, after, proposal, dispute, waited=waited, others=others)


def _rewrite(case: DisputeCase, client: Client) -> None:
    """Correct the result in the form of the game to a different result."""
    match = Match.objects.get(pk=case.match.pk)
    assert match.sheet is not None
    variants = [
        presses
        for presses, points in zip(case.kind.presses, case.kind.points, strict=True)
        if match.sheet.points != [points[side] for side in case.kind.sides]
    ]
    for one in case.chance.pick(variants):
        match.refresh_from_db()
        if case.cartel and one.do == "put" and "Three matadors" in client.get(case.url).text:
            client.post(case.url, {"version": str(match.version), **case.cartel})
            match.refresh_from_db()
        answer = client.post(case.url, {"do": one.do, "version": str(match.version), **one.fields})
    if answer.headers.get("Location", "").endswith("/correct/"):
        sent = {"version": str(match.version), "reason": "miscounted", "short": "1"}
        assert "in-layout" in client.get(answer.headers["Location"]).content.decode()
        client.post(answer.headers["Location"], sent)


def overdue(case: DisputeCase) -> bool:
    """Return whether the hours to object have passed since everything that somebody could
    accept.
    """
    match = Match.objects.get(pk=case.match.pk)
    times = list(
        Proposal.objects.filter(match=match, answered_at=None).values_list("at", flat=True)
    )
    if match.state == S.DISPUTED:
        times += Dispute.objects.filter(match=match, settled_at=None).values_list("at", flat=True)
    elif match.state == S.HANDED_IN and match.handed_in_at is not None:
        times.append(match.handed_in_at)
    return bool(times) and max(times) + dt.timedelta(hours=HOURS) <= timezone.now()


def _check_not_alone(
    case: DisputeCase,
    player: Player,
    before: Match,
    after: Match,
    proposal: Proposal | None,
    dispute: Dispute | None,
    *,
    waited: bool,
    others: bool,
) -> None:
    counted = before.state in Match.COUNTED
    if after.state not in (S.CONFIRMED, S.VOID):
        return
    if (after.state, after.sheet_id) == (before.state, before.sheet_id):
        return  # a result was proposed or rejected
    side, entered = case.side(player), before.entered_by
    if entered is not None and after.state == S.CONFIRMED and before.state == S.HANDED_IN:
        assert entered.person_id != player.person_id, case.past
        assert case.side(entered) is None or case.side(entered) != side, case.past
        return
    wrote = Sheet.objects.filter(match=before, reason="", by=player).exists()
    party = side is not None or wrote
    answered = Proposal.objects.filter(match=before, answered_by=player, accepted=True).last()
    if proposal is not None and answered == proposal:
        assert case.side(proposal.by) != side, case.past
    elif (
        dispute is not None
        and dispute.by_id == player.pk
        and after.sheet == before.sheet
        and (after.state == S.CONFIRMED)
    ):
        assert before.confirmed_at is not None, case.past
    elif party and after.state == S.VOID:
        sheets = set(Sheet.objects.filter(match=before).values_list("by", "reason"))
        first = sheets == {(player.pk, "")} and not before.disputes.exists() and not counted
        assert first or (waited and not others), case.past
    else:
        assert not party, case.past


def let_hours_pass(case: DisputeCase, hours: int) -> None:
    """Move all times of the match into the past by this number of hours."""
    ago = dt.timedelta(hours=hours)
    Match.objects.filter(pk=case.match.pk).update(
        handed_in_at=F("handed_in_at") - ago, confirmed_at=F("confirmed_at") - ago
    )
    Dispute.objects.filter(match=case.match).update(at=F("at") - ago)
    Proposal.objects.filter(match=case.match).update(at=F("at") - ago)
    case.past.append(f"{hours} hours later")


ENDS: Final = ("/confirm/", "/settle/", "/answer/", "/void/")


def has_ended(case: DisputeCase) -> bool:
    finalise_due(at=timezone.now() + dt.timedelta(hours=HOURS))
    return Match.objects.get(pk=case.match.pk).state in (S.FINAL, S.VOID)


def end_match(case: DisputeCase) -> None:
    """End the match with its pages, after the time in which somebody could have agreed."""
    for _ in range(4):
        if has_ended(case):
            return
        let_hours_pass(case, HOURS + 1)
        ways = [
            (player, offer)
            for player in case.there
            for offer in offers_to(case, player)
            if offer.action.endswith(ENDS) and offer.value != "reject"
        ]
        assert ways, case.past
        send_offer(case, *case.chance.pick(ways))
    assert has_ended(case), case.past


# Number of matches in a test. Several tests can run in parallel.
BLOCK: Final = 4


@pytest.mark.parametrize("first", range(0, DISPUTES, BLOCK))
def test_every_match_ends_from_a_page_and_no_player_settles_alone(first: int) -> None:
    for seed in range(first, min(first + BLOCK, DISPUTES)):
        with rolled_back():
            case = draw(seed)
            for _ in range(3 + case.chance.below(8)):
                if not case.chance.below(5):
                    let_hours_pass(case, case.chance.pick([1, 30, HOURS + 1]))
                    finalise_due(at=timezone.now())
                player = case.chance.pick(list(case.there))
                if offers := offers_to(case, player):
                    send_offer(case, player, case.chance.pick(offers))
            assert case.past
            end_match(case)
            match = Match.objects.get(pk=case.match.pk)
            assert Result.objects.filter(match=match).exists() == (match.state == S.FINAL)
