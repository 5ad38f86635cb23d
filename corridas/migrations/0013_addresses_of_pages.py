"""Changes slugs of circuits and their rows that conflict with the URL of a page.

The directors are notified. In circuits with seasons the slugs of matadors and ferias do not change,
because they are part of what was played. Their URLs get a mark after the slug instead
(`core.addresses.AddressConverter`).
"""

import logging

from django.db import migrations
from django.db.models import F
from django.utils import timezone

from core.names.fields import with_keys

log = logging.getLogger(__name__)

# Words at the place of a slug in URLs of pages, when this migration was written.
CIRCUITS = ("copias", "nuevo", "traer")
MATADORS = ("comparar",)
FERIAS = ("archivo", "final", "invierno", "resumen")
SHIPPED = "leyendas"


def move(apps, schema_editor):
    circuits = apps.get_model("corridas", "Circuit")._base_manager
    seasons = apps.get_model("corridas", "Season")._base_manager
    for circuit in circuits.filter(slug__in=CIRCUITS).order_by("pk"):
        if seasons.filter(circuit=circuit).exists():
            circuit.promised_as = circuit.promised_as or circuit.slug
        _number(circuit, circuits.all(), ["promised_as"])
        _tell(apps, circuit, circuit.name, _home(circuit))
    matadors = apps.get_model("corridas", "Matador")._base_manager
    for matador in matadors.filter(slug__in=MATADORS).select_related("circuit").order_by("pk"):
        mark = "~"
        if not seasons.filter(circuit=matador.circuit_id).exists():
            _number(matador, matadors.filter(circuit=matador.circuit_id), [])
            mark = ""
        address = f"{_home(matador.circuit)}matadores/{matador.slug}{mark}/"
        _touch(seasons.filter(circuit=matador.circuit_id))
        _tell(apps, matador.circuit, matador.name, address)
    ferias = apps.get_model("corridas", "Feria")._base_manager
    rows = ferias.filter(slug__in=FERIAS).select_related("season__circuit")
    for feria in rows.order_by("pk"):
        circuit = feria.season.circuit
        address = f"{_home(circuit)}temporada/{feria.season.year}/{feria.slug}~/"
        _touch(seasons.filter(pk=feria.season_id))
        _tell(apps, circuit, feria.name, address)


def _home(circuit):
    return "/" if circuit.slug == SHIPPED else f"/circuitos/{circuit.slug}/"


def _touch(seasons):
    # Invalidate cached pages, which contain the old links.
    seasons.update(posted_version=F("posted_version") + 1)


def _number(row, others, columns):
    before, number = row.slug, 2
    while others.filter(slug=f"{before}-{number}").exists():
        number += 1
    row.slug = f"{before}-{number}"
    row.save(update_fields=with_keys(type(row), ["slug", *columns]))


def _tell(apps, circuit, name, address):
    log.warning("%s is at %s now: the address before is a page of the site.", name, address)
    if circuit.owner_id is None:
        return
    notices = apps.get_model("accounts", "Notice")._base_manager
    data = {"name": name, "address": address}
    notices.create(
        user_id=circuit.owner_id, kind="address", data=data, link=address, at=timezone.now()
    )
    users = apps.get_model("accounts", "User")._base_manager
    users.filter(pk=circuit.owner_id).update(unread=F("unread") + 1)


class Migration(migrations.Migration):

    dependencies = [("corridas", "0012_fill_name_keys"), ("accounts", "0006_fill_name_keys")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
