"""What the page of a kept board asks for at this moment, ready to be drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from eltoro.engine import Bonus, Due, Kept, KeptDay, Rolled
from eltoro.operations.keeping import arrivals
from eltoro.sheets import referee
from eltoro.stage.marks import Fallen, Marks, Picks
from eltoro.stage.town import picture
from eltoro.views.keeper.at_board import AtBoard
from eltoro.views.keeper.reading import PLACES, SEATS, dice_fields
from eltoro.views.keeper.telling import Teller
from eltoro.words import destination_effect, destination_name, space_name
from leagues.models import MatchSeat

FORM: Final = "keep-form"
FACES: Final = (1, 2, 3, 4, 5, 6)
CARD_POINTS: Final = (-1, 1, 2, 3)
CARDS: Final = 5
"""Cards that a hand is filled up to, before what destinations add (Ruling E-8)."""


def panel(board: AtBoard, kept: Kept) -> dict[str, Any]:
    """All that the page draws of the board: where it stands, the map, what is asked for."""
    asked = _ASKED.get(kept.due)
    return {
        "day": kept.state.day,
        "days": kept.rules.days,
        "step": kept.town().step + 1,
        "steps": kept.rules.board.steps,
        "rolls": kept.state.rolls,
        "order": [_seat(board, kept, seat) for seat in kept.state.turn_order],
        "map": picture(
            kept.town(), kept.rules, names=board.at.names, seat=board.at.here, marks=_marks(board)
        ),
        "latest": _latest(board, kept),
        "log": _log(board, kept),
        "faces": FACES,
        **(asked(board, kept) if asked and board.may_write else {}),
    }


def _seat(board: AtBoard, kept: Kept, seat: int) -> dict[str, Any]:
    found: MatchSeat = board.at.seats[seat]
    return {
        "seat": found,
        "letter": SEATS[seat],
        "name": board.names[seat],
        "points": kept.totals[seat],
        "first": seat == kept.state.first and kept.due not in {Due.EVENING, Due.OVER},
        "tokens": kept.state.tokens_left(seat),
    }


def _marks(board: AtBoard) -> Marks:
    """The dice to be tapped while cards are played; who must roll; who fell just now."""
    kept = board.kept
    if kept is None:
        return Marks()
    dice = frozenset(kept.faces) if board.due is Due.CARDS else frozenset()
    chosen = frozenset(board.given.getlist("pick"))
    legend = _("Dice affected by a card")
    picks = (Picks(ids=dice, legend=legend, many=True, chosen=chosen, form=FORM),) if dice else ()
    return Marks(
        picks=picks,
        again=frozenset(kept.charging),
        fallen=tuple(_fallen(kept)),
        moved=frozenset(die.what for die in _rolled(kept) if not die.trampled),
    )


def _rolled(kept: Kept) -> Sequence[Rolled]:
    """The dice that the last entry rolled or turned."""
    return kept.state.notes[-1].rolled if kept.state.notes else ()


def _fallen(kept: Kept) -> Iterator[Fallen]:
    """Who was trampled by the last entry, and where."""
    for die in _rolled(kept):
        if die.trampled:
            key = kept.rules.board.spaces[die.space].key
            yield Fallen(runner=die.what, space=key, face=die.after)


def _latest(board: AtBoard, kept: Kept) -> list[str]:
    """What the last entry came to."""
    notes = kept.state.notes
    return Teller(kept, board.names).told(notes[-1]) if notes else []


def _log(board: AtBoard, kept: Kept) -> list[dict[str, Any]]:
    """Everything that was written, the latest first."""
    teller = Teller(kept, board.names)
    return [
        {"day": note.day, "step": note.step + 1, "told": teller.told(note)}
        for note in reversed(kept.state.notes)
    ]


def _to_lay(board: AtBoard, kept: Kept) -> dict[str, Any]:
    kinds = [(kind.key, destination_name(kind)) for kind in kept.rules.destinations]
    return {"kinds": kinds, "places": [(key, board.given.get(key, "")) for key in PLACES]}


def _to_roll(board: AtBoard, kept: Kept) -> dict[str, Any]:
    """Dice of destinations: one for each that a player reached."""
    fields = dice_fields(kept)
    several = {field.partition("-")[0] for field, letter in fields if field != letter}
    rolling = []
    for field, letter in fields:
        name = board.names[SEATS.index(letter)]
        if letter in several:
            told = {"name": name, "number": field.partition("-")[2] or 1}
            name = _("%(name)s, die %(number)s") % told
        rolling.append(_die(board, field, name, ""))
    return {"rolling": rolling}


def _die(board: AtBoard, name: str, text: str, where: str) -> dict[str, Any]:
    given = board.given.get(f"die-{name}", "")
    return {"name": name, "text": text, "where": where, "given": given}


def _bulls(board: AtBoard, kept: Kept) -> dict[str, Any]:
    wanted = len(kept.rules.board.rows[0])
    if kept.due is Due.HERD:
        wanted = kept.state.herd - len(kept.state.bulls)
    return {"wanted": wanted, "typed": board.given.get("bulls", "")}


def _runners(board: AtBoard, kept: Kept) -> dict[str, Any]:
    typing = [
        {
            **_seat(board, kept, seat),
            "wanted": kept.state.allowed(seat),
            "typed": board.given.get(f"runners-{SEATS[seat]}", ""),
        }
        for seat in kept.state.turn_order
    ]
    return {"typing": typing}


def _starts(board: AtBoard, kept: Kept) -> dict[str, Any]:
    teller = Teller(kept, board.names)
    ones = [
        {
            "name": name,
            "text": teller.who(name[0]),
            "seat": SEATS.index(name[0]),
            "given": board.given.get(f"at-{name}", ""),
        }
        for name in kept.ones
    ]
    return {"ones": ones, "starts": _row(kept)}


def _row(kept: Kept) -> list[tuple[str, str]]:
    """Key and name of the spaces where everybody is."""
    spaces = kept.rules.board.spaces
    return [
        (spaces[index].key, space_name(kept.rules, index, kept.state.destinations))
        for index in kept.state.row
    ]


def _cards(board: AtBoard, kept: Kept) -> dict[str, Any]:
    teller = Teller(kept, board.names)
    write = kept.rules.board.write_sign
    signs = [(write(sign), teller.sign(write(sign))) for sign in kept.rules.board.signs]
    laid = [
        {"key": write(sign), "text": teller.sign(write(sign)), **_seat(board, kept, seat)}
        for sign, seat in sorted(kept.state.tokens.items())
    ]
    return {
        "row": _row(kept),
        "signs": signs,
        "laid": laid,
        "movable": [one for one in laid if not one["tokens"]],
        "by_card": board.given.get("by-card", ""),
        "given": board.given,
        "token_seat": board.given.get("token-seat", ""),
        "card_points": CARD_POINTS,
        "players": [_seat(board, kept, seat) for seat in range(kept.players)],
        "last_step": kept.state.step + 1 == kept.rules.board.steps,
    }


def _charge(board: AtBoard, kept: Kept) -> dict[str, Any]:
    teller, spaces = Teller(kept, board.names), kept.rules.board.spaces
    rolling = []
    for name in kept.charging:
        where = kept.state.die(name).space
        dangers = sorted({bull.face for bull in kept.state.bulls if bull.space == where})
        place = space_name(kept.rules, where, kept.state.destinations)
        rolling.append(
            {
                **_die(board, name, teller.who(name[0]), place),
                "seat": SEATS.index(name[0]),
                "shows": kept.state.die(name).face,
                "dangers": dangers,
                "key": spaces[where].key,
            }
        )
    return {"rolling": rolling}


def _evening(board: AtBoard, kept: Kept) -> dict[str, Any]:
    """The day's points, and what tomorrow begins with."""
    today, tomorrow = kept.days[-1], kept.tomorrow
    found = {"scored": [_scored(board, kept, today, seat) for seat in range(kept.players)]}
    if tomorrow is None:
        return found
    state = tomorrow.state
    for line, seat in zip(found["scored"], range(kept.players), strict=True):
        kinds = [kept.rules.destinations[index] for index in state.effects[seat]]
        line["runners"] = state.allowed(seat)
        line["cards"] = max(0, CARDS + state.effect(seat, Bonus.CARD))
        line["brings"] = [destination_effect(kind) for kind in kinds if kind.effect is not None]
    return found | {"herd": state.herd, "first_tomorrow": board.names[state.first]}


def _scored(board: AtBoard, kept: Kept, day: KeptDay, seat: int) -> dict[str, Any]:
    kinds = [kept.rules.destinations[index] for index in day.destinations]
    there = [(kind, n) for kind, n in zip(kinds, day.arrived[seat], strict=True) if n]
    return {
        **_seat(board, kept, seat),
        "today": day.points[seat],
        "at": [(n, destination_name(kind), kind.points) for kind, n in there],
        "other": day.points[seat] - sum(n * kind.points for kind, n in there),
    }


def _over(board: AtBoard, kept: Kept) -> dict[str, Any]:
    """The last day's points, and who comes where by all of them."""
    judged = referee.judge(rules=kept.rules.options(), seats=kept.players, sheet=arrivals(kept))
    found = _evening(board, kept)
    for line, place in zip(found["scored"], judged.places, strict=False):
        line["place"] = place
    return found


_ASKED: Final = {
    Due.DICE: _to_roll,
    Due.LAY: _to_lay,
    Due.BULLS: _bulls,
    Due.RUNNERS: _runners,
    Due.START: _starts,
    Due.HERD: _bulls,
    Due.CARDS: _cards,
    Due.CHARGE: _charge,
    Due.EVENING: _evening,
    Due.OVER: _over,
}
