"""Computes what rows are compared, sorted and found by."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    for name in ("league", "player"):
        set_keys(apps.get_model("leagues", name))


class Migration(migrations.Migration):

    dependencies = [("leagues", "0009_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
