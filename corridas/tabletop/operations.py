"""Operations on corridas at real tables: begin, assign to players, extend, and store results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ObjectDoesNotExist
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _

from api.types import JSON, JSONObject
from core.names.text import clean
from corridas.engine import BULLS, MATADORS, CorridaSetup
from corridas.engine import Deck as EngineDeck
from corridas.models import (
    Circuit,
    Corrida,
    Deck,
    Injury,
    MatadorCard,
    Plaza,
    Puesto,
    Run,
    Season,
    TableCorrida,
    Winter,
)
from corridas.simulation.new_circuit import shipped
from corridas.simulation.rows import latest_cards
from corridas.tabletop import lending
from corridas.tabletop.lending import give, take_back
from corridas.tabletop.queries import cartel_on_sheet, plaza_called
from corridas.tabletop.sheets import SheetReading, judge
from corridas.world.names import plaza_in_sentence
from leagues.exceptions import OperationError
from leagues.matches.operations import matches
from leagues.matches.operations.matches import players_by_name
from leagues.models import League, Match, Player
from leagues.text import join_with_or

if TYPE_CHECKING:
    from accounts.models import User

GAME: Final = "indulto"
SEATS: Final = (1, 2, 3)


@transaction.atomic
def begin_table_corrida(
    *,
    players: Sequence[Player],
    by: Player,
    plaza: Plaza,
    date: dt.date,
    matadors: Sequence[MatadorCard],
    bulls: Sequence[Mapping[str, JSON]],
    at: dt.datetime,
    circuit: Circuit | None = None,
    league: League | None = None,
    leads: Sequence[int] | None = None,
) -> Match:
    """Begin a corrida at a real table with an empty scoresheet. Return its match.

    `bulls` are six bulls in the order in which they come out. `circuit` is the circuit in which the
    corrida should count, None if it counts in a `league` or nowhere. `leads` is the seat of the
    player who leads each matador, in the given order. It may be left out if all players lead the
    same number: one player leads all matadors, and three players lead one each. Raise
    `OperationError` for an invalid corrida.
    """
    _check_roster(plaza.circuit, plaza, matadors, bulls)
    setup = _setup(plaza, matadors)
    match = _open(players, by, at, setup, league)
    given = seats_that_lead(leads, [player.name for player in players])
    seats = dict(zip((card.identity for card in setup.matadors), given, strict=True))
    led = [seats[card.identity] for card in setup.order]
    sheet = _empty_sheet(plaza, date, setup, bulls) | {"leads": led}
    TableCorrida.objects.create(match=match, circuit=circuit, plaza=plaza, date=date)
    return matches.save_draft(match=match, version=match.version, content=sheet, by=by)


def seats_that_lead(leads: Sequence[int] | None, names: Sequence[str]) -> list[int]:
    """Return the seat of the player who leads each matador.

    Raise `OperationError` if the players must choose and have not, or if a player leads no matador.
    """
    if leads is None:
        if MATADORS % len(names):
            words = {"names": join_with_or(names)}
            raise OperationError(_("Choose who leads each matador: %(names)s.") % words, "leads")
        return [place % len(names) for place in range(MATADORS)]
    if set(leads) != set(range(len(names))):
        raise OperationError(_("Choose a matador for every player at the table."), "leads")
    return list(leads)


def _setup(plaza: Plaza, matadors: Sequence[MatadorCard]) -> CorridaSetup:
    circuit = plaza.circuit
    return CorridaSetup(
        rules=circuit.engine_rules(),
        deck=circuit.deck.engine_deck(),
        plaza_rating=plaza.category,
        matadors=tuple(card.engine_card() for card in matadors),
    )


def _check_roster(
    circuit: Circuit,
    plaza: Plaza,
    matadors: Sequence[MatadorCard],
    bulls: Sequence[Mapping[str, JSON]],
) -> None:
    if len({card.matador_id for card in matadors}) != MATADORS:
        raise OperationError(_("Choose three different matadors."), "matadors")
    if any(card.matador.circuit_id != circuit.pk for card in matadors):
        raise OperationError(
            _("The matadors and the plaza must belong to the same circuit."), "matadors"
        )
    if len(bulls) != BULLS:
        raise OperationError(_("A corrida has six bulls."), "bulls")


def _empty_sheet(
    plaza: Plaza, date: dt.date, setup: CorridaSetup, bulls: Sequence[Mapping[str, JSON]]
) -> JSONObject:
    return {
        "plaza": {"name": plaza.name, "rating": plaza.category},
        "date": date.isoformat(),
        "deck": plaza.circuit.deck.digest,
        "cartel": cartel_on_sheet(plaza.circuit, setup),
        "bulls": [{"name": bull["name"], "number": bull["number"]} for bull in bulls],
        "lidias": [{} for _ in range(BULLS)],
    }


def _open(
    players: Sequence[Player],
    by: Player,
    at: dt.datetime,
    setup: CorridaSetup,
    league: League | None,
) -> Match:
    if league is not None:
        return matches.open_match(by=by, at=at, players=players, league=league)
    return matches.open_match(
        by=by,
        at=at,
        players=players,
        game=GAME,
        profile=matches.OWN_RULES,
        rules=setup.rules.options(),
        rated=False,
    )


def people_called(*, names: Sequence[str], by: Player, at: dt.datetime) -> list[Player]:
    """Return the players with these names.

    A username returns the player of that account. Other names return a guest of `by`, new if
    necessary. Raise `OperationError` for an invalid name.
    """
    cleaned = list(filter(None, map(clean, names)))
    accounts = [_account_called(name) for name in cleaned]
    others = [name for name, account in zip(cleaned, accounts, strict=True) if account is None]
    guests = iter(players_by_name(by=by, at=at, names=others))
    return [account or next(guests) for account in accounts]


def _account_called(name: str) -> Player | None:
    try:
        user = get_user_model().objects.get_by_natural_key(name)
    except ObjectDoesNotExist:
        return None
    return Player.objects.present().filter(user=user).first()


@transaction.atomic
def give_fixture(
    *,
    corrida: Corrida,
    director: User,
    players: Sequence[Player],
    deadline: dt.datetime,
    at: dt.datetime,
    leads: Sequence[int] | None = None,
) -> Match:
    """Assign a corrida of the season to players, who must enter its result before the deadline.

    Return the new match. Cartel (announced matadors and bulls) and seed of the corrida stay
    unchanged. If the players miss the deadline, it is simulated from that seed. Raise
    `OperationError` if it cannot be assigned.
    """
    season = Season.objects.select_related("circuit__deck").get(pk=corrida.season_id)
    check_circuit(season)
    _check_directs(director, season.circuit)
    _check_gift(corrida, players, deadline - at)
    match = _begin_with_cartel(corrida, season.circuit, players, at, leads)
    table = TableCorrida.objects.get(match=match)
    table.deadline = deadline
    table.save(update_fields=["deadline"])
    if not give(corrida, table):
        raise OperationError(_("%s is no longer waiting to be played.") % corrida)
    return match


def _begin_with_cartel(
    corrida: Corrida,
    circuit: Circuit,
    players: Sequence[Player],
    at: dt.datetime,
    leads: Sequence[int] | None,
) -> Match:
    puestos = Puesto.objects.filter(cartel=corrida.pk).select_related("card__matador")
    return begin_table_corrida(
        players=players,
        by=players[0],
        plaza=corrida.plaza,
        date=corrida.date,
        matadors=[puesto.card for puesto in puestos.order_by("order")],
        bulls=list(corrida.cartel.bulls.order_by("place").values("name", "number")),
        at=at,
        circuit=circuit,
        leads=leads,
    )


def _check_gift(corrida: Corrida, players: Sequence[Player], left: dt.timedelta) -> None:
    if left <= dt.timedelta():
        raise OperationError(_("The deadline must be in the future."), "deadline")
    if not players:
        raise OperationError(_("Choose the players for this corrida."), "players")
    corrida.refresh_from_db()
    if corrida.state != Corrida.State.ANNOUNCED or not hasattr(corrida, "cartel"):
        raise OperationError(
            _("You can assign a corrida to a table only if it has been announced and has a cartel.")
        )


@transaction.atomic
def take_fixture_back(*, table: TableCorrida, director: User) -> None:
    """Return a corrida that was assigned to a real table to its season.

    Raise `OperationError` if its result already counts, or if it was not assigned.
    """
    if table.circuit is None:
        raise OperationError(_("This corrida was not assigned to a table."))
    _check_directs(director, table.circuit)
    if not take_back(table):
        raise OperationError(
            _(
                "You can’t take this corrida back from the table: it already counts or has "
                "already been returned to its season."
            )
        )


@transaction.atomic
def extend_deadline(
    *, table: TableCorrida, director: User, deadline: dt.datetime, at: dt.datetime
) -> None:
    """Extend the deadline for the result of a corrida at a real table.

    Raise `OperationError` if the deadline has passed, the result is submitted, the corrida was
    returned to its season, or the new deadline is not later than the old one.
    """
    if table.circuit is None:
        raise OperationError(_("This corrida was not assigned to a table."))
    _check_directs(director, table.circuit)
    held = TableCorrida.objects.select_for_update(of=("self",)).select_related("match")
    now = held.get(pk=table.pk)
    _check_waiting(now, at)
    if now.deadline is not None and deadline <= now.deadline:
        raise OperationError(_("The new deadline must be later than the current one."))
    now.deadline = deadline
    now.save(update_fields=["deadline"])


def _check_waiting(table: TableCorrida, at: dt.datetime) -> None:
    if not table.given or table.corrida_id is None:
        raise OperationError(_("This corrida has already been returned to its season."))
    if table.filed_at is not None or table.match.state != Match.State.DRAFT:
        raise OperationError(_("The players at the table have already entered the result."))
    if table.deadline is not None and table.deadline <= at:
        raise OperationError(
            _("The deadline for this corrida has passed, so the corrida returns to its season.")
        )


def check_circuit(season: Season) -> None:
    """Lock the circuit of a season and check that it may change.

    Raise `OperationError` if the circuit is frozen or archived, or if the season is being
    simulated.
    """
    circuit = Circuit.objects.select_for_update(of=("self",)).get(pk=season.circuit_id)
    if circuit.frozen_at is not None or circuit.archived_at is not None:
        raise OperationError(_("The circuit is paused, so nothing can be played or entered in it."))
    if Run.objects.filter(season=season, state__in=Run.ACTIVE).exists():
        raise OperationError(
            _("Corridas in this season are being played. Wait until they have finished.")
        )


def _check_directs(director: User, circuit: Circuit) -> None:
    if not director.has_perm("corridas.direct_circuit", circuit):
        raise OperationError(_("Only the director of the circuit can do this."))


def deck_of(sheet: JSON) -> EngineDeck | None:
    """Return the deck of a scoresheet, or None if it is unknown.

    A sheet that contains no digest of a deck uses the shipped deck.
    """
    text = deck_text(sheet)
    return None if text is None else EngineDeck.parse(text)


def deck_text(sheet: JSON) -> str | None:
    """Return the deck of a scoresheet as text, one card per line, or None if it is unknown."""
    digest = sheet.get("deck") if isinstance(sheet, Mapping) else None
    if digest is None:
        return str(shipped().deck)
    row = Deck.objects.filter(digest=digest).first() if isinstance(digest, str) else None
    return row.cards if row else None


RATINGS: Final = (1, 2, 3)


class TableBook:
    """Stores the results of corridas at real tables in circuits.

    The leagues app calls its methods when matches change.
    """

    def sheet_saved(self, match: int, content: JSON, *, person: int) -> None:
        """Store the plaza and the date of a sheet in the row of its corrida.

        A corrida that counts in a circuit is not changed. A sheet without a date or a plaza is
        ignored.
        """
        frame = _frame_of(content)
        if frame is None:
            return
        name, rating, date = frame
        table = TableCorrida.objects.select_related("plaza").filter(match=match).first()
        if table is not None and (table.circuit_id is not None or _is_at(table, frame)):
            return
        by = Player.objects.select_related("user").get(pk=person).user or AnonymousUser()
        plaza = plaza_called(name, rating, deck=content.get("deck"), by=by)
        TableCorrida.objects.update_or_create(
            match_id=match, defaults={"plaza": plaza, "date": date}
        )

    def enter(self, match: int, *, at: dt.datetime) -> None:
        """Store a confirmed result in its circuit, if the circuit accepts results of real tables.

        Raise `OperationError` if the result does not fit the circuit; it is then not confirmed.
        """
        table = _table_of(match)
        if table is None or table.circuit is None or table.filed_at is not None:
            return
        _check_given(table)
        if _counts(table):
            _file(table, at)

    def match_struck(self, match: int, *, at: dt.datetime) -> None:
        """Remove the result of a match that no longer counts from its circuit.

        Raise `OperationError` if the circuit is frozen or the winter of its season is over.
        """
        table = _table_of(match)
        if table is None or table.filed_at is None or table.corrida is None:
            return
        season = Season.objects.select_related("circuit").get(pk=table.corrida.season_id)
        check_circuit(season)
        _check_winter(season)
        lending.unfile(table, at=at)

    def runs(self, match: int, person: int) -> bool:
        """Return whether a player directs the circuit in which the match counts."""
        owned = Player.objects.filter(pk=person, user__circuits__table_corridas__match=match)
        return owned.exists()


BOOK: Final = TableBook()


def _frame_of(content: JSON) -> tuple[str, int, dt.date] | None:
    """Return name and rating of the plaza, and the date, that a sheet contains.

    Return None if one of them is missing or invalid.
    """
    plaza = content.get("plaza") if isinstance(content, Mapping) else None
    if not isinstance(plaza, Mapping):
        return None
    name, rating, written = plaza.get("name"), plaza.get("rating"), content.get("date")
    if not (isinstance(name, str) and rating in RATINGS and isinstance(written, str)):
        return None
    try:
        return name, rating, dt.date.fromisoformat(written)
    except ValueError:
        return None


def _is_at(table: TableCorrida, frame: tuple[str, int, dt.date]) -> bool:
    plaza = table.plaza
    return plaza is not None and (plaza.name, plaza.category, table.date) == frame


def refusal(match: int) -> str:
    """Return why a submitted result of a real table could not be stored in its circuit at present.

    Return an empty string if it could be stored. Nothing is locked or changed; the result is
    checked again when it is confirmed.
    """
    table = _table_of(match)
    if table is None or table.circuit is None or table.filed_at is not None:
        return ""
    try:
        _check_given(table)
        if _counts(table):
            _check_filing(table)
    except OperationError as error:
        return str(error)
    return ""


def _counts(table: TableCorrida) -> bool:
    return table.given or (table.circuit is not None and table.circuit.tables_count)


def _check_given(table: TableCorrida) -> None:
    if table.given and table.corrida is None:
        raise OperationError(
            _(
                "The deadline for this corrida has passed. The corrida has been returned to its "
                "season."
            )
        )


def _table_of(match: int) -> TableCorrida | None:
    rows = TableCorrida.objects.select_related("circuit__deck", "plaza", "corrida", "match__sheet")
    return rows.filter(match=match).first()


def _check_winter(season: Season) -> None:
    if Winter.objects.filter(season=season, done_at__isnull=False).exists():
        raise OperationError(
            _("The winter after this season has ended, so the corrida can no longer be changed.")
        )


def _file(table: TableCorrida, at: dt.datetime) -> None:
    check_circuit(_season(table))
    reading = _check_filing(table)
    try:
        lending.file(table, reading, at=at)
    except lending.NotFiledError as refused:
        raise OperationError(_sentence(refused)) from refused


def _check_filing(table: TableCorrida) -> SheetReading:
    reading = _reading(table)
    if not table.given:
        _check_day(table, reading)
    return reading


def _reading(table: TableCorrida) -> SheetReading:
    """Return the referee's judgement of the submitted sheet, by rules and deck of the circuit.

    Raise `OperationError` if the sheet is invalid or does not belong to the corrida.
    """
    circuit, sheet = table.circuit, table.match.sheet
    assert circuit is not None
    assert sheet is not None
    rules = _season(table).engine_rules()
    reading = judge(rules, circuit.deck.engine_deck(), sheet.content)
    content = sheet.content
    if not reading.stands:
        raise OperationError(_("This scoresheet is not valid under the rules of this circuit."))
    plaza = table.corrida.plaza if table.corrida is not None else table.plaza
    date = table.corrida.date if table.corrida is not None else table.date
    billed = {"name": plaza.name, "rating": plaza.category} if plaza else None
    if content["plaza"] != billed or content["date"] != date.isoformat():
        raise OperationError(
            _("The plaza and date are not those with which this corrida was started.")
        )
    return reading


def _season(table: TableCorrida) -> Season:
    """Return the season in which the corrida of a real table counts.

    Raise `OperationError` if that season is over or not planned.
    """
    seasons = Season.objects.select_related("circuit")
    if table.corrida is not None:
        return seasons.get(pk=table.corrida.season_id)
    open_ones = seasons.filter(Q(winter=None) | Q(winter__done_at=None), circuit=table.circuit)
    season = open_ones.filter(year=table.date.year).first()
    if season is None:
        raise OperationError(
            _("This circuit has no open season in %(year)s.") % {"year": table.date.year}
        )
    return season


def _check_day(table: TableCorrida, reading: SheetReading) -> None:
    """Raise `OperationError` if the plaza or a matador of the sheet is not free on that day.

    An injured matador is not free, nor is one who fights in another corrida.
    """
    plaza = table.plaza
    if plaza is not None and Corrida.objects.filter(plaza=plaza, date=table.date).exists():
        raise OperationError(
            _(
                "There is already a corrida in %(plaza)s on that day. The director can assign it "
                "to your table."
            )
            % {"plaza": plaza_in_sentence(plaza.city, plaza.name)},
            "date",
        )
    assert reading.setup is not None
    assert table.circuit_id is not None
    latest = latest_cards(table.circuit_id).values()
    found = lending.find_printed(reading.setup.order, latest)
    # Cards that are not the newest of their matador are skipped here; `file` rejects them.
    men = [printed.matador_id for printed in found if printed is not None]
    billed = Puesto.objects.filter(date=table.date, matador__in=men)
    hurt = Injury.objects.filter(since__lte=table.date, until__gte=table.date, matador__in=men)
    for rows, sentence in (
        (billed, _("%s is announced at another plaza on that day.")),
        (hurt, _("%s is injured and can’t appear on that day.")),
    ):
        first = rows.select_related("matador").first()
        if first is not None:
            raise OperationError(sentence % first.matador, "matadors")


def _sentence(refused: lending.NotFiledError) -> str:
    words = {"name": refused.name}
    return {
        "matador": _("The card for %(name)s is not the one on this cartel."),
        "bull": _("%(name)s is not one of the six bulls on this cartel."),
        "season": _("This circuit has no open season %(name)s."),
        "herd": _("No herd in this circuit has any bulls."),
        "fixture": _(
            "The deadline for this corrida has passed. The corrida has been returned to its season."
        ),
    }[refused.what] % words
