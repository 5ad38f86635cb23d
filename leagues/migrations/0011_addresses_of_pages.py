"""Replaces slugs that are equal to part of a page's URL, and notifies the people concerned."""

import logging

from django.db import migrations
from django.db.models import F
from django.utils import timezone

from core.names.fields import with_keys

log = logging.getLogger(__name__)

# Parts of URLs that slugs must not be equal to, as of this migration.
LEAGUES = ("join", "new")
PLAYERS = ("me", "merges")


def move(apps, schema_editor):
    users = apps.get_model("accounts", "User")._base_manager
    leagues = apps.get_model("leagues", "League")
    for league in leagues._base_manager.filter(slug__in=LEAGUES).order_by("pk"):
        # Cached pages have the old links.
        league.edition += 1
        address = _moved(league, "leagues", ["edition"])
        organised = {"player__memberships__league": league, "player__memberships__role": "organiser"}
        _tell(apps, users.filter(**organised), league.name, address)
    players = apps.get_model("leagues", "Player")
    for player in players._base_manager.filter(slug__in=PLAYERS).order_by("pk"):
        address = _moved(player, "players", [])
        _tell(apps, users.filter(pk=player.user_id), player.name, address)


def _moved(row, folder, columns):
    before, number = row.slug, 2
    while type(row)._base_manager.filter(slug=f"{before}-{number}").exists():
        number += 1
    row.slug = f"{before}-{number}"
    row.save(update_fields=with_keys(type(row), ["slug", *columns]))
    address = f"/{folder}/{row.slug}/"
    log.warning("%s is at %s now: /%s/%s/ is a page of the site.", row.name, address, folder, before)
    return address


def _tell(apps, users, name, address):
    notices = apps.get_model("accounts", "Notice")._base_manager
    for user in users.distinct():
        data = {"name": name, "address": address}
        notices.create(user=user, kind="address", data=data, link=address, at=timezone.now())
        type(user)._base_manager.filter(pk=user.pk).update(unread=F("unread") + 1)


class Migration(migrations.Migration):

    dependencies = [("leagues", "0010_fill_name_keys"), ("accounts", "0006_fill_name_keys")]

    operations = [migrations.RunPython(move, migrations.RunPython.noop)]
