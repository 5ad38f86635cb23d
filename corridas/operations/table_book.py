"""The book of a table's corridas: what is confirmed goes into the records of its circuit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils.translation import gettext as _

from corridas.engine import Deck as EngineDeck
from corridas.models import Corrida, Deck, Injury, Puesto, Season, TableCorrida, Winter
from corridas.operations.tables import check_circuit
from corridas.queries.tables import plaza_called
from corridas.sheets import Reading, judge
from corridas.simulation import tables as filing
from corridas.simulation.founding import shipped
from leagues.models import Player
from leagues.operations.errors import OperationError


def deck_of(sheet: Any) -> EngineDeck | None:
    """The deck a sheet was played with: the shipped one, or that of the digest it names."""
    text = deck_text(sheet)
    return None if text is None else EngineDeck.parse(text)


def deck_text(sheet: Any) -> str | None:
    """The same as text, a card a line, as its digest has it; None where there is no such deck."""
    digest = sheet.get("deck") if isinstance(sheet, Mapping) else None
    if digest is None:
        return str(shipped().deck)
    row = Deck.objects.filter(digest=digest).first() if isinstance(digest, str) else None
    return row.cards if row else None


RATINGS: Final = (1, 2, 3)


class TableBook:
    """What follows the matches of this game that count: the records of circuits."""

    def written(self, match: int, content: Any, *, person: int) -> None:
        """Have the corrida of a sheet stand beside its match, wherever the sheet was written.

        One meant for a circuit stays as it was begun; a sheet without a day or a plaza is none yet.
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
        """File a confirmed corrida into its circuit, where that takes it.

        Raises `OperationError` where it does not fit: nothing is confirmed then.
        """
        table = _table_of(match)
        if table is None or table.circuit is None or table.filed_at is not None:
            return
        _check_given(table)
        if _counts(table):
            _file(table, at)

    def strike(self, match: int, *, at: dt.datetime) -> None:
        """Take a corrida that counts no more out of the records of its circuit.

        Raises `OperationError` where the circuit rests or the winter has built on its season.
        """
        table = _table_of(match)
        if table is None or table.filed_at is None or table.corrida is None:
            return
        season = Season.objects.select_related("circuit").get(pk=table.corrida.season_id)
        check_circuit(season)
        _check_winter(season)
        filing.unfile(table, at=at)

    def runs(self, match: int, person: int) -> bool:
        """Whether somebody is the director of the circuit that it is for."""
        owned = Player.objects.filter(pk=person, user__circuits__table_corridas__match=match)
        return owned.exists()


BOOK: Final = TableBook()


def _frame_of(content: Any) -> tuple[str, int, dt.date] | None:
    """Plaza, its category and the day, where a sheet names them; whatever else it may hold."""
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
    """What speaks against filing a corrida that is handed in, as things stand; empty for nothing.

    Holds and changes nothing: whether it is filed is only known once it is confirmed.
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
            _("The deadline for this corrida has passed. It has been returned to its season.")
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
        filing.file(table, reading, at=at)
    except filing.NotFiledError as refused:
        raise OperationError(_sentence(refused)) from refused


def _check_filing(table: TableCorrida) -> Reading:
    reading = _reading(table)
    if not table.given:
        _check_day(table, reading)
    return reading


def _reading(table: TableCorrida) -> Reading:
    """The sheet that counts, by the rules and the deck of the circuit."""
    circuit, sheet = table.circuit, table.match.sheet
    assert circuit is not None
    assert sheet is not None
    rules = _season(table).engine_rules()
    reading = judge(rules, circuit.deck.engine_deck(), sheet.content)
    content = sheet.content
    if not reading.stands:
        raise OperationError(_("This sheet is not valid under the rules of this circuit."))
    plaza = table.corrida.plaza if table.corrida is not None else table.plaza
    date = table.corrida.date if table.corrida is not None else table.date
    billed = {"name": plaza.name, "rating": plaza.category} if plaza else None
    if content["plaza"] != billed or content["date"] != date.isoformat():
        raise OperationError(
            _("The plaza and date are not those with which this corrida was started.")
        )
    return reading


def _season(table: TableCorrida) -> Season:
    """The season it belongs to. Raises `OperationError` where that is over or was never planned."""
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


def _check_day(table: TableCorrida, reading: Reading) -> None:
    """Nobody is in two places on a day; the injured rest; a plaza has one corrida a day."""
    if Corrida.objects.filter(plaza=table.plaza, date=table.date).exists():
        raise OperationError(
            _(
                "%(plaza)s already has a corrida on that day. The director can give it to "
                "your table."
            )
            % {"plaza": table.plaza},
            "date",
        )
    assert reading.setup is not None
    names = [card.name for card in reading.setup.order]
    billed = Puesto.objects.filter(
        date=table.date, matador__circuit=table.circuit, matador__name__in=names
    )
    hurt = Injury.objects.filter(
        since__lte=table.date,
        until__gte=table.date,
        matador__circuit=table.circuit,
        matador__name__in=names,
    )
    for rows, sentence in (
        (billed, _("%s is announced at another plaza on that day.")),
        (hurt, _("%s is injured and can’t appear on that day.")),
    ):
        first = rows.select_related("matador").first()
        if first is not None:
            raise OperationError(sentence % first.matador, "matadors")


def _sentence(refused: filing.NotFiledError) -> str:
    words = {"name": refused.name}
    return {
        "matador": _("The card for %(name)s is not the one in this cartel."),
        "bull": _("%(name)s is not one of the six bulls of this cartel."),
        "season": _("This circuit has no open season %(name)s."),
        "herd": _("No herd in this circuit has any bulls."),
        "fixture": _(
            "The deadline for this corrida has passed. It has been returned to its season."
        ),
    }[refused.what] % words
