"""Fills the columns by which names are compared, sorted and searched."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    for name in ("league", "player"):
        set_keys(apps.get_model("leagues", name))


class Migration(migrations.Migration):

    dependencies = [("leagues", "0009_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
