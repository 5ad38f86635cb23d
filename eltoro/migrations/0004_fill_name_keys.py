"""Data migration: fill the columns by which names of boards are compared, sorted and found."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    for name in ("boarddesign",):
        set_keys(apps.get_model("eltoro", name))


class Migration(migrations.Migration):

    dependencies = [("eltoro", "0003_name_keys")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
