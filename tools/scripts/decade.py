"""Play ten years for screenshots, on the site with the folder DATA.

    python -m tools.scripts.decade

The Circuito Leyendas has ten played seasons with their winters. A user's own circuit is in its
fourth season. The first lidia of a corrida at a real table is being entered card by card. The
site's database must exist already (`manage.py migrate`).
"""

import datetime as dt
import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.core.management import call_command
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from corridas.circuit_queries import SHIPPED
from corridas.circuits.operations import Founding, found_circuit
from corridas.engine import MATADORS, play_corrida
from corridas.models import Circuit
from corridas.pages.tabletop.printing import latest_cards
from corridas.simulation.draw import announce
from corridas.tabletop.operations import begin_table_corrida
from corridas.tabletop.sheets import judge
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from leagues.matches.operations.matches import (
    players_by_name,
    save_draft,
)
from leagues.players import player_of_user
from tools.scripts.careers import DIRECTOR
from tools.scripts.pictures import PASSWORD

SEASONS, OWN_SEASONS = 10, 3
FRIEND = "Mariano"
CIRCUIT = Founding(
    name="Circuito del Barrio",
    year=2032,
    roster=Circuit.Roster.GENERATED,
    seed="sol y sombra",
    calendar=(
        CalendarEntry("Feria del Milagro", "illescas", "saturday>=03-07", 3, "weekend"),
        CalendarEntry("Feria de Abril", "la-maestranza", "easter+9", 6, "daily"),
        CalendarEntry("Feria de San Isidro", "las-ventas", "friday>=05-08", 12, "daily"),
        CalendarEntry("Feria del Corpus", "granada", "easter+59", 4, "daily"),
        CalendarEntry("Feria de la Semana Grande", "vista-alegre", "08-16", 6, "daily"),
        CalendarEntry("Feria del Pilar", "la-misericordia", "10-08", 5, "daily"),
    ),
)
# The current day in the circuit's fourth season.
PLAYED_TO = dt.date(CIRCUIT.year + OWN_SEASONS, 5, 12)
# How long before a corrida its cartel (who fights) is announced.
HANG = dt.timedelta(days=6)
# Number of cards entered for the lidia, which is then in its second or third tercio.
CARDS = 17
SHUFFLED = Seed(bytes(range(1, 33)))
BULLS_AT_TABLE = ("Jaquetón", "Bravío", "Limonero", "Ventanero", "Carpintero", "Romerito")


def main() -> None:
    director = User.objects.filter(username=DIRECTOR).first()
    if director is not None:
        print(f"{DIRECTOR} has been here already.")
        return
    call_command("found_leyendas")
    call_command("play_seasons", count=SEASONS)
    director = User.objects.create_superuser(DIRECTOR, password=PASSWORD)
    circuit = _found(director)
    print(f"/circuitos/{circuit.slug}/ /tienta/{_sit_down(director)}/")


def _found(director: User) -> Circuit:
    circuit = found_circuit(founding=CIRCUIT, by=director, at=timezone.now())
    call_command("play_seasons", circuit=circuit.slug, count=OWN_SEASONS)
    call_command("play_season", circuit=circuit.slug, until=PLAYED_TO, instant=True)
    season = circuit.seasons.get(year=PLAYED_TO.year)
    announce(season, until=PLAYED_TO + HANG, fresh=Seed.fresh)
    return circuit


@transaction.atomic
def _sit_down(director: User) -> int:
    now, circuit = timezone.now(), Circuit.objects.get(slug=SHIPPED)
    you = player_of_user(director, at=now)
    match = begin_table_corrida(
        players=[you, *players_by_name(by=you, at=now, names=[FRIEND])],
        by=you,
        plaza=circuit.plazas.get(slug="las-ventas"),
        date=now.date(),
        matadors=latest_cards(circuit)[:MATADORS],
        bulls=[{"name": name, "number": n} for n, name in enumerate(BULLS_AT_TABLE, start=11)],
        at=now,
        leads=[0, 1, 0],
    )
    sheet: dict[str, Any] = dict(match.draft or {})
    setup = judge(circuit.engine_rules(), circuit.deck.engine_deck(), sheet).setup
    assert setup is not None
    drawn = play_corrida(setup, SHUFFLED).lidias[0].draws
    sheet["lidias"][0] = {"cards": list(drawn[: min(CARDS, len(drawn) - 1)])}
    save_draft(match=match, version=match.version, content=sheet, by=you)
    return match.pk


if __name__ == "__main__":
    main()
