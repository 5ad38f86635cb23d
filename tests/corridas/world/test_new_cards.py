"""All cards are printed again: the cards of version 3 for cards of versions 1 and 2."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.engine import MatadorCard
from corridas.world.roster import load
from corridas.world.winter import Career, winter, with_new_cards
from corridas.world.winter.ladder import PIVOT, climbed
from corridas.world.winter.new_cards import converted
from tests.corridas.world.test_ladder import any_cards, never_worse
from tests.corridas.world.test_winter import SEEDS, career, year
from tests.properties import examples

OLD = load(cards_version=2).cards


@settings(max_examples=examples(40))
@given(any_cards(), st.lists(st.integers(0, 120), min_size=2, max_size=6))
def test_converted_card_is_legal_and_never_worse_with_a_higher_rating(
    card: MatadorCard, ratings: list[int]
) -> None:
    there = [converted(replace(card, rating=rating)) for rating in sorted(ratings)]
    assert [one.rating for one in there] == sorted(ratings)
    for low, high in pairwise(there):
        assert never_worse(low, high)
    for one in there:
        assert MatadorCard.from_json(one.to_json()) == one  # reading a card checks its ranges


@pytest.mark.parametrize("slug", sorted(OLD))
def test_bundled_card_of_rating_75_would_stay_and_others_move_along_the_ladder(slug: str) -> None:
    card = OLD[slug]
    new = converted(card)
    assert new == climbed(replace(card, rating=PIVOT), card.rating)
    assert converted(replace(card, rating=PIVOT)) == replace(card, rating=PIVOT)
    assert (new.rating, new.name, new.alternativa) == (card.rating, card.name, card.alternativa)
    assert (new.aviso, new.indulto) == (card.aviso, card.indulto)


@pytest.mark.parametrize("version", [1, 2])
def test_everybody_of_the_winter_gets_a_new_card_and_nothing_else_changes(version: int) -> None:
    gone = career("gone", state="retired", counts={}, retired_for=1)
    of_year = replace(year(), careers=[gone, *year().careers], version=version)
    old = winter(of_year, SEEDS[0])
    new = with_new_cards(of_year, old)
    assert replace(new, printed=old.printed, debuts=old.debuts) == old
    assert [news.slug for news in new.printed] == sorted(man.slug for man in of_year.careers)
    printed = {news.slug: news for news in old.printed}
    for news, man in zip(new.printed, sorted(of_year.careers, key=slug_of), strict=True):
        usual = printed[man.slug].card if man.slug in printed else man.card
        assert (news.before, news.card) == (man.card.rating, converted(usual))
    assert [news.card for news in new.debuts] == [converted(news.card) for news in old.debuts]
    assert old.debuts
    assert len(printed) < len(new.printed)


def slug_of(man: Career) -> str:
    return man.slug
