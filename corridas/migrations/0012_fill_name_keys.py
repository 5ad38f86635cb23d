"""Fills the columns by which names are compared, sorted and searched for."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    for name in ("bull", "change", "circuit", "deck", "feria", "ganaderia", "matador", "plaza"):
        set_keys(apps.get_model("corridas", name))


class Migration(migrations.Migration):

    dependencies = [("corridas", "0011_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
