"""Factories for tests: players, leagues with matches, and a small circuit of corridas.

Every account has a player. Objects are created by the site's own operations, unless these need more
than a test is about.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.card_chances import card_columns
from corridas.engine import EARS
from corridas.models import (
    Bull,
    Cartel,
    Circuit,
    Corrida,
    Deck,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    RecordBook,
    Season,
)
from corridas.simulation.namesakes import tell_apart
from corridas.simulation.new_circuit import shipped
from corridas.simulation.play import play_on_air
from corridas.world.chances.sample import bundled_scores
from leagues.games import games
from leagues.matches.operations import matches
from leagues.models import League, Match, Member, Player
from leagues.players import GUEST_SESSION_KEY, new_player
from tests.databases import written_again

# People


def account(name: str, *, at: dt.datetime | None = None, **fields: Any) -> Player:
    """Create an account and return its player; `fields` are fields of the user."""
    user = User.objects.create_user(name, **fields)
    return new_player(name=name, at=at or timezone.now(), user=user)


def guest(name: str, *, at: dt.datetime | None = None) -> Player:
    """Create a player without an account."""
    return new_player(name=name, at=at or timezone.now())


def browser(of: Player | None) -> Client:
    """Return a test client that is signed in as this player, plays as this guest, or is
    anonymous.
    """
    client = Client()
    if of is not None and of.user is not None:
        client.force_login(of.user)
    elif of is not None:
        session = client.session
        session[GUEST_SESSION_KEY] = of.pk
        session.save()
    return client


def browser_of(username: str) -> Client:
    """Return a test client that is signed in as this user, who is created if missing."""
    client = Client()
    client.force_login(User.objects.get_or_create(username=username)[0])
    return client


# Leagues


def league(
    game: str, organiser: Player, *players: Player, rules: Mapping[str, Any], **fields: Any
) -> League:
    """Create a league with its own rules and these players; `fields` are columns of the league."""
    now = timezone.now()
    given = {
        "name": "Thursday league",
        "slug": "thursday-league",
        "invitation": "an-invitation",
        "seats": max(2, len(players)),
        **fields,
    }
    found = League.objects.create(
        game=game,
        profile="own",
        rules=rules,
        rules_hash=games[game].digest(rules),
        seed=bytes(32),
        created_at=now,
        **given,
    )
    for one in {organiser, *players}:
        Member.objects.create(
            league=found,
            player=one,
            role=Member.Role.ORGANISER if one == organiser else Member.Role.PLAYER,
            plays=one in players,
            joined_at=now - dt.timedelta(days=30),
        )
    return found


def match(at: League, *players: Player, by: Player | None = None) -> Match:
    """Open a match of the league that has no result yet."""
    return matches.open_match(
        by=by or players[0], at=timezone.now(), players=list(players), league=at
    )


# Corridas

NAMES = ("Pedro Romero", "Francisco Montes", "José Redondo", "Rafael Molina")
CARD = {
    "bronca": "1-2",
    "pitos": "3-8",
    "silencio": "9-19",
    "division": "20-24",
    "aplausos": "25-37",
    "ovacion": "38-42",
    "oreja": "43-81",
    "dos_orejas": "82-96",
    "rabo": "97-100",
    "vuelta": "33-47",
    "aviso": "97-100",
    "indulto": "-",
}

# Result of a lidia: (trophy 0-3, crowd 1-6 or None, avisos).
Brought = tuple[int, int | None, int]
OREJA: Brought = (1, None, 0)
RABO: Brought = (3, None, 0)
SILENCIO: Brought = (0, 3, 1)
OVACION: Brought = (0, 6, 0)
PLAIN = (OREJA, SILENCIO, OVACION, RABO, SILENCIO, OVACION)


@dataclass
class World:
    """The rows of a small circuit, with methods that add corridas."""

    circuit: Circuit
    season: Season
    deck: Deck
    plazas: list[Plaza]
    matadors: list[Matador]
    herd: Ganaderia
    feria: Feria
    born: int = field(default=0)

    def announce(self, day: dt.date, plaza: int = 0, first: int = 0) -> Corrida:
        """Create a corrida with its cartel: three consecutive matadors from number `first`, and no
        bulls yet.
        """
        corrida = Corrida.objects.create(
            season=self.season,
            plaza=self.plazas[plaza],
            feria=self.feria if plaza == 0 else None,
            date=day,
        )
        cartel = Cartel.objects.create(
            corrida=corrida,
            ganaderia=self.herd,
            deck=self.deck,
            seed=b"s" * 32,
            commitment=b"c" * 32,
            engine_version="1",
        )
        for order in range(3):
            matador = self.matadors[(first + order) % len(self.matadors)]
            card = matador.cards.earliest("printing")
            Puesto.objects.create(cartel=cartel, order=order, matador=matador, card=card, date=day)
        return corrida

    def join(self, number: int) -> None:
        """Add this number of matadors, whose ratings are the lowest."""
        at = len(self.matadors)
        self.matadors += [_matador(self.circuit, n, f"Manolo {n}") for n in range(at, at + number)]

    def bull(self, corrida: Corrida, place: int, name: str) -> Bull:
        """Create the bull at this place of a corrida; a running number follows `name`."""
        self.born += 1
        return Bull.objects.create(
            ganaderia=self.herd,
            year=2020,
            number=self.born,
            name=f"{name} {self.born}",
            coat="negro",
            weight=520,
            cartel=corrida.cartel,
            place=place,
        )

    def play(self, corrida: Corrida, brought: Sequence[Brought] = PLAIN) -> None:
        """Store six lidias of thirty cards each, which are not yet published."""
        trio = [puesto.matador for puesto in corrida.cartel.puestos.order_by("order")]
        for turn, (trophy, crowd, avisos) in enumerate(brought, start=1):
            bull = self.bull(corrida, turn - 1, "Farolero")
            Lidia.objects.create(
                corrida=corrida,
                turn=turn,
                bull=bull,
                starter=trio[(turn - 1) % 3],
                finisher=trio[(turn - 1) % 3],
                ending="killed",
                draws=bytes(range(30)),
                matador_points=7,
                bull_points=2,
                kill_points=-3,
                avisos=avisos,
                score=4,
                number=50,
                trophy=trophy,
                vuelta=trophy > 1,
                crowd=crowd,
            )

    def post(self, corrida: Corrida, brought: Sequence[Brought] = PLAIN) -> Corrida:
        """Create the result of a corrida that is over, and update the totals of its matadors."""
        self.play(corrida, brought)
        corrida.state, corrida.posted_at = Corrida.State.POSTED, timezone.now()
        corrida.ears = sum(EARS[trophy] for trophy, _crowd, _avisos in brought)
        corrida.tails = sum(trophy == 3 for trophy, _crowd, _avisos in brought)
        corrida.save()
        for puesto in corrida.cartel.puestos.all():
            row, _made = Escalafon.objects.get_or_create(
                season=self.season, matador=puesto.matador, category=corrida.plaza.category
            )
            row.corridas += 1
            for lidia in corrida.lidias.filter(finisher=puesto.matador):
                row.bulls += 1
                row.ears += EARS[lidia.trophy or 0]
                row.tails += lidia.trophy == 3
                row.vueltas += bool(lidia.vuelta)
                row.avisos += lidia.avisos
            row.save()
        self.season.posted_version += 1
        self.season.save()
        return corrida

    def air(self, corrida: Corrida, seconds: float, pace_ms: int = 1000) -> Corrida:
        """Create a corrida whose live broadcast began this number of seconds ago."""
        self.play(corrida)
        corrida.state, corrida.pace_ms = Corrida.State.ON_AIR, pace_ms
        corrida.on_air_at = timezone.now() - dt.timedelta(seconds=seconds)
        corrida.save()
        timeline = corrida.timeline([30] * 6)
        for lidia, end in zip(corrida.lidias.order_by("turn"), timeline.lidia_ends_ms, strict=True):
            lidia.ends_at = corrida.on_air_at + dt.timedelta(milliseconds=end)
            lidia.save()
        return corrida

    def hurt_and_spare(self, corrida: Corrida) -> None:
        """Injure the first matador at the second bull, and spare the third bull."""
        Injury.objects.create(
            matador=self.matadors[0],
            corrida=corrida,
            turn=2,
            grade="grave",
            since=corrida.date,
            until=corrida.date + dt.timedelta(days=20),
        )
        Lidia.objects.filter(corrida=corrida, turn=3).update(ending="spared")
        Corrida.objects.filter(pk=corrida.pk).update(hurt=1, indultos=1)

    def air_in_earnest(self, corrida: Corrida, seconds: float) -> Corrida:
        """Let the engine play a corrida whose live broadcast began this number of seconds ago."""
        for place in range(6):
            self.bull(corrida, place, "Cantinero")
        corrida.state, corrida.pace_ms = Corrida.State.QUEUED, 1000
        corrida.queued_at = timezone.now()
        corrida.save()
        began = timezone.now() - dt.timedelta(seconds=seconds)
        assert play_on_air(corrida.pk, at=began)
        corrida.refresh_from_db()
        return corrida

    def another_season(self, year: int) -> Season:
        """Add a season to the circuit, with three corridas for each matador in its escalafón."""
        season = Season.objects.create(
            circuit=self.circuit, year=year, seed=b"s" * 32, commitment=b"c" * 32
        )
        for matador in self.matadors:
            Escalafon.objects.create(season=season, matador=matador, category=1, corridas=3)
        return season


def record_book(circuit: Circuit, scope: str = "circuit", of: str = "") -> RecordBook:
    """Return the record book of a circuit, or of a part of it. It is created if missing."""
    return RecordBook.objects.get_or_create(circuit=circuit, scope=scope, of=of)[0]


def _matador(circuit: Circuit, number: int, name: str) -> Matador:
    matador = Matador.objects.create(
        circuit=circuit, slug=f"matador-{number}", name=name, birthplace="Ronda", born="1754"
    )
    card = MatadorCard(matador=matador, rating=90 - number, **CARD)
    chances = card_columns(card, bundled_scores().counts)
    MatadorCard.objects.create(matador=matador, rating=card.rating, **CARD, **chances)
    return matador


def name_alike(world: World) -> list[str]:
    """Rename the second matador to the name of the first, and return how the site distinguishes
    them.
    """
    first, second = world.matadors[:2]
    Matador.objects.filter(pk=second.pk).update(name=first.name, born="1800")
    tell_apart(world.circuit.pk)
    for matador in (first, second):
        matador.refresh_from_db()
    return [first.billing, second.billing]


def small_circuit(slug: str = "leyendas", name: str = "Circuito Leyendas", **more: Any) -> World:
    """Create a circuit of two plazas, four matadors and one herd, without any corrida."""
    deck, _new = Deck.objects.get_or_create(
        name="Baraja", digest="d" * 64, cards=str(shipped().deck)
    )
    circuit = Circuit.objects.create(slug=slug, name=name, deck=deck, **more)
    season = Season.objects.create(circuit=circuit, year=2027, seed=b"s" * 32, commitment=b"c" * 32)
    plazas = [
        Plaza.objects.create(
            circuit=circuit,
            slug=city.lower(),
            name="La Vieja",
            city=city,
            country="ES",
            continent="EU",
            category=category,
        )
        for city, category in (("Ronda", 1), ("Arles", 2))
    ]
    feria = Feria.objects.create(
        season=season,
        plaza=plazas[0],
        slug="goyesca",
        name="Feria de Pedro Romero",
        starts=dt.date(2027, 3, 1),
        ends=dt.date(2027, 3, 9),
    )
    return World(
        circuit=circuit,
        season=season,
        deck=deck,
        plazas=plazas,
        matadors=[_matador(circuit, n, name) for n, name in enumerate(NAMES)],
        herd=Ganaderia.objects.create(
            circuit=circuit, slug="mayalde", name="Conde de Mayalde", country="ES", continent="EU"
        ),
        feria=feria,
    )


def live_through(world: World) -> World:
    """Add three finished corridas in March."""
    for day, plaza, first in ((2, 0, 0), (4, 1, 1), (6, 0, 0)):
        world.post(world.announce(dt.date(2027, 3, day), plaza, first))
    return world


@written_again
def lived_circuit() -> World:
    """Return a small circuit with three finished corridas."""
    return live_through(small_circuit())
