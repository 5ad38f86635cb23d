"""The El Toro referee for leagues: checks days and games, and the points that cards can bring."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Final, NamedTuple

from api.types import JSON
from eltoro.engine import Game, IllegalMove, Move, Rules
from eltoro.tabletop.sheets.deck import PointsExplanation, TableDeck, can_bring, cheapest
from eltoro.tabletop.sheets.parser import read_sheet
from eltoro.tabletop.sheets.reading import (
    DayReading,
    Objection,
    Param,
    RecordedDay,
    ScoresheetReading,
    Sheet,
    SheetKind,
    ending_of,
    totals_of,
)
from eltoro.tabletop.sheets.sentences import objection_sentence, reading_lines
from eltoro.tabletop.sheets.sheet_rules import (
    CARD,
    DESTINATIONS_LAID,
    DIE,
    FACES,
    HAND_SIZE,
    POINTS,
    RUNNER,
    DestinationKind,
    Morning,
    SheetRules,
    die_points,
)
from fairness import Seed
from leagues import games


def judge_arrivals(law: SheetRules, days: Sequence[RecordedDay]) -> tuple[DayReading, ...]:
    """Check the days of a scoresheet of arrivals and return the result of each day.

    The effects of a day apply to the next day, even if the day has errors.
    """
    readings: list[DayReading] = []
    began = tuple(law.morning() for _seat in range(law.players))
    for number, day in enumerate(days):
        readings.append(judge_day(law, number, day, began))
        began = readings[-1].tomorrow
    return tuple(readings)


def judge_day(
    law: SheetRules, number: int, day: RecordedDay, began: tuple[Morning, ...]
) -> DayReading:
    """Return the result of one day. `began`: start of the day by seat (Rulings E-1, E-4, E-7)."""
    kinds = [law.kinds.get(key) for key in day.destinations]
    at_destinations = tuple(
        sum(kind.points * n for kind, n in zip(kinds, row, strict=True) if kind is not None)
        for row in day.arrived
    )
    by_effects = tuple(
        morning.points + sum(die_points(face) for face in faces)
        for morning, faces in zip(began, day.dice, strict=True)
    )
    parts = zip(at_destinations, by_effects, day.gained, strict=True)
    return DayReading(
        points=tuple(sum(part) for part in parts),
        objections=tuple(_objections(law, number, day, began)),
        began=began,
        arrived=tuple(sum(row) for row in day.arrived),
        at_destinations=at_destinations,
        by_effects=by_effects,
        by_cards=day.gained,
        tomorrow=tuple(law.morning(_cards_reached(kinds, row)) for row in day.arrived),
        aside=day.aside,
    )


def _cards_reached(
    kinds: Sequence[DestinationKind | None], row: Sequence[int]
) -> list[DestinationKind]:
    """Return the destination cards that a player reached. Each counts once (Ruling E-7)."""
    pairs = zip(kinds, row, strict=True)
    return [kind for kind, arrived in pairs if kind is not None and arrived > 0]


def _objections(
    law: SheetRules, number: int, day: RecordedDay, began: Sequence[Morning]
) -> list[Objection]:
    objections = _check_laid(law, number, day)
    for seat, morning in enumerate(began):
        objections += _check_arrived(number, seat, day.arrived[seat], morning)
        objections += _check_gained(law, number, seat, day.gained[seat])
        objections += _check_dice(number, seat, day.dice[seat], morning)
    return objections


def _check_laid(law: SheetRules, number: int, day: RecordedDay) -> list[Objection]:
    path = f"days/{number}/destinations"
    objections = []
    for at, key in enumerate(day.destinations):
        kind, times = law.kinds.get(key), day.destinations[: at + 1].count(key)
        if kind is None:
            params: dict[str, Param] = {"day": number, "key": key}
            objections.append(Objection(path=f"{path}/{at}", code="no_destination", params=params))
        elif times == kind.count + 1:
            times = day.destinations.count(key)
            params = {"day": number, "key": key, "count": kind.count, "times": times}
            objections.append(Objection(path=f"{path}/{at}", code="too_often", params=params))
    laid = len(day.destinations)
    if laid != DESTINATIONS_LAID:
        code = "five" if laid < DESTINATIONS_LAID else "too_many_laid"
        objections.append(Objection(path=path, code=code, params={"day": number, "laid": laid}))
    return objections


def _check_arrived(number: int, seat: int, row: Sequence[int], morning: Morning) -> list[Objection]:
    path = f"days/{number}/arrived/{seat}"
    params = {"day": number, "seat": seat}
    objections = [
        Objection(path=f"{path}/{at}", code="negative", params={**params, "given": arrived})
        for at, arrived in enumerate(row)
        if arrived < 0
    ]
    if sum(row) > morning.runners:
        params |= {"arrived": sum(row), "runners": morning.runners}
        objections.append(Objection(path=path, code="runners", params=params))
    return objections


def _check_gained(law: SheetRules, number: int, seat: int, gained: int) -> list[Objection]:
    path = f"days/{number}/gained/{seat}"
    params = {"day": number, "seat": seat, "given": gained, "most": law.most_by_cards}
    if gained < 0:
        return [Objection(path=path, code="negative", params=params)]
    if gained > law.most_by_cards:
        return [Objection(path=path, code="gained_high", params=params)]
    return []


def _check_dice(number: int, seat: int, faces: Sequence[int], morning: Morning) -> list[Objection]:
    path, params = f"days/{number}/dice/{seat}", {"day": number, "seat": seat}
    objections = [
        Objection(path=path, code="die_face", params={**params, "face": face})
        for face in faces
        if not 1 <= face <= FACES
    ]
    if len(faces) < morning.dice:
        objections.append(Objection(path=path, code="die_missing", params=params))
    if len(faces) > morning.dice:
        objections.append(Objection(path=path, code="die_undue", params=params))
    return objections


def judge_points(law: SheetRules, days: Sequence[Sequence[int]]) -> tuple[DayReading, ...]:
    return tuple(
        DayReading(points=tuple(row), objections=tuple(impossible_points(law, day, row)))
        for day, row in enumerate(days)
    )


def impossible_points(law: SheetRules, day: int, points: Sequence[int]) -> list[Objection]:
    low, high = law.bounds(day)
    objections = []
    for seat, total in enumerate(points):
        if low <= total <= high:
            continue
        code = "points_high" if total > high else "points_low"
        params = {"day": day, "seat": seat, "points": total, "most": high, "least": low}
        objections.append(Objection(path=f"days/{day}/{seat}", code=code, params=params))
    return objections


# Maximum number of combinations of daily points that are checked against the deck to explain a
# player's total. If more combinations are possible, each day is checked on its own.
MAX_GAINS: Final = 5000


# Maximum number of explanations of a player's points that the referee examines with the sizes of
# hands. If there are more explanations, the referee ignores the sizes of hands.
MAX_WAYS: Final = 20_000


class DestinationEffects(NamedTuple):
    """Effects on the next day of the destinations that a player reached: runners, dice, points."""

    runners: int = 0
    dice: int = 0
    points: int = 0


def ways_to_score(law: SheetRules, points: Sequence[int]) -> tuple[int, set[PointsExplanation]]:
    """Return the possible points from cards that explain a player's points of each day.

    Returns the number of days that can be explained, and all explanations. Explanations that need
    more cards than another explanation are left out.
    """
    days, ways = _ways(law, points, (0,))
    return (days, ways) if ways else _ways(law, points)


def ways_with_hands(law: SheetRules, points: Sequence[int]) -> set[PointsExplanation]:
    """Return the same as `ways_to_score`, but with the sizes of hands in each explanation."""
    _days, ways = _ways(law, points, with_hands=True)
    return ways


def _ways(
    law: SheetRules,
    points: Sequence[int],
    usable: Collection[int] | None = None,
    *,
    with_hands: bool = False,
) -> tuple[int, set[PointsExplanation]]:
    gains = law.deck.gains_of_one_day(law.steps) if usable is None else usable
    states: dict[DestinationEffects, set[PointsExplanation]] = {
        DestinationEffects(): {PointsExplanation(())}
    }
    for day, wanted in enumerate(points):
        last = day == len(points) - 1
        after: dict[DestinationEffects, set[PointsExplanation]] = {}
        for before, ways in states.items():
            following = days_after(law, before)
            for brought in [points for points in following if wanted - points in gains]:
                for reached, cards in following[brought].items():
                    key = DestinationEffects() if last else reached
                    dealt = sorted(cards) if with_hands and not last else ()
                    after.setdefault(key, set()).update(_longer(ways, wanted - brought, dealt))
        if not after:
            return day, set()
        states = {
            reached: cheapest(ways)
            if len(ways) <= MAX_WAYS
            else {PointsExplanation(way.gains) for way in ways}
            for reached, ways in after.items()
        }
    return len(points), cheapest({way for ways in states.values() for way in ways})


def _longer(
    ways: Collection[PointsExplanation], gain: int, dealt: Sequence[int]
) -> set[PointsExplanation]:
    if not dealt:
        return {PointsExplanation((*way.gains, gain), way.hands) for way in ways}
    return {
        PointsExplanation((*way.gains, gain), (*way.hands, max(0, HAND_SIZE + cards)))
        for way in ways
        for cards in dealt
    }


def impossible_totals(rules: Rules, totals: Sequence[int]) -> list[Objection]:
    """Return objections to totals of a game that no points by day can explain.

    Each seat is checked on its own, as if the other seats had no points from cards. Whether one
    deck can bring all seats their points is not checked, because that depends on the points of each
    day.
    """
    possible = _possible_totals(rules, len(totals))
    least, most = min(possible), max(possible)
    objections = []
    for seat, total in enumerate(totals):
        if total in possible:
            continue
        code = "total_high" if total > most else "total_low" if total < least else "total_none"
        params = {"seat": seat, "points": total, "most": most, "least": least}
        objections.append(Objection(path=f"totals/{seat}", code=code, params=params))
    return objections


@lru_cache(maxsize=32)
def _possible_totals(rules: Rules, players: int) -> frozenset[int]:
    """Return all totals of a player for which the referee accepts some points by day."""
    law = SheetRules.of(rules, players)
    by_effects: dict[DestinationEffects, set[int]] = {DestinationEffects(): {0}}
    for _day in range(law.days):
        after: dict[DestinationEffects, set[int]] = {}
        for before, totals in by_effects.items():
            for brought, each in days_after(law, before).items():
                for reached in each:
                    after.setdefault(reached, set()).update(total + brought for total in totals)
        by_effects = after
    by_cards = _possible_gains(law)
    return frozenset(
        total + gained for totals in by_effects.values() for total in totals for gained in by_cards
    )


def _possible_gains(law: SheetRules) -> set[int]:
    """Return all points that the cards of one deck can have brought a player in a game."""
    usable = law.deck.gains_of_one_day(law.steps)
    if len(usable) ** law.days > MAX_GAINS:
        sums = {0}
        for _day in range(law.days):
            sums = {total + gain for total in sums for gain in usable}
        return sums
    table = law.table()
    return {
        sum(gains)
        for gains in product(usable, repeat=law.days)
        if can_bring(table, [{PointsExplanation(gains)}])
    }


def against_gains(
    table: TableDeck, ways: Sequence[Collection[PointsExplanation]]
) -> list[Objection]:
    """Return objections to points that one deck cannot have brought all players (E-4 and E-8).

    `ways`: by seat, every explanation of its points.
    """
    if can_bring(table, ways):
        return []
    days = len(next(iter(ways[0])).gains)
    until = next(n for n in range(1, days + 1) if not can_bring(table, _first_days(ways, n)))
    alone = [
        {PointsExplanation((0,) * (until - 1) + way.gains[until - 1 : until]) for way in own}
        for own in ways
    ]
    if until > 1 and not can_bring(table, alone):
        day = until - 1
        return [Objection(path=f"days/{day}", code="deck_day", params={"day": day})]
    return [Objection(path="days", code="deck_points", params={"days": until})]


def against_points(
    law: SheetRules, days: Sequence[DayReading], ways: Sequence[Collection[PointsExplanation]]
) -> list[Objection]:
    """Return objections to a scoresheet with the points of each day.

    The sizes of hands are only considered if they decide whether the deck can have been shuffled.
    """
    table = law.table()
    if not law.hands_matter() or can_bring(table, ways, shuffled=False):
        return against_gains(table, ways)
    by_seat = zip(*(day.points for day in days), strict=True)
    return against_gains(table, [ways_with_hands(law, points) for points in by_seat])


def _first_days(
    ways: Sequence[Collection[PointsExplanation]], days: int
) -> list[set[PointsExplanation]]:
    return [
        {PointsExplanation(way.gains[:days], way.hands[: days - 1]) for way in own} for own in ways
    ]


def against_arrivals(law: SheetRules, days: Sequence[DayReading]) -> list[Objection]:
    """Return objections to points from cards on a scoresheet of arrivals.

    Arrivals determine how many cards each player was dealt.
    """
    table = law.table().with_hands([morning.cards for morning in day.began] for day in days[1:])
    gains = zip(*(day.by_cards for day in days), strict=True)
    return against_gains(table, [{PointsExplanation(by_day)} for by_day in gains])


# For each possible combination of other effects reached: the possible numbers of cards that
# destinations add to the hand.
Bonuses = Mapping[DestinationEffects, frozenset[int]]


def days_after(law: SheetRules, before: DestinationEffects) -> Mapping[int, Bonuses]:
    """Return all results that a player's next day can have.

    The keys are points without cards. The values are the effects on the day after it.
    """
    kinds = tuple(law.kinds.values())
    return _days_after(kinds, max(1, law.runners + before.runners), before.dice, before.points)


@lru_cache(maxsize=256)
def _days_after(
    kinds: tuple[DestinationKind, ...], runners: int, dice: int, points: int
) -> Mapping[int, Bonuses]:
    found: dict[int, dict[DestinationEffects, set[int]]] = {}
    for arrived, reached, cards in _arrivals(kinds, runners):
        for thrown in _throws(dice):
            bonuses = found.setdefault(arrived + points + thrown, {})
            bonuses.setdefault(reached, set()).add(cards)
    return {
        brought: {reached: frozenset(cards) for reached, cards in bonuses.items()}
        for brought, bonuses in found.items()
    }


@lru_cache(maxsize=64)
def _throws(dice: int) -> frozenset[int]:
    faces = {die_points(face) for face in range(1, FACES + 1)}
    return frozenset(map(sum, product(faces, repeat=dice)))


@lru_cache(maxsize=64)
def _arrivals(
    kinds: tuple[DestinationKind, ...], runners: int
) -> frozenset[tuple[int, DestinationEffects, int]]:
    """Return the possible results of up to `runners` runners, for any destinations.

    A result consists of points, effects on the next day, and additional cards.
    """
    states = {(0, 0, 0, DestinationEffects(), 0)}
    for kind in kinds:
        more = kind.amount if kind.has(CARD) else 0
        states |= {
            (
                laid + cards,
                used + there,
                points + there * kind.points,
                _with_cards(kind, cards, reached),
                dealt + cards * more,
            )
            for laid, used, points, reached, dealt in states
            for cards, there in _at_kind(kind, DESTINATIONS_LAID - laid, runners - used)
        }
    return frozenset((points, reached, dealt) for _laid, _used, points, reached, dealt in states)


def _at_kind(kind: DestinationKind, laid: int, runners: int) -> Iterator[tuple[int, int]]:
    """Yield how many destination cards of a kind a player can reach, and with how many runners."""
    for cards in range(1, min(kind.count, laid) + 1):
        for there in range(cards, runners + 1):
            yield cards, there


def _with_cards(
    kind: DestinationKind, cards: int, reached: DestinationEffects
) -> DestinationEffects:
    """Add reached destination cards of a kind. Each card has its effect once (Ruling E-7)."""
    return DestinationEffects(
        reached.runners + (cards * kind.amount if kind.has(RUNNER) else 0),
        reached.dice + (cards if kind.has(DIE) else 0),
        reached.points + (cards * kind.amount if kind.has(POINTS) else 0),
    )


def judge_log(rules: Rules, players: int, seed: str, moves: Sequence[str]) -> ScoresheetReading:
    """Return the result of replaying a game from its log, up to the first illegal move."""
    read = read_seed(seed)
    if read is None:
        return _reading_with_fault(Objection(path="seed", code="no_seed"))
    game = Game.new(rules, players, read)
    for number, text in enumerate(moves):
        fault = _play_move(game, number, text)
        if fault is not None:
            return _reading_with_fault(fault)
    return _replayed(game, len(moves))


def read_seed(text: str) -> Seed | None:
    try:
        return Seed(bytes.fromhex(text))
    except ValueError:
        return None


def _play_move(game: Game, number: int, text: str) -> Objection | None:
    path = f"moves/{number}"
    if game.is_over:
        return Objection(path=path, code="went_on", params={"number": number})
    try:
        game.play(Move.read(text))
    except IllegalMove as why:
        params: dict[str, Param] = {"number": number, "move": text, "why": why.code}
        params |= {f"why_{name}": str(value) for name, value in why.params.items()}
        return Objection(path=path, code="refused", params=params)
    except ValueError:
        return Objection(path=path, code="no_move", params={"number": number, "move": text})
    return None


def _reading_with_fault(fault: Objection) -> ScoresheetReading:
    return ScoresheetReading(way=SheetKind.LOG, objections=(fault,))


def _replayed(game: Game, moves: int) -> ScoresheetReading:
    days = tuple(tuple(points) for points in game.day_points)
    return ScoresheetReading(
        way=SheetKind.LOG,
        days=tuple(DayReading(points=points) for points in days),
        ending=ending_of(days) if game.is_over else None,
        moves=moves,
    )


EVIDENCE: Final = {SheetKind.POINTS: "score", SheetKind.ARRIVALS: "sheet", SheetKind.LOG: "log"}
MIN_PLAYERS, MAX_PLAYERS = 2, 6


class ElToroReferee(games.SheetReferee[Rules]):
    """Referee of El Toro, which checks recorded games. Implements `Referee` of `leagues`."""

    def read_rules(self, rules: JSON) -> Rules:
        return Rules.from_options(rules)

    def judge_sheet(self, rules: Rules, names: Sequence[str], sheet: JSON) -> games.Judgement:
        return _judgement(rules, names, read_evening(rules, len(names), sheet))

    def judge_totals(
        self, *, rules: JSON, totals: Sequence[int], names: Sequence[str] = ()
    ) -> games.Judgement:
        """Check a game of which only the total points of each seat are known.

        A game of one day is checked as a scoresheet of points. After several days no places are
        given, because the points of the last day settle ties (Ruling E-9).
        """
        read, called = self.read_rules(rules), games.seat_names(len(totals), names)
        if read.days == 1:
            sheet: JSON = {"kind": SheetKind.POINTS.value, "days": [list(totals)]}
            return self.judge_sheet(read, called, sheet)
        objections = impossible_totals(read, totals)
        return games.Judgement(
            points=tuple(totals),
            places=(),
            over=not objections,
            evidence=EVIDENCE[SheetKind.POINTS],
            objections=_objections_of(read, objections, called),
        )


referee = ElToroReferee()


def read_evening(rules: Rules, players: int, content: JSON) -> ScoresheetReading:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        fault = Objection(path="players", code="players", params={"players": players})
        return ScoresheetReading(way=SheetKind.POINTS, objections=(fault,))
    written = read_sheet(content, players)
    if written.faults:
        return ScoresheetReading(way=written.way, objections=written.faults)
    if written.way is SheetKind.LOG:
        return judge_log(rules, players, written.seed, written.moves)
    return _read_days(SheetRules.of(rules, players), written)


def _read_days(law: SheetRules, written: Sheet) -> ScoresheetReading:
    by_points = written.way is SheetKind.POINTS
    days = judge_points(law, written.points) if by_points else judge_arrivals(law, written.days)
    objections = [fault for day in days for fault in day.objections]
    if len(days) > law.days:
        objections.append(Objection(path="days", code="too_many_days", params={"days": law.days}))
    if not any(not fault.missing for fault in objections):
        objections += _check_deck(law, days, by_points=by_points)
    if not days:
        objections.append(Objection(path="days", code="nothing"))
    complete = not objections and len(days) == law.days
    return ScoresheetReading(
        way=written.way,
        days=days,
        objections=tuple(objections),
        ending=ending_of([day.points for day in days]) if complete else None,
    )


def _check_deck(
    law: SheetRules, days: tuple[DayReading, ...], *, by_points: bool
) -> list[Objection]:
    """Return objections to points that runners and one deck cannot have brought together."""
    if not days:
        return []
    if not by_points:
        return against_arrivals(law, days)
    ways = []
    for seat, points in enumerate(zip(*(day.points for day in days), strict=True)):
        right, own = ways_to_score(law, points)
        if not own:
            params = {"day": right, "seat": seat, "points": points[right]}
            return [Objection(path=f"days/{right}/{seat}", code="points_none", params=params)]
        ways.append(own)
    return against_points(law, days, ways)


def _judgement(rules: Rules, names: Sequence[str], reading: ScoresheetReading) -> games.Judgement:
    days = [day.points for day in reading.days]
    return games.Judgement(
        points=totals_of(days) if days else (0,) * len(names),
        places=reading.ending.places if reading.ending else (),
        over=reading.is_over,
        evidence=EVIDENCE[reading.way],
        objections=_objections_of(rules, reading.objections, names),
        lines=tuple(reading_lines(reading, names)),
    )


def _objections_of(
    rules: Rules, objections: Sequence[Objection], names: Sequence[str]
) -> tuple[games.Objection, ...]:
    return tuple(
        games.Objection(
            path=objection.path,
            sentence=objection_sentence(rules, objection, names),
            ruling=objection.ruling,
        )
        for objection in objections
    )
