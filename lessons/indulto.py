"""Lessons about Indulto: a corrida played from its seed, shown card by card."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any, Final

from django.utils.translation import gettext as _

from corridas import glossary
from corridas.engine import (
    AVISO_POINTS,
    AVISOS_TO_STOP,
    BULLS,
    DECK_SIZE,
    HIGHEST,
    LOWEST,
    MARKS,
    MATADORS,
    STROKES,
    AvisoRead,
    BullRead,
    Digit,
    Event,
    InjuryRead,
    Kind,
    LidiaRecord,
    Move,
    Purpose,
    Scored,
    Side,
    Stroke,
    Trophy,
    cartel_json,
    turns_card,
)
from corridas.engine import CardEntry as CardReading
from corridas.pages.known_cards import known_cards
from corridas.pages.rulebook import explain, play_example
from corridas.pages.tabletop.lidia_form import question
from corridas.results import NAMES
from corridas.stage.paper import Paper
from corridas.stage.scene import PAIRS, Scene
from corridas.stage.table import kill_label, printed, spoken
from corridas.tabletop.sheets import Pad, judge
from fairness import Seed
from lessons.loading import LessonQuestion, Moment
from lessons.questions import AnswerOption, Figure, write_figure

SIGNS: Final = {1: "+", -1: "−", 0: ""}


class OpenScene(Scene):
    """State of a corrida for display, without the results on the scoresheet that a question
    may be about.
    """

    @cached_property
    def paper(self) -> Paper:
        return replace(super().paper, score="", drawn="", number="")


class IndultoRecord:
    """The recorded corrida of a lesson.

    A moment is `{"turn": the bull, from 1, "card": number of cards shown of its fight}`.
    """

    def __init__(self, record: Mapping[str, Any], language: str) -> None:
        self._language = language
        self.showing = play_example(
            record["cartel"],
            record["plaza"],
            Seed(bytes.fromhex(record["seed"])),
            record["bulls"],
            dt.date.fromisoformat(record["date"]),
        )

    def lidia(self, at: Moment) -> LidiaRecord:
        return self.showing.lidia(at["turn"])

    def scene(self, at: Moment) -> Scene:
        moment = self.showing.timeline.moment((at["turn"], at["card"]))
        return Scene(showing=self.showing, moment=moment, language=self._language)

    def figures(self, at: Moment) -> dict[str, Figure]:
        scene = self.scene(at)
        sheet = scene.sheet
        matador, bull = scene.matador, scene.bull
        assert bull is not None
        tercio = sheet.tercios[max(scene.ring.tercio - 1, 0) if scene.ring.tercio < 4 else 2]
        dear, bargain = known_cards()
        figures: dict[str, Figure] = {
            "matador": matador.name,
            "short": matador.short,
            "bull": bull.name,
            "plaza": self.showing.plaza,
            "category": self.showing.category,
            "rating": matador.card.rating,
            "dear": dear.name,
            "dear_rating": dear.rating,
            "dear_ear": dear.ear,
            "bargain": bargain.name,
            "bargain_rating": bargain.rating,
            "bargain_ear": bargain.ear,
            "deck": DECK_SIZE,
            "digits": len({card.number for card in self.showing.deck.cards}),
            "per_number": DECK_SIZE // len({card.number for card in self.showing.deck.cards}),
            "all_marks": MARKS,
            "all_pairs": PAIRS,
            "all_strokes": STROKES,
            "last_aviso": AVISOS_TO_STOP,
            "aviso_cost": -AVISO_POINTS,
            "matadors": MATADORS,
            "bulls": BULLS,
            "tercios": len(sheet.tercios),
            "lowest": LOWEST,
            "highest": HIGHEST,
            "line_first": "1s",
            "line_second": "2s",
            "line_third": "3s",
            "cards": at["card"],
            "left": DECK_SIZE - at["card"],
            "marks": tercio.marks,
            "marks_left": MARKS - tercio.marks,
            "pairs": len(sheet.tercios[1].clavars),
            "second_marks": sheet.tercios[1].marks,
            "points": sheet.matador_points,
            "bull_points": sheet.bull_points,
            "strokes": len(sheet.modifiers),
            "kill": sum(sheet.modifiers),
            "avisos": sheet.avisos,
            "avisos_cost": AVISO_POINTS * min(sheet.avisos, AVISOS_TO_STOP - 1),
            "kill_line": kill_label(self._language),
            "indulto_range": str(matador.card.indulto),
            "indulto_low": matador.card.indulto.low,
            "aviso_range": str(matador.card.aviso),
            "aviso_low": matador.card.aviso.low,
            "aviso_high": matador.card.aviso.high,
        }
        draws = self.lidia(at).draws
        if at["card"] < len(draws):
            figures["next_number"] = self.showing.deck.cards[draws[at["card"]]].number
        for event in scene.events:
            figures |= self._figures_of(event)
        if sheet.settled:
            final = sheet.settled.final
            figures |= {
                "final": final,
                "score": sheet.settled.score,
                "without_avisos": final - AVISO_POINTS * sheet.avisos,
                "with_bull": final + sheet.bull_points,
            }
        if sheet.verdict:
            assert sheet.settled is not None
            figures["drawn"] = sheet.verdict.drawn
            figures["sum"] = sheet.verdict.drawn + sheet.settled.score
            figures["sum_undivided"] = sheet.verdict.drawn + sheet.settled.final
            figures["number"] = sheet.verdict.number
            figures["outcome"] = NAMES[_outcome_key(sheet.verdict.trophy, sheet.verdict.crowd)]
            figures["without"] = NAMES[_outcome_key(*_awarded_trophy(scene, sheet.verdict.drawn))]
        if sheet.indulto:
            figures["check"] = sheet.indulto.number
        return figures | self._pad_figures(at, figures)

    def _pad_figures(self, at: Moment, figures: Mapping[str, Figure]) -> dict[str, Figure]:
        """Return the figures that the form for entering the cards of a real table shows at
        this moment.
        """
        cards = list(self.lidia(at).draws[: at["card"]])
        pad = Pad.of(
            self.showing.rules,
            self.showing.deck,
            self._paper_sheet(at, cards=cards),
            at["turn"] - 1,
        )
        if pad is None or pad.over:
            return {}
        number = figures["next_number"]
        assert isinstance(number, int)
        return {
            "pad_asks": question(pad, [person.name for person in self.showing.matadors]),
            "offered": len(pad.with_number(number)),
        }

    def _paper_sheet(self, at: Moment, **lidia: object) -> dict[str, object]:
        """Return the corrida as if it had been entered from a real table, with one lidia."""
        showing = self.showing
        return {
            "plaza": {"name": showing.plaza, "rating": showing.category},
            "date": showing.date.isoformat(),
            "cartel": cartel_json(person.card for person in showing.matadors),
            "bulls": [{"name": bull.name, "number": bull.number} for bull in showing.bulls],
            "leads": list(range(len(showing.matadors))),
            "lidias": [*({} for _turn in range(at["turn"] - 1)), lidia],
        }

    def _figures_of(self, event: Event) -> dict[str, Figure]:
        """Return the figures that an event of the corrida provides for the placeholders in
        the text of a lesson.

        Later events replace the figures of earlier events.
        """
        cards = self.showing.deck.cards
        match event:
            case Move(reading=reading, card=card):
                return {"reading": self._reading_name(reading), "printed": cards[card].number}
            case BullRead(reading=reading):
                return {"bull_reading": self._reading_name(reading)}
            case Scored(points=points, card=card):
                return {"scored": points, "worth": abs(points), "second": cards[card].number}
            case InjuryRead(card=card):
                return {"injury": cards[card].number}
            case Digit(tens=tens, card=card):
                return {"tens" if tens else "units": cards[card].number}
            case Stroke(modifier=modifier, card=card):
                name = glossary.called(cards[card].kill.name, self._language)
                return {"stroke": spoken(name), "modifier": modifier, "printed": cards[card].number}
            case AvisoRead(number=number, card=card):
                units = cards[card].number
                turned_round = units * 10 + number // 10 % 10
                return {"clock": number, "clock_reversed": turned_round, "second": units}
            case _:
                return {}

    def _reading_name(self, reading: CardReading) -> str:
        name = "BULL" if reading.kind is Kind.BULL else reading.name
        return f"{spoken(glossary.called(name, self._language))} {SIGNS[reading.sign]}".strip()

    def options(self, ask: LessonQuestion, at: Moment) -> list[AnswerOption]:
        match ask.kind:
            case "next":
                return self._next_options(at)
            case "line":
                return self._line_options(at)
            case "outcome":
                return self._outcome_options(ask.after or at)
            case "spared":
                return self._spared_options(ask.after or at)
            case "slip":
                return self._slip_options(ask.figure, at)
            case _:
                raise ValueError(f"Indulto asks no {ask.kind}.")

    def _next_options(self, at: Moment) -> list[AnswerOption]:
        """Return the answers to the question for which purpose the next card is drawn."""
        turned = [event for event in self.lidia(at).events if turns_card(event)]
        right = _use(turned[at["card"]])
        labels = {
            "mark": _("for the next mark of the tercio"),
            "score": _("for the matador’s points"),
            "bull_score": _("for the bull’s points"),
            "injury": _("to see whether the matador is hurt"),
            "indulto": _("to see whether the bull is spared"),
            "stroke": _("for a stroke of the sword"),
            "aviso": _("to see whether there is an aviso"),
            "final": _("for the number that gives the verdict"),
        }
        before = _use(turned[at["card"] - 1]) if at["card"] else ""
        offered = [use for use in labels if use == right or use in _BESIDE.get(before, ())]
        return [AnswerOption(value=use, label=labels[use], right=use == right) for use in offered]

    def _line_options(self, at: Moment) -> list[AnswerOption]:
        """Return the lines of the last card drawn, as answers to the question which line was
        read.
        """
        face = self.scene(at).faces[0]
        read = [line for line in face.lines if line.read]
        return [
            AnswerOption(
                value=line.style,
                label=f"{line.label}: {line.words} {line.sign}".strip(),
                right=line == read[-1],
            )
            for line in face.lines
        ]

    def _outcome_options(self, at: Moment) -> list[AnswerOption]:
        scene = self.scene(at)
        verdict = scene.sheet.verdict
        assert verdict is not None
        right = _outcome_key(verdict.trophy, verdict.crowd)
        return [
            AnswerOption(
                value=band.name,
                label=f"{NAMES[band.name]} ({band.x + 1:.0f}–{band.x + band.width:.0f})",
                right=band.name == right,
            )
            for band in explain(scene).bands
        ]

    def _spared_options(self, at: Moment) -> list[AnswerOption]:
        check = self.scene(at).sheet.indulto
        spared = check is not None and check.spared
        return [
            AnswerOption(value="yes", label=_("yes, he is spared"), right=spared),
            AnswerOption(value="no", label=_("no, he is not spared"), right=not spared),
        ]

    def _slip_options(self, figure: str, at: Moment) -> list[AnswerOption]:
        """Return the figures of a scoresheet as answers. One of the figures is too high by one.

        The right answer is the wrong figure, which the referee (the rule checker) rejects.
        """
        lidia, sheet = self.lidia(at), self.scene(at).sheet
        assert sheet.verdict is not None
        entered: dict[str, Any] = {
            "tercios": [[sum(each.matador), sum(each.bull)] for each in sheet.tercios],
            "avisos": sheet.avisos,
            "number": sheet.verdict.drawn,
        }
        entered[figure] += 1
        typed = self._paper_sheet(at, cards=list(lidia.draws), sheet=entered)
        reading = judge(self.showing.rules, self.showing.deck, typed)
        return [
            AnswerOption(
                value=line.path.partition("/sheet/")[2].replace("/", "-"),
                label=f"{line.figure}: {write_figure(int(line.claimed))}",
                right=line.refuses,
            )
            for line in reading.lidias[at["turn"] - 1].lines
            if "/sheet/" in line.path and line.claimed
        ]

    def pictures(self, at: Moment, ask: LessonQuestion | None) -> dict[str, object]:
        scene = self.scene(at)
        if ask and ask.kind == "line":  # show one card only: others show the answer
            card = self.showing.deck.cards[scene.faces[0].place]
            return {"scene": {"faces": [printed(card, self._language)], "cards": scene.cards}}
        over = scene.sheet.verdict is not None
        if ask:
            scene = OpenScene(showing=scene.showing, moment=scene.moment, language=scene.language)
        return {
            "showing": self.showing,
            "scene": scene,
            "sum": explain(scene) if over and not ask else None,
            "stands": True,
        }


# Plausible wrong answers for the question what the next card is drawn for, by the purpose of the
# previous card.
_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "mark": ("mark", "score", "bull_score", "stroke"),
    "score": ("mark", "score", "indulto", "stroke"),
    "bull_score": ("mark", "bull_score", "indulto", "stroke"),
    "injury": ("mark", "injury", "stroke"),
    "indulto": ("indulto", "stroke", "final", "mark"),
    "stroke": ("stroke", "aviso", "final"),
    "aviso": ("stroke", "aviso", "final", "indulto"),
    "final": ("final", "mark"),
}


def _use(event: Event) -> str:
    match event:
        case Move() | BullRead():
            return "mark"
        case Scored(by=by):
            return "score" if by is Side.MATADOR else "bull_score"
        case InjuryRead():
            return "injury"
        case Digit(purpose=purpose):
            return "indulto" if purpose is Purpose.INDULTO else "final"
        case Stroke():
            return "stroke"
        case AvisoRead():
            return "aviso"
        case _:
            raise AssertionError(event)


def _outcome_key(trophy: Trophy, crowd: Any) -> str:
    name = crowd.name if crowd is not None else trophy.name
    return str(name).lower().removesuffix("_orejas")


def _awarded_trophy(scene: Scene, number: int) -> tuple[Trophy, Any]:
    trophy, _vuelta, crowd = scene.matador.card.outcome(number)
    return trophy, crowd
