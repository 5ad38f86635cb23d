"""Generated files of results for a generated league, as various programs write them."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from leagues.exchange.formats import places_in_order
from leagues.exchange.operations import FileFormat
from leagues.models import League, Player
from tests.generated_names import FRESH
from tests.leagues.exchange.generated_leagues import Dice, Ground

STRANGERS: Final = (
    "Lucía",
    "Begoña",
    "STRASSE",
    "Nuria",
    "Óscar",
    "Ñoño",
    "Iker",
    "Ana",
    "X Æ",
    "a",
)
GAMES: Final = {
    "dominoes": ("Matador", "dominoes", "Matador dominoes", "DOMINÓ MATADOR", "Dominó matador"),
    "eltoro": ("eltoro", "Running with the Bulls", "RUNNING WITH THE BULLS"),
    "indulto": ("indulto", "Indulto", "INDULTO"),
}
OTHER_GAMES: Final = ("Chess", "El Toro", "Ajedrez", "Catan", "=Chess", "")
UNSAFE: Final = ("=1+1", "\x00", "9" * 400, "1e999", "NaN", "'=1", "-", "<b>", "%(name)s", "\x1b")
UNSEEN: Final = ("\u200b", "\u2060", "\ufeff", "\u00ad", "\u202e")


@dataclass(kw_only=True)
class Who:
    """A seat of a match as it is written in the file.

    `player` is the league member who is meant, if any.
    """

    name: str
    identity: str = ""
    player: Player | None = None


@dataclass(kw_only=True)
class Seat:
    who: Who
    side: int
    place: object
    points: object
    winner: bool = False


@dataclass(kw_only=True)
class Play:
    """A match of the file. `when` is the local time.

    If `certain` is True, all values are unambiguous, so the test can compare the imported match
    with them.
    """

    key: str
    when: dt.datetime
    seats: list[Seat]
    game: str = ""
    written: str = ""
    note: str = ""
    location: str = ""
    certain: bool = True
    round: object = None


@dataclass(kw_only=True)
class File:
    data: bytes
    file_format: FileFormat
    plays: list[Play] = field(default_factory=list)
    encoding: str = "utf-8"
    damaged: bool = False


def generated_file(ground: Ground, number: int) -> File:
    """Generate the results of file `number` and write them in one of the formats."""
    dice = Dice(f"file {number}")
    kind = list(FileFormat)[number % 3]
    # In some files, all results are free of special cases, as in most files of real users.
    plain = dice.percent(35)
    plays = _plays(ground, dice, kind, plain=plain)
    rounds = Dice(f"rounds {number}")
    share = {League.Format.ROUND_ROBIN: 25, League.Format.SWISS: 75}.get(ground.format, 0)
    if kind is not FileFormat.BGSTATS and rounds.percent(share):
        _name_rounds(ground, rounds, plays, plain=plain)
    text = {
        FileFormat.CSV: _csv,
        FileFormat.JSON: _json,
        FileFormat.BGSTATS: _bgstats,
    }[kind](ground, dice, plays)
    damaged = not plain and dice.percent(22)
    if damaged:
        text = _damaged(text, dice)
    encoding = dice.pick(ENCODINGS if kind is FileFormat.CSV else ENCODINGS[:6])
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        data = text.encode(encoding, "replace")
        for play in plays:
            play.certain = False
    if damaged and dice.percent(20):
        data = _damaged_bytes(data, dice)
    if not plain and dice.percent(3):
        kind = dice.pick(list(FileFormat))
    return File(data=data, file_format=kind, plays=plays, encoding=encoding, damaged=damaged)


# One file in three is plain UTF-8.
ENCODINGS: Final = (
    *("utf-8", "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"),
    *("cp1252", "cp1252", "utf-8-sig", "utf-8"),
)


# Results


def _plays(ground: Ground, dice: Dice, kind: FileFormat, *, plain: bool) -> list[Play]:
    waiting = [] if dice.percent(10) else ground.open_fixtures()
    if dice.percent(40):
        waiting = dice.some(waiting, len(waiting))
    strangers = _strangers(dice, plain=plain)
    identities = kind is FileFormat.BGSTATS or dice.percent(30)
    count = dice.pick((1, 2, 4, 6, 9))
    if ground.drawn and dice.percent(70):
        count = min(count, len(waiting) + 1)
    plays = [
        _play(ground, dice, number, waiting, strangers, plain=plain, identities=identities)
        for number in range(count)
    ]
    for record in ground.earlier:
        if dice.percent(60):
            seats = [
                Seat(
                    who=Who(name=s.player, identity=s.identity),
                    side=s.side,
                    place=s.place,
                    points="",
                )
                for s in record.seats
            ]
            when = record.played_at.astimezone(ground.zone).replace(tzinfo=None)
            plays.append(Play(key=record.key, when=when, seats=seats, certain=False))
    if not plain and dice.percent(15):
        plays.append(replace(plays[0], certain=False))  # two matches with the same key
        plays[0].certain = False
    return plays


def _strangers(dice: Dice, *, plain: bool) -> list[str]:
    """Return names of people who are not members of the league."""
    names = dice.some(STRANGERS, 4)
    if not plain:
        names += [dice.pick(FRESH)(dice.chance) for _name in range(2)]
        names += dice.some(["", "\u200b", "Ñ" * 60, "x" * 61, "Straße", "ana", *UNSAFE], 2)
    return names


def _play(
    ground: Ground,
    dice: Dice,
    number: int,
    waiting: list[list[Player]],
    strangers: Sequence[str],
    *,
    plain: bool,
    identities: bool,
) -> Play:
    people = _people(ground, dice, waiting, strangers, plain=plain)
    for who in people:
        if identities and not who.identity and dice.percent(80):
            who.identity = f"p-{unicodedata.normalize('NFKC', who.name).casefold()[:20]}"
        if identities and dice.percent(1 if plain else 8):
            who.identity = f"other-{number}"
    sides = _sides(ground, len(people), dice, plain=plain)
    play = Play(
        key=f"key-{number}" if dice.percent(70) else "",
        when=_random_time(ground, dice, plain=plain),
        seats=_seats(ground, dice, people, sides, plain=plain),
        game=dice.pick(("", *GAMES[ground.league.game])),
    )
    if not plain:
        _spoil(play, dice)
    return play


def _people(
    ground: Ground,
    dice: Dice,
    waiting: list[list[Player]],
    strangers: Sequence[str],
    *,
    plain: bool,
) -> list[Who]:
    if ground.drawn and waiting and dice.percent(90):
        fixture = waiting[0] if dice.percent(15) else waiting.pop(0)
        found = [_member(player, dice, plain=plain) for player in fixture]
        return dice.some(found, len(found)) if dice.percent(50) else found
    counts = ground.seat_counts()
    count = dice.pick(counts) if plain or dice.percent(90) else dice.pick((1, 2, 3, 5, 6, 7))
    present = dice.some(ground.members, count)
    found = []
    for player in present:
        if dice.percent(40):
            found.append(Who(name=dice.pick(strangers)))
        else:
            found.append(_member(player, dice, plain=plain))
    return found


def _member(player: Player, dice: Dice, *, plain: bool) -> Who:
    name, identity = player.name, player.slug if dice.percent(25) else ""
    change = dice.below(10) if not plain else 9
    changed: dict[int, Callable[[], str]] = {
        0: name.upper,
        1: name.lower,
        2: lambda: unicodedata.normalize("NFD", name),
        3: lambda: name[:1] + dice.pick(UNSEEN) + name[1:],
        4: lambda: f"  {name.replace(' ', '   ')}\u00a0",
    }
    return Who(name=changed.get(change, lambda: name)(), identity=identity, player=player)


def _sides(ground: Ground, count: int, dice: Dice, *, plain: bool) -> list[int]:
    own = list(range(count))
    if count not in ground.seat_counts():
        return own
    sides = list(ground.sides(count))
    if len(set(sides)) < count and dice.percent(40):
        sides.sort()  # partners are listed one after another
    return own if not plain and dice.percent(4) else sides


def _random_time(ground: Ground, dice: Dice, *, plain: bool) -> dt.datetime:
    now = ground.at.astimezone(ground.zone).replace(tzinfo=None)
    first = ground.league.rounds.order_by("number").first()
    days = (ground.at - first.drawn_at).days if first is not None else 400
    when = now - dt.timedelta(days=dice.between(1, max(days - 1, 1)))
    when = when.replace(hour=dice.between(9, 23), minute=dice.below(60), second=0, microsecond=0)
    if plain and dice.percent(95):
        return when
    odd = dice.below(100)
    if odd < 10:
        return when - dt.timedelta(days=days + dice.below(900))
    if odd < 13:
        return now + dt.timedelta(minutes=dice.pick((-3, 1, 40, 60 * 30)))
    if odd < 15:
        return dt.datetime(2026, 10, 25, 2, 30)  # this hour occurs twice in Madrid
    if odd < 17:
        return dt.datetime(2026, 9, 27, 2, 30)  # this hour is skipped in Auckland
    return when


def _seats(
    ground: Ground, dice: Dice, people: Sequence[Who], sides: Sequence[int], *, plain: bool
) -> list[Seat]:
    by_side = _points(ground, dice, max(sides) + 1, plain=plain)
    order = places_in_order([-points for points in by_side])
    contradicts = not plain and dice.percent(18)
    if contradicts:
        order = dice.some(order, len(order))
    omitted = dice.below(10)
    return [
        Seat(
            who=who,
            side=side,
            place="" if omitted < 3 else order[side],
            points="" if 3 <= omitted < 5 else by_side[side],
            winner=order[side] == 1 if not contradicts else dice.percent(30),
        )
        for who, side in zip(people, sides, strict=True)
    ]


def _points(ground: Ground, dice: Dice, sides: int, *, plain: bool) -> list[int]:
    """Return points by side for a match of the game. Some of them are impossible."""
    if ground.league.game == "dominoes":
        points = [dice.below(100) for _side in range(sides)]
        if dice.percent(88 if plain else 75):
            points[dice.below(sides)] = 100 + dice.below(20)
    else:
        points = [dice.below(8) for _side in range(sides)]
    if not plain and dice.percent(5):
        points[0] = dice.pick((-5, 104, 100, 999, 10**12))
        points[-1] = dice.pick((104, 100, 0))
    return points


def _spoil(play: Play, dice: Dice) -> None:
    """Replace a value of a match by an invalid value that a person might write."""
    if not dice.percent(22):
        return
    play.certain = False
    seat = dice.pick(play.seats)
    odd: list[Callable[[], Any]] = [
        lambda: setattr(
            seat, "points", dice.pick(("1.000", "12,5", "12+8+", "3+20+5", "١٢", None))
        ),
        lambda: setattr(seat, "points", dice.pick((*UNSAFE, 12.0, 12.5, True, [], {}, 10**30))),
        lambda: setattr(seat, "place", dice.pick((*UNSAFE, 0, -1, 2, "1.0", "first", None))),
        lambda: setattr(
            seat.who, "name", dice.pick((*UNSAFE, "", "x" * 500, play.seats[0].who.name))
        ),
        lambda: setattr(seat.who, "identity", dice.pick((*UNSAFE, "x" * 81, "p-ana"))),
        lambda: setattr(play, "written", dice.pick((*UNSAFE, "never", "2026-02-30", "13/13/2026"))),
        lambda: setattr(play, "game", dice.pick((*OTHER_GAMES, *UNSAFE))),
        lambda: setattr(play, "note", dice.pick((*UNSAFE, "one\ntwo", "ñ" * 301))),
        lambda: setattr(play, "key", dice.pick((*UNSAFE, "x" * 81, "key-1", "KEY-1", " key-1"))),
    ]
    dice.pick(odd)()


# Rounds


def _name_rounds(ground: Ground, dice: Dice, plays: list[Play], *, plain: bool) -> None:
    """Give the matches round numbers, and add matches and byes of the next rounds."""
    drawn = ground.league.rounds.count()
    values = [*range(1, drawn + 3), None]
    for play in plays:
        play.round = drawn if plain else dice.pick(values)
        if not plain and dice.percent(3):
            play.round = dice.pick((0, 99, 100, -1, 1.5, True, *UNSAFE))
    if ground.league.format == League.Format.SWISS and dice.percent(80):
        _add_rounds(ground, dice, plays, drawn, plain=plain)
        if not plain and dice.percent(40):
            plays.pop(dice.below(len(plays)))


def _add_rounds(ground: Ground, dice: Dice, plays: list[Play], drawn: int, *, plain: bool) -> None:
    if dice.percent(75):
        # The next round can be created only if all fixtures of earlier rounds have results.
        plays.clear()
        for players in ground.open_fixtures():
            people = [_member(player, dice, plain=plain) for player in players]
            plays.append(_of_round(ground, dice, people, drawn, plain=plain))
    for number in range(drawn + 1, drawn + dice.between(2, 3)):
        players = [player for player in ground.members if player.merged_into_id is None]
        people = [_member(player, dice, plain=plain) for player in dice.some(players, len(players))]
        people += [Who(name=name) for name in dice.some(STRANGERS[:4], dice.below(3))]
        seats = dice.pick(ground.seat_counts())
        while len(people) >= seats:
            table, people = people[:seats], people[seats:]
            plays.append(_of_round(ground, dice, table, number, plain=plain))
        for who in people:
            play = _of_round(ground, dice, [who], number, plain=plain)
            play.seats = [Seat(who=who, side=0, place="", points="")]
            plays.append(play)


def _of_round(
    ground: Ground, dice: Dice, people: Sequence[Who], number: int, *, plain: bool
) -> Play:
    sides = _sides(ground, len(people), dice, plain=plain)
    seats = _seats(ground, dice, people, sides, plain=plain)
    return Play(key="", when=_random_time(ground, dice, plain=plain), seats=seats, round=number)


# Formats


def _time(ground: Ground, play: Play, style: int) -> str:
    """Write the time of a match: without time zone, in UTC, with an offset, or only the day."""
    if play.written:
        return play.written
    moment = play.when.replace(tzinfo=ground.zone)
    if style == 1:
        return moment.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")
    if style == 2:
        return moment.isoformat()
    if style == 3:
        play.when = play.when.replace(hour=12, minute=0, second=0, microsecond=0)
        return f"{play.when.date()}"
    return play.when.isoformat(sep="T" if style == 4 else " ", timespec="seconds")


def _csv(ground: Ground, dice: Dice, plays: Sequence[Play]) -> str:
    columns = _columns(dice, plays)
    style, slashes = dice.below(6), dice.percent(25)
    rows: list[list[object]] = [list(columns)]
    for number, play in enumerate(plays, start=1):
        written = _day_first(play, dice) if slashes else _time(ground, play, style)
        for index, seat in enumerate(play.seats):
            first = index == 0 or dice.percent(70)
            cells = {
                "match": number,
                "key": play.key if first else "",
                "played_at": written if first else "",
                "game": play.game if first else "",
                "player": _cell(seat.who.name, dice),
                "identity": seat.who.identity,
                "side": seat.side if len({s.side for s in play.seats}) < len(play.seats) else "",
                "place": seat.place,
                "points": seat.points,
                "note": play.note if first else "",
                "location": play.location,
                "more": "x",
                "round": play.round if first else "",
            }
            rows.append([cells[column.lower()] for column in columns])
    delimiter = dice.pick(",;\t")
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=dice.pick(("\n", "\r\n", "\r")))
    if dice.percent(20):
        out.write(f"sep={delimiter}\r\n")
    for row in rows:
        writer.writerow(["" if cell is None else cell for cell in row])
    return out.getvalue()


def _columns(dice: Dice, plays: Sequence[Play]) -> list[str]:
    columns = ["match", "key", "played_at", "game", "player", "identity", "side", "place", "points"]
    if dice.percent(30):
        columns += ["note", "location", "more"]
    if dice.percent(30):
        columns = dice.some(columns, len(columns))
    if dice.percent(20):
        columns = [column.upper() for column in columns]
    rounds = any(play.round is not None for play in plays)
    return [*columns, "round"] if rounds else columns


def _day_first(play: Play, dice: Dice) -> str:
    if play.written:
        return play.written
    sign = dice.pick("/.-")
    return f"{play.when:%d{sign}%m{sign}%Y %H:%M}"


def _cell(name: str, dice: Dice) -> str:
    """Write a name as this site's exports do: they put an apostrophe before a text that a
    spreadsheet would read as a formula.
    """
    formula = name[:1] in "=+-@" and name[:1] != ""
    return f"'{name}" if formula and dice.percent(70) else name


def _json(ground: Ground, dice: Dice, plays: Sequence[Play]) -> str:
    style = dice.below(6)
    results = [
        ({} if play.round is None else {"round": play.round})
        | {
            "key": play.key,
            "played_at": _time(ground, play, style),
            "game": play.game,
            "note": play.note,
            "seats": [
                {
                    "player": seat.who.name,
                    "identity": seat.who.identity,
                    "side": seat.side,
                    "place": None if seat.place == "" else seat.place,
                    "points": None if seat.points == "" else seat.points,
                }
                for seat in play.seats
            ],
        }
        for play in plays
    ]
    content = {"format": "temporada-results", "version": 1, "results": results}
    return json.dumps(content, ensure_ascii=dice.percent(30), indent=dice.pick((None, 1)))


def _bgstats(ground: Ground, dice: Dice, plays: Sequence[Play]) -> str:
    """Write matches as the BG Stats app does, which numbers games and people and gives
    each a UUID.
    """
    titles = list(dict.fromkeys(play.game or GAMES[ground.league.game][0] for play in plays))
    numbers: dict[tuple[str, str], int] = {}
    ranks = dice.percent(50)
    written = []
    for play in plays:
        scores = []
        teams = len({seat.side for seat in play.seats}) < len(play.seats)
        for order, seat in enumerate(play.seats, start=1):
            who = (seat.who.name, seat.who.identity)
            score: dict[str, object] = {
                "playerRefId": numbers.setdefault(who, len(numbers) + 1),
                "score": seat.points
                if isinstance(seat.points, dict | list)
                else _score(seat.points),
                "winner": seat.winner,
                "rank": seat.place if ranks and seat.place != "" else 0,
                "seatOrder": order if dice.percent(70) else 0,
                "startPlayer": order == 1,
                "newPlayer": False,
            }
            scores.append(score | ({"team": f"Team {seat.side}"} if teams else {}))
        written.append(
            {
                "uuid": play.key,
                "gameRefId": 1 + titles.index(play.game or GAMES[ground.league.game][0]),
                "playDate": play.written or f"{play.when:%Y-%m-%d %H:%M:%S}",
                "usesTeams": teams,
                "ignored": dice.percent(2),
                "comments": play.note,
                "locationRefId": 1,
                "playerScores": scores,
            }
        )
        if all(seat.points == "" and not (ranks and seat.place != "") for seat in play.seats):
            play.certain = False
        if any(seat.place == "" for seat in play.seats) or not ranks:
            play.certain = play.certain and all(seat.points != "" for seat in play.seats)
    highest = not dice.percent(4)
    if not highest:
        for play in plays:
            play.certain = False
    content = {
        "games": [
            {"id": number, "uuid": f"g{number}", "name": title, "highestWins": highest}
            for number, title in enumerate(titles, start=1)
        ],
        "players": [
            {"id": number, "uuid": identity, "name": name, "isAnonymous": dice.percent(1)}
            for (name, identity), number in numbers.items()
        ],
        "locations": [{"id": 1, "uuid": "l1", "name": "The club"}],
        "plays": written,
        "tags": [],
    }
    return json.dumps(content, ensure_ascii=dice.percent(30))


def _score(points: object) -> object:
    """Return points as text, because the app stores scores as text."""
    return points if points is None or isinstance(points, bool) else str(points)


# Damaged files


def _damaged(text: str, dice: Dice) -> str:
    place = dice.below(len(text) + 1)
    lines = text.splitlines(keepends=True)
    odd: tuple[Callable[[], str], ...] = (
        lambda: text[:place],
        lambda: text[:place] + dice.pick(UNSAFE) + text[place:],
        lambda: text[:place] + text[place + 1 :],
        lambda: "".join(dice.some(lines, len(lines))),
        lambda: "".join([*lines, dice.pick(lines)]) if lines else "",
        lambda: text.replace("player", "jugador", 1),
        lambda: text.replace('"', "", 1),
        lambda: f"{text}\n{text}",
        lambda: f"{dice.pick(UNSAFE)}{text}",
        lambda: "",
        lambda: "[" * 5000,
        lambda: f'{{"plays": [{"9" * 5000}], "games": [], "players": []}}',
        lambda: text.replace("1", "1e999", 1),
    )
    return dice.pick(odd)()


def _damaged_bytes(data: bytes, dice: Dice) -> bytes:
    place = dice.below(len(data) + 1)
    return dice.pick(
        (
            data[:place] + bytes([dice.below(256)]) + data[place:],
            data[:place],
            b"PK\x03\x04" + data,
            b"%PDF-1.7" + data,
            data[1:],
        )
    )
