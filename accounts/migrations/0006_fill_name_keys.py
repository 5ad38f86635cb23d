"""Computes what users are compared and found by, and tells those whose names are the same."""

import logging

from django.db import migrations
from django.utils import timezone

from core.names.filling import set_keys, set_unique_names

log = logging.getLogger(__name__)


def fill(apps, schema_editor):
    User = apps.get_model("accounts", "User")
    set_keys(User)
    for group in set_unique_names(User._base_manager.all(), "username_key"):
        for user in group:
            _tell(apps.get_model("accounts", "Notice"), user)
            log.warning(
                "The username %s differs from another one only in upper and lower case. Its owner "
                "signs in with this spelling, and is told so.",
                user.username,
            )


def _tell(notices, user):
    notices._base_manager.create(
        user=user, kind="username", data={"name": user.username}, at=timezone.now(), link="/accounts/"
    )
    type(user)._base_manager.filter(pk=user.pk).update(unread=user.unread + 1)


class Migration(migrations.Migration):

    dependencies = [("accounts", "0005_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
