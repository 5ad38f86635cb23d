"""The rendered moments of a broadcast: cards on the table, marks in the ring, the scoresheet."""

from __future__ import annotations

import re
from itertools import pairwise, product

import pytest
from django.utils import translation

from corridas.broadcast import source
from corridas.engine import Ended, FinalVerdict, Move, Scored, TercioEnded, by_card, fill
from corridas.stage.beats import beats
from corridas.stage.phrasebook import book, say
from corridas.stage.ring import cells_of
from corridas.stage.scene import LINES, Scene, next_score, scores
from corridas.stage.story import StoryLine
from corridas.templatetags import ringside
from corridas.world.roster import DATA, load_deck
from tests.corridas.broadcast.conftest import OnAir


def moments_of(on_air: OnAir, turn: int) -> range:
    """Return the moments of a lidia, from the entrance of its bull."""
    line = on_air.showing.timeline
    first = line.moment((turn, 0))
    return range(first, first + line.cards_per_lidia[turn - 1] + 1)


@pytest.mark.slow
def test_every_moment_can_be_rendered_in_both_languages(on_air: OnAir) -> None:
    for moment in range(len(on_air.showing.timeline)):
        for language in ("en", "es") if moment % 5 == 0 else ("en",):
            told = source.draw(on_air.showing, moment, language)
            assert f'data-moment="{moment + 1}"' in told
            assert 4_000 < len(told.encode()) < 24_000, moment


def test_fragments_contain_no_inline_styles_or_scripts(on_air: OnAir) -> None:
    for moment in (0, 1, 30, len(on_air.showing.timeline) - 1):
        told = source.draw(on_air.showing, moment, "en")
        assert not re.search(r"<script|<style| style=| on\w+=", told)


def test_no_cards_are_shown_before_the_first_card_of_a_lidia(on_air: OnAir) -> None:
    scene = on_air.scene(1)
    assert scene.phase == "lidia"
    assert scene.cards == 0
    assert scene.faces == ()
    assert scene.notation == ""
    assert scene.bull == on_air.showing.bull_of(1)
    assert scene.bull is not None
    assert scene.bull.name in scene.whole_story[0].plain


def test_the_first_card_makes_one_mark_and_highlights_its_first_entry(on_air: OnAir) -> None:
    scene = on_air.scene(2)
    face = scene.faces[0]
    drawn = on_air.showing.lidia(1).draws[0]
    assert (face.place, face.number) == (drawn, on_air.showing.deck.cards[drawn].number)
    assert "first" in [line.style for line in face.lines if line.read]
    marks = [cell.state for cell in scene.ring.sectors[0].cells]
    assert marks == ["done", "next", *[""] * 8]
    assert [row.marks for row in scene.paper.rows] == [1, 0, 0, 0]


def test_ring_and_scoresheet_agree_with_the_engine_at_every_moment(on_air: OnAir) -> None:
    for turn in range(1, on_air.showing.timeline.lidias + 1):
        lidia = on_air.showing.lidia(turn)
        for card, moment in enumerate(moments_of(on_air, turn)):
            scene = on_air.scene(moment)
            seen = [event for place, event in by_card(lidia.events) if place < card]
            sheet = fill(seen, lidia.result.starter)
            assert scene.sheet == sheet
            done = [
                sum(cell.state == "done" for cell in sector.cells) for sector in scene.ring.sectors
            ]
            assert done == [tercio.marks for tercio in sheet.tercios]
            assert [row.marks for row in scene.paper.rows] == [*done, len(sheet.modifiers)]
            assert scene.paper.avisos.count(True) == sheet.avisos


def test_a_score_is_circled_only_at_the_moment_it_is_scored(on_air: OnAir) -> None:
    for moment in moments_of(on_air, 1):
        scene = on_air.scene(moment)
        fresh = [e for c in scene.paper.columns for e in (*c.matador, *c.bull) if e.fresh]
        newest = scene.beats[-1].find_event(Scored) if scene.beats else None
        assert len(fresh) == (newest is not None)


def test_a_card_drawn_for_points_is_shown_with_the_card_that_scores(on_air: OnAir) -> None:
    lidia = on_air.showing.lidia(1)
    card, event = next((k, e) for k, e in by_card(lidia.events) if isinstance(e, Scored))
    scene = on_air.scene(on_air.showing.timeline.moment((1, card + 1)))
    *_, answer = scene.faces
    assert answer.answer
    assert answer.number_read
    assert answer.number == abs(event.points)
    assert scene.story[0].points


def test_every_card_belongs_to_one_step_in_the_order_drawn(on_air: OnAir) -> None:
    for turn in range(1, on_air.showing.timeline.lidias + 1):
        lidia = on_air.showing.lidia(turn)
        told = beats(lidia.events, lidia.result.starter)
        laid = [turned.place for beat in told for turned in beat.cards]
        assert bytes(laid) == lidia.draws
        assert all(isinstance(beat.opening, Move) for beat in told[:10])


def test_the_result_of_a_lidia_is_shown_with_its_last_card_and_not_before(on_air: OnAir) -> None:
    *_, before, last = moments_of(on_air, 1)
    assert on_air.scene(before).badges == ()
    assert on_air.scene(before).turns[0].state == "now"
    assert on_air.scene(last).badges
    assert on_air.scene(last).turns[0].state == "over"
    verdict = next(e for e in on_air.showing.lidia(1).events if isinstance(e, FinalVerdict))
    assert on_air.scene(last).paper.number == str(verdict.number)


def test_the_table_of_leaders_counts_finished_lidias_only(on_air: OnAir) -> None:
    end = on_air.scene(len(on_air.showing.timeline) - 1)
    assert end.phase == "end"
    results = [lidia.result for lidia in on_air.showing.record.lidias]
    won = sum((0, 1, 2, 2)[result.trophy or 0] for result in results)
    assert sum(tally.ears for tally in end.ahead) == won
    assert [tally.ears for tally in end.ahead] == sorted(
        (tally.ears for tally in end.ahead), reverse=True
    )
    assert sum(tally.bulls for tally in on_air.scene(2).ahead) == 0


def test_previous_and_next_links_visit_every_moment_of_a_broadcast(on_air: OnAir) -> None:
    line = on_air.showing.timeline
    walked = [Scene(showing=on_air.showing, moment=0, language="en")]
    while (following := walked[-1].following) is not None:
        walked.append(on_air.scene(line.moment(following)))
    assert [scene.moment for scene in walked] == list(range(len(line)))
    assert all(later.previous == earlier.address for earlier, later in pairwise(walked))


def test_next_score_is_the_next_moment_with_a_score(on_air: OnAir) -> None:
    found = scores(on_air.showing)
    assert found == sorted(set(found))
    assert next_score(on_air.showing, 0) == found[0]
    assert next_score(on_air.showing, found[0]) == found[1]
    assert next_score(on_air.showing, found[-1]) is None


def test_the_drawing_of_the_second_tercio_has_a_cell_for_every_card() -> None:
    assert cells_of(1, 3, ended=False) == 10
    assert cells_of(2, 0, ended=False) == 6
    assert cells_of(2, 9, ended=False) == 10
    assert cells_of(2, 14, ended=True) == 14
    assert cells_of(2, 2, ended=True) == 2


@pytest.mark.slow
def test_the_rendering_of_a_moment_does_not_depend_on_earlier_renderings(on_air: OnAir) -> None:
    languages = ("en", "es-velvet", "es", "en-velvet")
    moments = [0, *range(1, 60, 9), len(on_air.showing.timeline) - 1]
    asked = [(moment, language) for moment in moments for language in languages]
    in_order = [source.draw(on_air.showing, *each) for each in asked]
    backwards = [source.draw(on_air.showing, *each) for each in reversed(asked)]
    alone = []
    for each in asked:
        for cache in (ringside._part, ringside._words, ringside.card_url):
            cache.cache_clear()
        alone.append(source.draw(on_air.showing, *each))
    assert in_order == backwards[::-1] == alone


def test_a_cached_fragment_is_not_reused_for_other_languages_or_arguments() -> None:
    told = set()
    for language, name in product(("en", "en-velvet", "es", "es-velvet"), ("A & B", "C")):
        line = StoryLine(1, 2, f"[puyazo], {name}", "+5", "m", False, 3)
        where = {"circuit": "leyendas", "pk": 7, "turn": 2}
        with translation.override(language):
            told.add(ringside.parts("corridas/corrida/_stage.html#line", [line], **where))
            told.add(ringside.parts("corridas/corrida/_stage.html#line", [line], **where))
    assert len(told) == 8
    assert not any("A & B" in each for each in told)


def test_the_lines_beside_the_ring_are_the_last_lines_of_the_story(on_air: OnAir) -> None:
    for moment in range(len(on_air.showing.timeline)):
        scene = on_air.scene(moment)
        assert scene.story == scene.whole_story[:LINES]
        assert scene.has_earlier_story == (len(scene.whole_story) > LINES)


def test_every_end_of_a_tercio_is_in_the_story(on_air: OnAir) -> None:
    lidia = on_air.showing.lidia(1)
    *_, last = moments_of(on_air, 1)
    told = on_air.scene(last).whole_story
    ended = sum(isinstance(event, TercioEnded) for event in lidia.events)
    assert sum(line.ends for line in told) == ended
    assert isinstance(lidia.events[-1], Ended)


# Phrases of the story


def test_every_card_entry_of_the_shipped_deck_has_its_own_phrase() -> None:
    entries = {"first": "1s", "second": "2s", "third": "3s", "bull": "bull"}
    for card in load_deck(DATA).cards:
        for field, entry in entries.items():
            reading = getattr(card, field)
            assert reading.name == "BULL" or (entry, reading.name) in book(), reading.name
        assert ("kill", card.kill.name) in book(), card.kill.name


@pytest.mark.parametrize("language", ["en", "es"])
def test_every_phrase_can_be_formatted(language: str) -> None:
    words = "m b reading number other final score drawn one two three turn weight count"
    words += " padrino testigo"
    names: dict[str, object] = dict.fromkeys(words.split(), "?")
    for (entry, reading), phrases in book().items():
        for turn in range(len(phrases)):
            told = say(entry, reading, turn, language, names)
            assert told
            assert "{" not in told
            assert told.count("[") == told.count("]")


def test_the_phrases_for_a_card_entry_are_used_in_rotation() -> None:
    told = {say("1s", "VERÓNICA+", turn, "en", {"m": "M", "b": "B"}) for turn in range(8)}
    assert len(told) == len(book()["1s", "VERÓNICA"]) > 2


def test_a_card_entry_without_a_phrase_is_described_by_its_name() -> None:
    assert "salto de la rana" in say("3s", "SALTO DE LA RANA+", 3, "en", {"m": "M", "b": "B"})


def test_an_earlier_line_of_the_story_keeps_its_text(on_air: OnAir) -> None:
    late, early = on_air.scene(30).whole_story, on_air.scene(20).whole_story
    assert [line.text for line in early[1:]] == [line.text for line in late[-len(early) + 1 :]]
    assert on_air.scene(30, "es").whole_story[-1].text != late[-1].text
