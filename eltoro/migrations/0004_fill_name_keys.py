"""Computes what rows are compared, sorted and found by."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    for name in ("boarddesign",):
        set_keys(apps.get_model("eltoro", name))


class Migration(migrations.Migration):

    dependencies = [("eltoro", "0003_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
