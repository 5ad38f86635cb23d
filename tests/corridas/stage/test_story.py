"""The story of a corrida: each event in words, with the right names, numbers and points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from corridas.engine import (
    AvisoRead,
    BullRead,
    CardEntry,
    Crowd,
    Digit,
    Ended,
    Ending,
    Event,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    Move,
    Scored,
    Settled,
    Side,
    Stroke,
    Substituted,
    TercioEnded,
    Trophy,
    fill,
)
from corridas.engine.events import Purpose
from corridas.stage.beats import beats
from corridas.stage.phrasebook import parts, plain, ways
from corridas.stage.scene import hint
from corridas.stage.showing import Ceremony, Showing
from corridas.stage.story import StoryLine, Teller, finale, paseillo
from corridas.stage.trophies import ahead, badges, turns
from corridas.templatetags.ringside import words
from tests.corridas.stage.test_rare_afternoons import BRAVE, showing

EN = "en"
TURN = 2
BULL, VERONICA, DESARME, HERIDA, PLAIN = (
    CardEntry.parse(text) for text in ("BULL", "NOVEDAD+", "NOVEDAD-", "HERIDA", "NOVEDAD")
)
CLAVAR = CardEntry.parse("CLAVAR")


@cache
def shown(category: int = 2) -> Showing:
    """Return a corrida whose second bull is described in these tests.

    All matadors and bulls have different names.
    """
    played = showing(BRAVE, 3, indulto="1-100")
    names = ("Ana", "<i>Beto</i>", "Carla & Co")
    return replace(
        played,
        category=category,
        matadors=tuple(
            replace(person, name=name, short=name)
            for person, name in zip(played.matadors, names, strict=True)
        ),
        bulls=tuple(
            replace(
                bull, name=f"Toro {'abcdef'[bull.pk]}", number=60 + bull.pk, weight=501 + bull.pk
            )
            for bull in played.bulls
        ),
    )


def last_line(events: Sequence[Event], *, category: int = 2, starter: int = 1) -> StoryLine:
    """Return the last line of the story of these events."""
    lines = Teller(shown(category), TURN, EN).story_lines(beats(events, starter))
    return lines[-1]


def test_the_first_line_of_a_lidia_names_the_bull_and_its_matador() -> None:
    (first,) = Teller(shown(), TURN, EN).story_lines([])
    bull = shown().bull_of(TURN)
    assert bull != shown().bulls[TURN - 1], "the lot is not the order of the cartel"
    assert bull.name in first.text
    assert f"{bull.weight} kilos" in first.text
    assert "<i>Beto</i> " in first.text
    for turn, number in ((2, "number 2"), (4, "number 4")):
        (line,) = Teller(shown(), turn, EN).story_lines([])
        spoken = line.text
        if "Bull number" in spoken:
            assert number in spoken
            assert f"number {shown().bull_of(turn).number}" in spoken


def test_the_parade_names_the_matadors_in_order_and_the_end_says_if_it_was_suspended() -> None:
    assert "Ana, <i>Beto</i> and Carla & Co" in paseillo(shown(), EN).plain
    assert "sixth bull" in finale(shown(), EN).text
    record = replace(shown().record, suspended=True)
    cut = replace(shown(), record=record)
    assert "suspended" in finale(cut, EN).text
    assert (finale(cut, EN).act, finale(cut, EN).roman, finale(cut, EN).cards) == (0, "", 0)


MOVE = Move(1, 3, 10, PLAIN)
KILL = Stroke(2, 24, -5)
SETTLED = Settled(points=11, bull=4, kill=-3, avisos=0, final=7, score=3)

# Each case: events, words of their line in the story, the points beside the line, and the side that
# gets them.
LINES: list[tuple[list[Event], list[str], str, str]] = [
    ([MOVE], ["novedad"], "", ""),
    ([Move(1, 3, 10, VERONICA)], ["It counts, so one more card"], "", ""),
    ([Move(1, 3, 10, DESARME)], ["counts against him"], "", ""),
    ([Move(1, 3, 10, VERONICA), Scored(Side.MATADOR, 1, 17, 7)], ["7."], "+7", "m"),
    ([Move(1, 3, 10, DESARME), Scored(Side.MATADOR, 1, 17, -7)], ["7."], "−7", "m"),
    ([Move(1, 3, 10, VERONICA), Scored(Side.MATADOR, 1, 20, 0)], ["a nought"], "0", "m"),
    ([Move(1, 3, 10, BULL)], ["One more card tells what he does"], "", ""),
    ([Move(1, 3, 10, BULL), BullRead(1, 10, VERONICA, False)], ["counts for the bull"], "", ""),
    ([Move(1, 3, 10, BULL), BullRead(1, 10, DESARME, False)], ["against the bull"], "", ""),
    (
        [
            Move(1, 3, 10, BULL),
            BullRead(1, 10, DESARME, False),
            Scored(Side.BULL, 1, 14, -4),
        ],
        ["4."],
        "B−4",
        "b",
    ),
    (
        [Move(1, 3, 10, BULL), BullRead(1, 10, VERONICA, False), Scored(Side.BULL, 1, 14, 4)],
        ["4."],
        "B4",
        "b",
    ),
    ([Move(1, 3, 10, BULL), BullRead(1, 10, HERIDA, False)], ["on a nought"], "", ""),
    (
        [Move(1, 3, 10, BULL), BullRead(1, 10, HERIDA, False), InjuryRead(16, 1, False)],
        ["6: "],
        "",
        "",
    ),
    (
        [
            Move(1, 3, 10, BULL),
            BullRead(1, 10, HERIDA, False),
            InjuryRead(20, 1, True),
            Substituted(1, 2),
        ],
        ["<i>Beto</i> is carried", "Carla & Co comes out to finish"],
        "",
        "",
    ),
    (
        [
            Move(1, 3, 10, BULL),
            BullRead(1, 10, HERIDA, False),
            InjuryRead(20, 1, True),
            Ended(Ending.BROKEN_OFF),
        ],
        ["<i>Beto</i> is carried", "broken off"],
        "",
        "",
    ),
    ([Move(1, 10, 10, PLAIN), TercioEnded(1)], ["ends the first tercio"], "", ""),
    ([Move(2, 3, 10, CLAVAR)], ["The first pair is in"], "", ""),
    (
        [Move(2, 3, 10, CLAVAR), Move(2, 4, 11, CLAVAR), TercioEnded(2)],
        ["The second pair is in", "ends the second tercio"],
        "",
        "",
    ),
    ([Move(3, 10, 10, PLAIN), TercioEnded(3)], ["faena is over"], "", ""),
    ([KILL], [], "−5", "k"),
    ([Stroke(1, 24, 0)], [], "", ""),
    ([KILL, AvisoRead(25, 45, False, 0)], ["45"], "−5", "k"),
    ([KILL, AvisoRead(25, 98, True, 1)], ["98", "first aviso"], "−5", "k"),
    ([KILL, AvisoRead(25, 98, True, 2)], ["98", "second aviso"], "−5", "k"),
    (
        [KILL, AvisoRead(25, 98, True, 3), Ended(Ending.THREE_AVISOS)],
        ["98", "third aviso", "roars at <i>Beto</i>"],
        "−5",
        "k",
    ),
    ([KILL, SETTLED], ["adds up to +7; in this plaza that is +3"], "−5", "k"),
    ([Digit(Purpose.INDULTO, True, 13)], ["the life of Toro", "Tens: 3"], "", ""),
    (
        [
            Digit(Purpose.INDULTO, True, 13),
            Digit(Purpose.INDULTO, False, 14),
            IndultoChecked(34, False),
        ],
        ["Tens: 3", "34", "no indulto"],
        "",
        "",
    ),
    (
        [
            Digit(Purpose.INDULTO, True, 13),
            Digit(Purpose.INDULTO, False, 14),
            IndultoChecked(34, True),
        ],
        ["34. The orange", "indulto!"],
        "",
        "",
    ),
    ([Digit(Purpose.FINAL, True, 18)], ["final number. Tens: 8"], "", ""),
]


@pytest.mark.parametrize(("events", "said", "points", "side"), LINES)
def test_a_story_line_contains_the_names_numbers_and_points_of_its_events(
    events: list[Event], said: list[str], points: str, side: str
) -> None:
    line = last_line(events)
    for piece in said:
        assert piece in line.plain
    assert (line.points, line.side) == (points, side)
    assert line.ends == any(isinstance(event, TercioEnded) for event in events)
    assert "{" not in line.plain


@pytest.mark.parametrize(
    ("events", "act", "roman", "count", "cards"),
    [
        ([Move(1, 3, 10, PLAIN)], 1, "I", 3, 1),
        ([Move(1, 3, 10, VERONICA), Scored(Side.MATADOR, 1, 17, 7)], 1, "I", 3, 2),
        ([Move(1, 3, 10, PLAIN), Move(2, 1, 11, PLAIN)], 2, "II", 1, 2),
        ([Move(3, 10, 10, PLAIN)], 3, "III", 10, 1),
        ([Move(3, 10, 10, PLAIN), Stroke(4, 20, -5)], 4, "†", 4, 2),
        ([Digit(Purpose.FINAL, True, 18)], 4, "†", None, 1),
    ],
)
def test_a_story_line_has_the_number_of_its_tercio_and_mark(
    events: list[Event], act: int, roman: str, count: int | None, cards: int
) -> None:
    line = last_line(events)
    assert (line.act, line.roman, line.count, line.cards) == (act, roman, count, cards)


def test_points_are_not_divided_in_a_plaza_of_the_first_category() -> None:
    assert "adds up to +3." in last_line([KILL, SETTLED], category=1).plain
    assert "in this plaza" not in last_line([KILL, SETTLED], category=1).plain


def test_the_story_names_a_substitute_from_the_card_after_the_injury() -> None:
    events: list[Event] = [
        Move(1, 3, 10, BULL),
        BullRead(1, 10, HERIDA, False),
        InjuryRead(20, 1, True),
        Substituted(1, 2),
        KILL,
        AvisoRead(25, 98, True, 3),
    ]
    assert "roars at Carla & Co" in last_line(events).plain


FINAL = [Digit(Purpose.FINAL, True, 18), Digit(Purpose.FINAL, False, 17)]


@pytest.mark.parametrize(
    ("verdict", "said", "unsaid"),
    [
        (
            FinalVerdict(87, 90, Trophy.RABO, True, None),
            ["tail for <i>Beto</i>", "lap of"],
            ["One ear"],
        ),
        (
            FinalVerdict(87, 90, Trophy.DOS_OREJAS, False, None),
            ["Two ears for <i>Beto</i>"],
            ["lap of"],
        ),
        (FinalVerdict(87, 90, Trophy.OREJA, False, None), ["One ear for <i>Beto</i>"], ["lap of"]),
        (
            FinalVerdict(87, 90, Trophy.NONE, True, Crowd.OVACION),
            ["the ovación", "lap of"],
            ["ear"],
        ),
        (
            FinalVerdict(87, 90, Trophy.NONE, False, Crowd.PITOS),
            ["Whistles for <i>Beto</i>"],
            ["lap"],
        ),
    ],
)
def test_the_verdict_gives_the_final_number_and_its_result(
    verdict: FinalVerdict, said: list[str], unsaid: list[str]
) -> None:
    line = last_line([*FINAL, verdict]).plain
    assert "The final number is 90." in line or "is 90." in line
    assert "Tens: 8" in line
    assert [piece for piece in said if piece not in line] == []
    assert [piece for piece in unsaid if piece in line.replace("clear", "")] == []


@pytest.mark.parametrize(
    ("score", "said"), [(3, "87, and with +3 it is 90."), (-3, "with −3 it"), (0, "number is 90.")]
)
def test_the_verdict_mentions_a_score_that_changed_the_number(score: int, said: str) -> None:
    lidias = list(shown().record.lidias)
    result = lidias[TURN - 1].result._replace(score=score)
    lidias[TURN - 1] = lidias[TURN - 1]._replace(result=result)
    there = replace(shown(), record=replace(shown().record, lidias=tuple(lidias)))
    verdict = FinalVerdict(87, 90, Trophy.OREJA, False, None)
    line = Teller(there, TURN, EN).story_lines(beats([*FINAL, verdict], 1))[-1]
    assert said in line.plain


def test_names_are_escaped_in_html() -> None:
    line = last_line([KILL, AvisoRead(25, 98, True, 3)])
    html = str(words(line))
    assert "&lt;i&gt;Beto&lt;/i&gt;" in html
    assert "<i>Beto" not in html


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("no term", [("no term", False)]),
        ("[all]", [("all", True)]),
        ("a [b] c [d].", [("a ", False), ("b", True), (" c ", False), ("d", True), (".", False)]),
        ("", []),
    ],
)
def test_a_text_is_split_at_its_glossary_terms(text: str, pieces: list[tuple[str, bool]]) -> None:
    assert parts(text) == pieces
    assert plain(text) == "".join(piece for piece, _term in pieces)


def test_a_phrase_is_looked_up_with_sign_then_without_sign_then_as_any() -> None:
    assert ways("bull", "ESCARBA-", EN) != ways("bull", "ESCARBA", EN)
    assert ways("bull", "EMBISTE+", EN) == ways("bull", "EMBISTE", EN)
    assert ways("kill", "SABLAZO", EN) == ways("kill", "*", EN)
    with pytest.raises(KeyError):
        ways("nothing", "of the kind", EN)


# Each case: events, and the hint that says what the next card is for. If the hint names `bull`, the
# bull's total is above zero.
HINTS: list[tuple[list[Event], str]] = [
    ([], "Ten cards of cape and lance"),
    ([Move(1, 3, 10, VERONICA)], "One more card gives the number."),
    ([Move(1, 3, 10, BULL)], "One more card gives the number."),
    ([Move(1, 3, 10, BULL), BullRead(1, 10, HERIDA, False)], "One more card gives the number."),
    ([Move(1, 3, 10, BULL), BullRead(1, 10, PLAIN, False)], "7 cards more in this tercio."),
    ([Move(1, 8, 10, PLAIN)], "2 cards more in this tercio."),
    ([Move(1, 9, 10, PLAIN)], "One card more in this tercio."),
    ([Move(1, 10, 10, PLAIN), TercioEnded(1)], "Two cards that read CLAVAR end this tercio."),
    ([Move(2, 3, 10, CLAVAR)], "One more card that reads CLAVAR ends this tercio."),
    (
        [Move(2, 3, 10, CLAVAR), Move(2, 4, 11, CLAVAR), TercioEnded(2)],
        "10 cards more in this tercio.",
    ),
    ([Move(3, 9, 10, PLAIN)], "One card more in this tercio."),
    (
        [Move(3, 8, 10, BULL), BullRead(3, 10, VERONICA, False), Scored(Side.BULL, 3, 11, 1)],
        "2 cards more in this tercio. Toro {bull} stands above nought",
    ),
    (
        [Move(1, 8, 10, BULL), BullRead(1, 10, VERONICA, False), Scored(Side.BULL, 1, 11, 1)],
        "2 cards more in this tercio.",
    ),
    ([Move(3, 10, 10, PLAIN), TercioEnded(3)], "The kill: five cards of steel"),
    (
        [
            Move(3, 10, 10, BULL),
            BullRead(3, 10, VERONICA, False),
            Scored(Side.BULL, 3, 11, 1),
            TercioEnded(3),
        ],
        "Toro {bull} stands above nought: two cards may now",
    ),
    (
        [
            Move(3, 10, 10, BULL),
            BullRead(3, 10, VERONICA, False),
            Scored(Side.BULL, 3, 20, 0),
            TercioEnded(3),
        ],
        "The kill: five cards of steel",
    ),
    ([Digit(Purpose.INDULTO, True, 13)], "One more card gives the units."),
    ([*FINAL[:1], Digit(Purpose.INDULTO, False, 14), IndultoChecked(34, False)], "The kill:"),
    ([KILL], "Now the clock"),
    ([Stroke(1, 24, -5), AvisoRead(25, 45, False, 0)], "4 more cards of steel"),
    ([*(Stroke(n, 20 + n, 0) for n in range(1, 4)), AvisoRead(25, 45, False, 0)], "2 more cards"),
    ([*(Stroke(n, 20 + n, 0) for n in range(1, 5)), AvisoRead(25, 45, False, 0)], "One more card"),
    ([KILL, SETTLED], "Two cards make the final number."),
    (
        [*FINAL, FinalVerdict(87, 90, Trophy.NONE, False, None), Ended(Ending.KILLED)],
        "The next bull",
    ),
    ([KILL, AvisoRead(25, 98, True, 3), Ended(Ending.THREE_AVISOS)], "The next bull"),
]


@pytest.mark.parametrize(("events", "said"), HINTS)
def test_the_hint_of_a_broadcast_says_what_the_next_card_is_for(
    events: list[Event], said: str
) -> None:
    line = hint(shown(), TURN, beats(events, 1), fill(events, 1), EN)
    assert line.plain.startswith(said.format(bull=shown().bull_of(TURN).name[-1]))
    assert ("above nought" in line.plain) == ("above nought" in said)


def test_there_is_no_hint_after_a_lidia_that_was_broken_off() -> None:
    events: list[Event] = [
        Move(1, 3, 10, BULL),
        BullRead(1, 10, HERIDA, False),
        InjuryRead(20, 1, True),
        Ended(Ending.BROKEN_OFF),
    ]
    assert hint(shown(), TURN, beats(events, 1), fill(events, 1), EN).plain == ""


def with_results(*results: dict[str, Any]) -> Showing:
    """Return the corrida with other results for its first lidias."""
    empty: dict[str, Any] = {
        "trophy": Trophy.NONE, "crowd": None, "vuelta": False, "avisos": 0, "injured": (),
        "ending": Ending.KILLED,
    }  # fmt: skip
    lidias = list(shown().record.lidias)
    for place, changed in enumerate(results):
        result = lidias[place].result._replace(**{**empty, "finisher": place % 3, **changed})
        lidias[place] = lidias[place]._replace(result=result)
    return replace(shown(), record=replace(shown().record, lidias=tuple(lidias)))


@pytest.mark.parametrize(
    ("first", "second", "leads"),
    [
        ({}, {}, 0),
        ({}, {"trophy": Trophy.OREJA}, 1),
        ({"trophy": Trophy.OREJA}, {"trophy": Trophy.DOS_OREJAS}, 1),
        ({"trophy": Trophy.DOS_OREJAS}, {"trophy": Trophy.RABO}, 1),
        ({"trophy": Trophy.OREJA}, {"ending": Ending.SPARED}, 0),
        ({"vuelta": True}, {"ending": Ending.SPARED}, 1),
        ({}, {"vuelta": True}, 1),
        ({"vuelta": True}, {"vuelta": True}, 0),
        ({"finisher": 1}, {"trophy": Trophy.OREJA, "finisher": 2}, 2),
    ],
)
def test_leaders_are_sorted_by_ears_tails_indultos_vueltas_and_order_of_appearance(
    first: dict[str, Any], second: dict[str, Any], leads: int
) -> None:
    there = with_results(first, second)
    table = ahead(there, 2)
    assert table[0].order == leads
    assert [tally.order for tally in ahead(there, 0)] == [0, 1, 2]
    assert sum(tally.bulls for tally in table) == 2
    assert sum(tally.bulls for tally in ahead(there, 1)) == 1


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        ({"trophy": Trophy.OREJA}, [("ear", 1)]),
        ({"trophy": Trophy.DOS_OREJAS, "vuelta": True}, [("two", 1), ("vuelta", 1)]),
        ({"trophy": Trophy.RABO, "ending": Ending.SPARED}, [("indulto", 1), ("tail", 1)]),
        ({"crowd": Crowd.BRONCA, "avisos": 3}, [("bronca", 1), ("aviso", 3)]),
        ({"crowd": Crowd.SILENCIO, "avisos": 1}, [("silencio", 1), ("aviso", 1)]),
        ({"ending": Ending.BROKEN_OFF, "finisher": None, "injured": (0,)}, [("herida", 1)]),
        ({}, []),
    ],
)
def test_a_result_is_shown_as_badges(
    result: dict[str, Any], expected: list[tuple[str, int]]
) -> None:
    worn = badges(with_results(result).lidia(1).result)
    assert [(badge.name, badge.count) for badge in worn] == expected


def test_a_fight_that_is_over_names_the_matador_who_finished_it() -> None:
    there = with_results({"finisher": 2}, {}, {"finisher": None, "injured": (2,)})
    names = [person.name for person in there.matadors]
    six = turns(there, 3, 4)
    assert [turn.state for turn in six] == ["over"] * 3 + ["now"] + ["to_come"] * 2
    assert [(turn.fighter, turn.instead) for turn in six] == [
        (names[2], True),
        (names[1], False),
        (names[2], False),
        (names[0], False),
        (names[1], False),
        (names[2], False),
    ]
    assert [turn.bull for turn in six] == [there.bull_of(turn).name for turn in range(1, 7)]
    assert all(turn.badges == () for turn in turns(there, 0, 1))
    hurt = {tally.order: tally.hurt for tally in ahead(there, 3)}
    assert hurt == {0: False, 1: False, 2: True}
    assert not any(tally.hurt for tally in ahead(there, 2))


# Alternativas: a novillero becomes a matador


def sworn(novillero: int, padrino: int, testigo: int) -> Showing:
    return replace(shown(), ceremony=Ceremony(novillero, padrino, testigo))


def test_the_parade_names_the_matador_who_takes_the_alternativa() -> None:
    line = paseillo(sworn(2, 0, 1), EN).plain
    assert "Today Carla & Co takes the alternativa from Ana, with <i>Beto</i> as witness." in line
    spanish = paseillo(sworn(2, 0, 1), "es").plain
    assert "Hoy toma Carla & Co la alternativa, de manos de Ana y con <i>Beto</i> de testigo." in (
        spanish
    )
    assert "alternativa" not in paseillo(shown(), EN).plain


@pytest.mark.parametrize("novillero", [0, 1, 2])
def test_the_alternativa_is_described_only_before_the_matador_s_first_bull(novillero: int) -> None:
    padrino, testigo = [place for place in range(3) if place != novillero]
    played = sworn(novillero, padrino, testigo)
    names = [person.short for person in played.matadors]
    told_at = []
    for turn in range(1, len(played.record.lidias) + 1):
        first = Teller(played, turn, EN).story_lines([])[0].plain
        if "alternativa" in first:
            told_at.append(turn)
            assert f"{names[padrino]} handed him the tools of the trade" in first
            assert f"with {names[testigo]} as witness: {names[novillero]} has taken" in first
        assert "alternativa" not in Teller(shown(), turn, EN).story_lines([])[0].plain
    assert told_at == [novillero + 1]
    # The page shows only the last lines of a lidia, and the ceremony is its first line.
    later = Teller(played, novillero + 1, EN).story_lines(beats([MOVE, KILL], 1), 1)
    assert "alternativa" not in later[-1].plain
