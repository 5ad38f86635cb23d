"""Broadcasts of corridas: the moments reached so far, rendered as HTML fragments.

The page and the live feed both call `draw`, so they always agree.
"""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from cachetools import LRUCache
from django.template.loader import render_to_string
from django.utils import timezone, translation

from accounts.wording import BLOODLESS, VARIANT, active_language, bloodless
from core.keys import parse_key
from corridas.broadcast import queries as broadcast_queries
from corridas.models import Corrida, Puesto
from corridas.simulation.rows import replay, setup_of
from corridas.spoilers.queries import hidden
from corridas.stage.scene import Scene
from corridas.stage.showing import Ceremony, Showing, ShownMatador, Toro
from corridas.tabletop import queries
from corridas.world.short_names import short_names
from live import pubsub, stats
from live.broadcast_source import WatchingRefusedError, register
from live.sse import one_line

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

# Number of replayed corridas cached in each process. Each takes about 100 KB.
CACHED_SHOWINGS: Final = 32

# Languages of the live feed. Each language and each bloodless wording has its own channel.
LANGUAGES: Final = ("en", bloodless("en"), "es", bloodless("es"))

# Value of the parameter `?to=` by which a viewer asks to see the end of a corrida whose results are
# posted although its broadcast is not over.
END: Final = "end"
# Message of the live feed: the results are posted, but the broadcast continues.
POSTED_EARLY: Final = "posted"
Key = tuple[int, str, dt.datetime | None, int | None]
_cache: LRUCache[Key, Showing] = LRUCache(CACHED_SHOWINGS)
_lock = Lock()
# Keys of corridas that failed to replay, so that each failure is logged only once.
_unread: set[int] = set()


class NotReplayedError(Exception):
    """The stored cards of a corrida cannot be replayed.

    A row is damaged, or the engine has changed. Everything that does not depend on the cards can
    still be shown from `corrida`.
    """

    def __init__(self, corrida: Corrida) -> None:
        self.corrida = corrida
        super().__init__(f"Corrida {corrida.pk} does not replay.")


def showing_of(corrida: Corrida) -> Showing:
    """Return the replay of a corrida that has been simulated, cached in the process.

    Raise `NotReplayedError` if its cards cannot be replayed. The cards never change, so the cached
    object stays valid; only names may be outdated until the process restarts. Failures are not
    cached, so a repaired row works at once.
    """
    key = (corrida.pk, corrida.state, corrida.on_air_at, corrida.pace_ms)
    with _lock:
        if key in _cache:
            return _cache[key]
    showing = _build_showing(corrida)
    with _lock:
        _cache[key] = showing
    return showing


def _build_showing(corrida: Corrida) -> Showing:
    try:
        showing = _replay(corrida)
    except (LookupError, ValueError) as error:
        if corrida.pk not in _unread:
            _unread.add(corrida.pk)
            log.exception("Corrida %s does not replay", corrida.pk)
        raise NotReplayedError(corrida) from error
    _unread.discard(corrida.pk)
    return showing


def _replay(corrida: Corrida) -> Showing:
    setup = setup_of(corrida)
    record = replay(corrida)
    puestos = broadcast_queries.puestos(corrida)
    short = short_names([puesto.matador.called for puesto in puestos])
    return Showing(
        circuit=corrida.season.circuit.slug,
        corrida=corrida.pk,
        plaza=corrida.plaza.name,
        date=corrida.date,
        category=corrida.plaza.category,
        house=corrida.house_word,
        matadors=tuple(
            ShownMatador(
                pk=puesto.matador_id,
                slug=puesto.matador.slug,
                name=puesto.matador.billing,
                short=called,
                card=card,
            )
            for puesto, called, card in zip(puestos, short, setup.order, strict=True)
        ),
        bulls=tuple(
            Toro(pk=bull.pk, name=bull.name, number=bull.number, coat=bull.coat, weight=bull.weight)
            for bull in broadcast_queries.encierro(corrida)
        ),
        deck=setup.deck,
        rules=setup.rules,
        record=record,
        timeline=corrida.timeline([len(lidia.draws) for lidia in record.lidias]),
        ceremony=_ceremony(corrida, puestos),
    )


def _ceremony(corrida: Corrida, puestos: Sequence[Puesto]) -> Ceremony | None:
    """Return the alternativa that takes place in a corrida, or None.

    It requires that padrino and testigo (the witnesses) fight in the same corrida.
    """
    places: dict[int | None, int] = {
        puesto.matador_id: place for place, puesto in enumerate(puestos)
    }
    for place, puesto in enumerate(puestos):
        padrino = places.get(puesto.matador.padrino_id)
        testigo = places.get(puesto.matador.testigo_id)
        if puesto.matador.alternativa != corrida.date or padrino is None or testigo is None:
            continue
        return Ceremony(place, padrino, testigo)
    return None


def is_played(corrida: Corrida) -> bool:
    return corrida.is_over or (
        corrida.state == Corrida.State.ON_AIR and corrida.on_air_at is not None
    )


def reached(corrida: Corrida, showing: Showing, at: dt.datetime) -> int:
    """Return the last moment (step of the broadcast) that viewers may see at the time `at`.

    Return -1 before the paseíllo (opening parade).
    """
    if corrida.is_over:
        return len(showing.timeline) - 1
    assert corrida.on_air_at is not None
    return showing.timeline.shown_after(at - corrida.on_air_at).moment


def present(corrida: Corrida, showing: Showing, at: dt.datetime) -> int:
    """Return the moment that viewers are shown: where the broadcast is at the time `at`.

    After results were posted early, `reached` returns the end of the corrida at once. Viewers are
    shown the end only on request, and otherwise watch the rest at its own pace.
    """
    if corrida.on_air_at is None or not corrida.goes_on(at):
        return reached(corrida, showing, at)
    return showing.timeline.shown_after(at - corrida.on_air_at).moment


def end_of_lidia(corrida: int, turn: int) -> Scene | None:
    """Return the last moment of the fight with a bull whose results are posted.

    None if its cards cannot be shown.
    """
    row = broadcast_queries.find_corrida(corrida)
    if row is None or not queries.has_cards(row):
        return None
    try:
        showing = showing_of(row)
    except NotReplayedError:
        return None
    moment = showing.timeline.moment((turn, showing.timeline.cards_per_lidia[turn - 1]))
    return Scene(showing=showing, moment=moment, language=active_language())


def draw(showing: Showing, moment: int, language: str, **extra: object) -> str:
    with translation.override(language):
        scene = Scene(showing=showing, moment=moment, language=language)
        context = {"circuit": showing.circuit, "scene": scene, **extra}
        markup = render_to_string("corridas/corrida/_stage.html", context)
    return one_line(markup)


@dataclass(frozen=True)
class Broadcast:
    """The broadcast of a corrida for the live feed.

    It implements `live.broadcast_source.BroadcastSource`.
    """

    moments: Sequence[float]
    ended: bool
    showing: Showing | None
    language: str
    notice: str = ""

    def render(self, number: int) -> bytes:
        assert self.showing is not None
        return draw(self.showing, number - 1, self.language).encode()


def provide(key: str, language: str) -> Broadcast | None:
    """Return the broadcast of the corrida with this key, or None if the corrida does not exist.

    Before a broadcast begins its list of moments is empty.
    """
    corrida = _find(key)
    if corrida is None:
        return None
    if not is_played(corrida):
        return Broadcast((), corrida.state == Corrida.State.FAILED, None, language)
    if not queries.has_cards(corrida):
        return Broadcast((), True, None, language)
    try:
        showing = showing_of(corrida)
    except NotReplayedError:  # the cards cannot be read, so viewers need not wait
        return Broadcast((), True, None, language)
    # A corrida that was never on air is over, so all of its moments may be shown.
    start = corrida.on_air_at.timestamp() if corrida.on_air_at else 0.0
    notice = POSTED_EARLY if corrida.is_over and corrida.goes_on(timezone.now()) else ""
    return Broadcast(showing.timeline.moments(start), True, showing, language, notice)


def may_watch(key: str, visitor: Any) -> bool:
    """Return whether a visitor may follow the broadcast of the corrida with this key.

    Raise `WatchingRefusedError` if it is over and the visitor's spoiler protection hides it,
    because the feed would begin with the end. Following a corrida on air marks it as watched.
    """
    corrida = _find(key)
    if corrida is None or not visitor.has_perm("corridas.view_circuit", corrida.season.circuit):
        return False
    has_ended = corrida.is_over and not corrida.goes_on(timezone.now())
    if has_ended and getattr(visitor, "shielded_since", None):
        _check_watched(corrida, visitor)
    return True


def _check_watched(corrida: Corrida, visitor: User) -> None:
    if hidden(visitor, timezone.now()).filter(pk=corrida.pk).exists():
        raise WatchingRefusedError(
            "This is over, and you have not watched it: ask for its moments."
        )


def _find(key: str) -> Corrida | None:
    pk = parse_key(key)
    return None if pk is None else broadcast_queries.find_corrida(pk)


def register_broadcasts() -> None:
    for language in LANGUAGES:
        register(kind(language), _provider(language), may_watch=may_watch)


def kind(language: str) -> str:
    """Return the name of the feed channels in a language, such as `corrida-es-bloodless`."""
    return f"corrida-{language.replace(VARIANT, BLOODLESS)}"


def announce_posting(corridas: Iterable[int]) -> None:
    """Notify viewers of these corridas that the results were posted early."""
    pubsub.publish_all(
        [(kind(language), str(corrida)) for corrida in corridas for language in LANGUAGES]
    )


def watchers(corridas: Iterable[int], at: dt.datetime) -> int | None:
    """Return how many people are watching these corridas on air.

    Return None if that cannot be counted.
    """
    lines = [f"{kind(language)}/{corrida}" for corrida in corridas for language in LANGUAGES]
    return stats.count_watchers(lines, at=at.timestamp())


def _provider(language: str) -> Any:
    def provider(key: str) -> Broadcast | None:
        return provide(key, language)

    return provider
