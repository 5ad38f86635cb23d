"""Registers Indulto as a game of the app `leagues`.

It is only played with real cards, and results are entered afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Final, cast

from django.utils.translation import gettext, gettext_lazy, ngettext

from accounts.wording import usual_wording
from actas import DocumentPart
from api.types import JSON
from corridas.archive import acta
from corridas.archive.acta.verification import read_deck, read_options
from corridas.engine import BULLS, CHOICES, ENGINE_VERSION, MATADORS, Rules, RulesError, Trophy
from corridas.tabletop.operations import BOOK, GAME, SEATS, deck_of, deck_text
from corridas.tabletop.sheets import Evidence, SheetReading, judge
from fairness import canonical
from leagues.games import (
    REAL_TABLE,
    Game,
    Judgement,
    Objection,
    Profile,
    RoundLog,
    RuleOption,
    RulesRefused,
    SheetReferee,
    games,
    seat_names,
)
from leagues.tables.actas import register_actas
from leagues.text import join_with_and, join_with_or

# Lazy translations, because templates and forms show them in the reader's language.
_ = cast("Callable[[str], str]", gettext_lazy)

KEY: Final = GAME

# Name, summary and options of each predefined rule set.
PROFILES: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "rulebook": (
        _("The rulebook"),
        _(
            "The deck is shuffled before every bull. When a card says BULL, its own BULL "
            "line is read."
        ),
        {},
    ),
    "one_deck": (
        _("One deck"),
        _("One deck is used for the whole corrida and shuffled when no cards are left."),
        {"shuffle": "when_exhausted"},
    ),
    "next_card": (
        _("Next card for BULL"),
        _("When BULL is drawn, the BULL line of the next card is read."),
        {"bull_reading": "next_card"},
    ),
    "against": (
        _("Bull’s points deducted"),
        _("The bull’s points are deducted from the matador’s."),
        {"bull_points": "against"},
    ),
    "for": (
        _("Bull’s points added"),
        _("The bull’s points are added to the matador’s."),
        {"bull_points": "for"},
    ),
}

# Label, help text and choices of each option.
LABELS: Final[Mapping[str, tuple[str, str, Mapping[str, str]]]] = {
    "shuffle": (
        _("When the deck is shuffled"),
        _("When all seventy cards are collected and shuffled again (Ruling I-3)."),
        {"each_bull": _("before every bull"), "when_exhausted": _("when no cards are left")},
    ),
    "bull_reading": (
        _("When a card says BULL"),
        _("Which card’s BULL entry is read (Ruling I-6)."),
        {"same_card": _("read the same card"), "next_card": _("read the next card")},
    ),
    "bull_points": (
        _("The bull’s points"),
        _("How the bull’s points affect the final score (Ruling I-11)."),
        {
            "separate": _("are kept separate"),
            "against": _("are deducted from the score"),
            "for": _("are added to the score"),
        },
    ),
}

# Points that a trophy gives to the player whose matador won it: ears, and two more for a tail
# (Ruling I-17).
LEADER_POINTS: Final = {trophy: trophy.ears + 2 * (trophy is Trophy.RABO) for trophy in Trophy}
WEIGHT: Final = {Evidence.SCORE: "score", Evidence.SHEET: "sheet", Evidence.CARDS: "log"}


def normalise(options: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return all options of a rule set, with defaults for missing ones.

    Raises `RulesRefused` for invalid options.
    """
    try:
        return dict(Rules.from_options(options).options())
    except RulesError as error:
        wrong = (name for name in options if options[name] not in CHOICES.get(name, ()))
        field = next(wrong, "")
        raise RulesRefused(_refusal(field), field) from error


def _refusal(name: str) -> str:
    if name not in LABELS:
        return gettext("“%(name)s” is not an option.") % {"name": name}
    words = {"option": LABELS[name][0]}
    return gettext("%(option)s: choose one of the values offered.") % words


def digest(rules: JSON) -> str:
    """Return the SHA-256 hash of a rule set, 64 hexadecimal digits."""
    return sha256(canonical(normalise(rules))).hexdigest()


def describe(rules: JSON) -> list[str]:
    read = normalise(rules)
    return [f"{label}: {choices[read[key]]}" for key, (label, _help, choices) in LABELS.items()]


def seat_counts(rules: JSON) -> Sequence[int]:
    return SEATS


class CorridaReferee(SheetReferee[Rules]):
    def read_rules(self, rules: JSON) -> Rules:
        return Rules.from_options(rules)

    def judge_sheet(self, rules: Rules, names: Sequence[str], sheet: JSON) -> Judgement:
        deck, seats = deck_of(sheet), len(names)
        if deck is None:
            sentence = gettext("This site does not have the deck named on the scoresheet.")
            return Judgement.unreadable_sheet(
                seats, Objection(path="deck", sentence=sentence, ruling="I-1")
            )
        with usual_wording():
            return _judgement(judge(rules, deck, sheet), names)


referee = CorridaReferee()


def _judgement(reading: SheetReading, names: Sequence[str]) -> Judgement:
    seats = len(names)
    objections = [
        Objection(path=line.path, sentence=line.sentence, ruling=line.ruling)
        for line in reading.contradictions
    ]
    if any(seat >= seats for seat in reading.leads):
        sentence = gettext("Choose who leads each matador: %(names)s.")
        words = {"names": join_with_or(names)}
        objections.append(Objection(path="leads", sentence=sentence % words))
    idle = [name for seat, name in enumerate(names) if seat not in reading.leads]
    if not objections and reading.leads and idle:
        sentence = gettext(
            "Every player must lead at least one matador. Players without a matador: %(names)s."
        )
        words = {"names": join_with_and(idle)}
        objections.append(Objection(path="leads", sentence=sentence % words))
    over = reading.stands and not objections
    points = points_by_seat(reading, seats)
    return Judgement(
        points=points,
        places=_places(points) if over else (),
        over=over,
        evidence=WEIGHT[reading.evidence],
        objections=tuple(objections),
        lines=tuple(f"{line.figure}: {line.sentence}" for line in reading.all_lines),
    )


def points_by_seat(reading: SheetReading, seats: int) -> tuple[int, ...]:
    """Return the points of each player: the ears of his matadors, with two more for a tail."""
    points = [0] * seats
    for lidia in reading.lidias:
        result = lidia.result
        if result is None or result.finisher is None or len(reading.leads) != MATADORS:
            continue
        seat = reading.leads[result.finisher]
        if seat < seats and result.trophy is not None:
            points[seat] += LEADER_POINTS[result.trophy]
    return tuple(points)


def judge_points(rules: JSON, points: Sequence[int], names: Sequence[str] = ()) -> Judgement:
    """Check a result that only consists of the points of each player.

    Every player may win the trophies of any bull, because injuries decide who finishes it (Ruling
    I-16). So points are possible if six bulls suffice for them.
    """
    best = max(LEADER_POINTS.values())
    objections = [
        Objection(
            path=f"points/{seat}",
            sentence=gettext("%(seat)s: a total must be between 0 and %(most)s, not %(total)s.")
            % {"seat": name, "most": BULLS * best, "total": own},
            ruling="I-17",
        )
        for seat, (name, own) in enumerate(zip(seat_names(len(points), names), points, strict=True))
        if not 0 <= own <= BULLS * best
    ]
    if not objections and sum(map(_fewest_bulls, points)) > BULLS:
        sentence = gettext(
            "The six bulls of a corrida can’t give %(points)s points, because one bull gives "
            "one player at most %(most)s."
        ) % {"points": " + ".join(map(str, points)), "most": best}
        objections.append(Objection(path="points", sentence=sentence, ruling="I-17"))
    return Judgement(
        points=tuple(points),
        places=() if objections else _places(points),
        over=not objections,
        evidence=WEIGHT[Evidence.SCORE],
        objections=tuple(objections),
    )


def _fewest_bulls(points: int) -> int:
    """Return the lowest number of bulls that gives exactly these points.

    It is more than six if the points are impossible.
    """
    won = {0}
    for bulls in range(BULLS + 1):
        if points in won:
            return bulls
        won = {before + trophy for before in won for trophy in LEADER_POINTS.values()}
    return BULLS + 1


def _places(points: Sequence[int]) -> tuple[int, ...]:
    return tuple(1 + sum(other > own for other in points) for own in points)


class SheetActa:
    """Writes scoresheets as records that anybody can verify (see `RoundActa` in leagues).

    Corridas played on this site have records of another kind (`corridas.archive.acta`).
    """

    kind = ""
    engine = ENGINE_VERSION
    beside: Sequence[str] = ("deck",)

    def write_round(self, *, rules: JSON, seats: int, played: RoundLog) -> Mapping[str, JSON]:
        """Reject the call, because Indulto is not played at the site's own game tables."""
        raise REAL_TABLE.refusal()

    def read_round(self, document: DocumentPart, *, number: int, seats: int) -> Mapping[str, JSON]:
        raise REAL_TABLE.refusal()

    def read_rules(self, rules: DocumentPart) -> JSON:
        return read_options(rules).options()

    def beside_sheet(self, *, rules: JSON, sheet: JSON) -> Mapping[str, JSON]:
        return {"deck": (deck_text(sheet) or "").split("\n")}

    def judge_sheet(self, document: DocumentPart, *, names: Sequence[str]) -> Judgement:
        sheet, (text, deck) = document["sheet"], read_deck(document["deck"])
        named = sheet.mapping().get("deck")
        if named is not None and named != sha256(text.encode()).hexdigest():
            raise document["deck"].malformed(
                gettext("This is not the deck named on the scoresheet.")
            )
        with usual_wording():
            reading = judge(read_options(document["rules"]), deck, sheet.value)
            return _judgement(reading, seat_names(len(names), names))


def ended(rules: JSON, sheet: JSON, names: Sequence[str], points: Sequence[int]) -> str:
    """Return a sentence that names the players whose matadors won the most ears (Ruling I-17)."""
    most = max(points, default=0)
    if not most:
        return gettext("No ears were cut.")
    winners = [name for name, own in zip(names, points, strict=True) if own == most]
    parameters = {"names": join_with_and(winners), "ears": most}
    if len(winners) > 1:
        sentence = ngettext(
            "%(names)s win the corrida with %(ears)s ear each.",
            "%(names)s win the corrida with %(ears)s ears each.",
            most,
        )
    else:
        sentence = ngettext(
            "%(names)s wins the corrida with %(ears)s ear.",
            "%(names)s wins the corrida with %(ears)s ears.",
            most,
        )
    return sentence % parameters


OPTIONS: Final = tuple(
    RuleOption(
        key=key,
        label=label,
        help=text,
        choices=tuple(choices.items()),
        default=getattr(Rules(), key),
    )
    for key, (label, text, choices) in LABELS.items()
)

INDULTO: Final = Game(
    key=KEY,
    name=_("Indulto"),
    referee=referee,
    table=REAL_TABLE,
    profiles=tuple(
        Profile(key=key, name=name, summary=summary, options=options)
        for key, (name, summary, options) in PROFILES.items()
    ),
    options=OPTIONS,
    bots=(),
    stand_in="",
    normalise=normalise,
    digest=digest,
    seat_counts=seat_counts,
    describe=describe,
    ended=ended,
    hand_in="indulto_hand",
    rules_page="rules",
    scoresheets="indulto_scoresheets",
    round_name=_("lidia"),
    book=BOOK,
    acta=SheetActa(),
    judge_points=judge_points,
)


def register_game() -> None:
    games.register(INDULTO)
    register_actas(INDULTO)
    acta.register_records()
