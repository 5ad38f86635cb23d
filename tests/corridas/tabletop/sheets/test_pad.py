"""The card-entry pad says what each card is for, which cards may come, and what the last card
did.
"""

from __future__ import annotations

import pytest

from corridas.engine import LidiaRecord, Move, Rules, by_card, fill
from corridas.tabletop.sheets import Awaits, Pad, Use
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL, by_cards, heading, pad_of, played

RULES = [
    Rules(shuffle=shuffle, bull_reading=reading)
    for shuffle in ("each_bull", "when_exhausted")
    for reading in ("same_card", "next_card")
]
every_rule = pytest.mark.parametrize(
    "rules", RULES, ids=lambda rules: "-".join(rules.options().values())
)


@pytest.mark.slow
@every_rule
def test_card_entry_pad_requests_every_card_of_a_played_fight(rules: Rules) -> None:
    setup, record = played(3, rules)
    sheet = by_cards(setup, record)
    for lidia in record.lidias[:3]:
        for count in range(len(lidia.draws)):
            sheet["lidias"][lidia.turn] = {"cards": list(lidia.draws[:count])}
            check_before(pad_of(sheet, lidia.turn, rules), lidia, count)
        sheet["lidias"][lidia.turn] = {"cards": list(lidia.draws)}
        whole = pad_of(sheet, lidia.turn, rules)
        assert (whole.awaits, whole.result, whole.surplus) == (None, lidia.result, 0)
        assert whole.scoresheet == fill(lidia.events, lidia.result.starter)


def check_before(pad: Pad, lidia: LidiaRecord, count: int) -> None:
    """Check the pad after this number of cards of an unfinished lidia."""
    assert pad.awaits is not None
    assert lidia.draws[count] in pad.left
    told = [event for at, event in by_card(lidia.events) if at < count]
    assert list(pad.events) == told
    assert pad.last == tuple(e for at, e in by_card(lidia.events) if at == count - 1)
    brought = next(event for at, event in by_card(lidia.events) if at == count)
    assert (pad.awaits.use is Use.MARK) == isinstance(brought, Move)
    if isinstance(brought, Move):
        assert pad.awaits[1:3] == (brought.tercio, brought.mark)


def test_new_card_entry_pad_offers_seven_cards_of_each_number() -> None:
    setup, _record = played(1)
    pad = pad_of(heading(setup), 0)
    assert len(pad.left) == 70
    assert pad.awaits == Awaits(Use.MARK, 1, 1, False, "first")
    assert all(len(pad.with_number(number)) == 7 for number in range(10))
    offer = pad.with_number(4)[0]
    assert offer.reading == offer.readings[0] == str(DECK.cards[offer.card].first)


def test_pad_rejects_a_card_drawn_before_and_no_longer_offers_it() -> None:
    setup, record = played(1)
    first = record.lidias[0].draws[0]
    doubled = pad_of({**heading(setup), "lidias": [{"cards": [first, first]}]}, 0)
    assert (doubled.refused, doubled.awaits) == (1, None)
    taken_back = pad_of({**heading(setup), "lidias": [{"cards": [first]}]}, 0)
    assert first not in taken_back.left


def test_cards_after_the_end_of_a_lidia_are_surplus() -> None:
    setup, record = played(1)
    draws = list(record.lidias[0].draws)
    pad = pad_of({**heading(setup), "lidias": [{"cards": [*draws, 0, 1]}]}, 0)
    assert pad.over
    assert pad.surplus == 2


def test_pad_needs_a_cartel_and_with_one_deck_all_earlier_cards() -> None:
    rules = Rules(shuffle="when_exhausted")
    setup, _record = played(1, rules)
    assert Pad.of(rules, DECK, {}, 0) is None
    assert Pad.of(rules, DECK, heading(setup), 1) is None
    assert Pad.of(USUAL, DECK, heading(setup), 1) is not None
