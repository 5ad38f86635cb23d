"""Queries about corridas fought at real tables: by season, plaza, day, evidence and player."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from corridas.models import Circuit, Corrida, Deck, Lidia, Plaza, TableCorrida
from corridas.tabletop.queries import (
    evidence_of,
    has_cards,
    plaza_called,
    verified,
    waiting_at_tables,
    years_at_tables,
)
from leagues.models import Match, MatchSeat, Player
from tests.factories import World, guest

NOW: Final = dt.datetime(2027, 3, 8, 20, tzinfo=dt.UTC)
DAY: Final = dt.timedelta(days=1)
MARCH: Final = dt.date(2027, 3, 2)
NOBODY: Final = AnonymousUser()


def at_table(corrida: Corrida | None, *players: Player, **fields: Any) -> TableCorrida:
    """Return a corrida of a season that is being played by these players at a real table."""
    match = Match.objects.create(
        game="indulto", rules={}, rules_hash="", played_at=NOW, created_at=NOW,
        key=f"key {Match.objects.count()}",
    )  # fmt: skip
    for number, player in enumerate(players):
        MatchSeat.objects.create(match=match, number=number, player=player, side=number)
    return TableCorrida.objects.create(match=match, corrida=corrida, date=MARCH, **fields)


def filed(
    world: World, day: int, plaza: int = 0, first: int = 0, evidence: str = "cards"
) -> Corrida:
    """Return a corrida of a real table whose result counts in the circuit."""
    corrida = world.post(world.announce(dt.date(2027, 3, day), plaza, first))
    Corrida.objects.filter(pk=corrida.pk).update(origin="table")
    at_table(corrida, filed_at=NOW, evidence=evidence)
    return corrida


def test_table_corridas_are_counted_by_season_plaza_day_and_evidence(
    mine: World, other: World
) -> None:
    filed(mine, 2, evidence="cards")
    filed(mine, 4, plaza=1, first=1, evidence="sheet")
    filed(mine, 6, evidence="score")
    filed(other, 2, evidence="sheet")
    mine.post(mine.announce(dt.date(2027, 3, 8)))
    waits = mine.announce(dt.date(2027, 3, 9))
    at_table(waits, given=True)
    first, second, third, fourth = (matador.pk for matador in mine.matadors)

    def counted(categories: tuple[int, ...], until: int | None = None) -> Counter[str]:
        day = until and dt.date(2027, 3, until)
        return verified(mine.season, categories, day or None).corridas

    assert counted((1, 2, 3)) == Counter(cards=1, sheet=1, score=1)
    assert counted((1,)) == Counter(cards=1, score=1)
    assert counted((2,)) == Counter(sheet=1)
    assert counted((3,)) == Counter()
    assert counted((1, 2), 5) == Counter(cards=1, sheet=1)
    assert counted((1, 2), 6) == Counter(cards=1, sheet=1, score=1)
    matadors = verified(mine.season, (1, 2, 3)).matadors
    assert matadors == {
        first: Counter(cards=1, score=1),
        second: Counter(cards=1, score=1, sheet=1),
        third: Counter(cards=1, score=1, sheet=1),
        fourth: Counter(sheet=1),
    }
    by_matador = [years_at_tables(matador) for matador in mine.matadors[:4]]
    assert by_matador == [{2027: 2}, {2027: 3}, {2027: 3}, {2027: 1}]
    Corrida.objects.filter(origin="table", state="posted").update(state="suspended")
    assert years_at_tables(mine.matadors[0]) == {2027: 2}
    Corrida.objects.filter(origin="table").update(state="at_table")
    assert [years_at_tables(matador) for matador in mine.matadors] == [{}] * len(mine.matadors)


def test_only_corridas_that_count_have_evidence(mine: World) -> None:
    counts, waits = filed(mine, 2), mine.announce(dt.date(2027, 3, 9))
    at_table(waits, given=True)
    beside = filed(mine, 6)
    assert set(evidence_of([counts.pk, waits.pk])) == {counts.pk}
    assert evidence_of([beside.pk])[beside.pk].evidence == "cards"
    assert evidence_of([]) == {}


def test_table_corrida_can_be_replayed_if_every_lidia_has_its_cards(mine: World) -> None:
    here = mine.post(mine.announce(dt.date(2027, 3, 2)))
    table = filed(mine, 4)
    empty = mine.announce(dt.date(2027, 3, 9))
    assert (has_cards(here), has_cards(empty)) == (True, True)
    Corrida.objects.filter(pk=empty.pk).update(origin="table")
    empty.refresh_from_db()
    table.refresh_from_db()
    assert (has_cards(table), has_cards(empty)) == (True, False)
    Lidia.objects.filter(corrida=here).update(draws=b"")
    assert (has_cards(here), has_cards(table)) == (True, True)
    Lidia.objects.filter(corrida=table, turn=4).update(draws=b"")
    assert not has_cards(table)


def test_unfinished_table_corridas_are_listed_by_urgency(mine: World, other: World) -> None:
    ana, beto = guest("ana", at=NOW), guest("beto", at=NOW)
    days = [dt.date(2027, 3, day) for day in range(10, 15)]
    one, two, three, back, done = (mine.announce(day) for day in days)
    Corrida.objects.filter(pk__in=[one.pk, two.pk, three.pk]).update(state="at_table")
    late = at_table(one, ana, beto, given=True, deadline=NOW + 3 * DAY)
    soon = at_table(two, ana, given=True, deadline=NOW + DAY)
    between = at_table(three, beto, given=True, deadline=NOW + 2 * DAY)
    at_table(None, ana, given=True, deadline=NOW)
    at_table(back, ana, given=False, deadline=NOW)
    at_table(done, ana, given=True, deadline=NOW, filed_at=NOW)
    elsewhere = other.announce(days[0])
    Corrida.objects.filter(pk=elsewhere.pk).update(state="at_table")
    theirs = at_table(elsewhere, ana, given=True, deadline=NOW)
    assert waiting_at_tables(mine.season) == [soon, between, late]
    assert waiting_at_tables(other.season) == [theirs]
    TableCorrida.objects.filter(pk=soon.pk).update(filed_at=NOW)
    assert waiting_at_tables(mine.season) == [between, late]


def test_plaza_of_a_scoresheet_is_searched_by_deck_then_shipped_circuit_then_age(
    mine: World, other: World
) -> None:
    own = Plaza.objects.get(circuit=mine.circuit, category=1)
    twin = Plaza.objects.get(circuit=other.circuit, category=1)

    def called(
        deck: Any = None, by: User | AnonymousUser = NOBODY, rating: int = 1
    ) -> Plaza | None:
        return plaza_called("La Vieja", rating, deck=deck, by=by)

    assert own.circuit.slug == "leyendas"
    assert called() == own
    printed = Deck.objects.create(name="Other", digest="e" * 64, cards="")
    Circuit.objects.filter(pk=other.circuit.pk).update(deck=printed)
    assert (called(), called("d" * 64), called("e" * 64)) == (own, own, twin)
    assert (called("f" * 64), called(["e"])) == (own, own)
    Circuit.objects.filter(pk=mine.circuit.pk).update(slug="nuevas")
    assert called() == own, "the oldest"
    Circuit.objects.filter(pk=mine.circuit.pk).update(slug="nuevas")
    Circuit.objects.filter(pk=other.circuit.pk).update(slug="leyendas")
    assert called() == twin, "the site's own"
    assert called(rating=3) is None
    assert plaza_called("La Nueva", 1, deck=None, by=NOBODY) is None


def test_plaza_of_a_sheet_is_one_that_its_author_can_see(mine: World, other: World) -> None:
    owner, stranger = (User.objects.create(username=name) for name in ("owner", "stranger"))
    own = Plaza.objects.get(circuit=mine.circuit, category=1)
    twin = Plaza.objects.get(circuit=other.circuit, category=1)

    def called(by: User | AnonymousUser) -> Plaza | None:
        return plaza_called("La Vieja", 1, deck=None, by=by)

    Circuit.objects.filter(pk=mine.circuit.pk).update(public=False, owner=owner)
    assert [called(by) for by in (owner, stranger, NOBODY)] == [own, twin, twin]
    Circuit.objects.filter(pk=mine.circuit.pk).update(archived_at=NOW)
    assert called(owner) == twin
    Plaza.objects.filter(pk=twin.pk).update(archived_at=NOW)
    assert called(owner) is None
