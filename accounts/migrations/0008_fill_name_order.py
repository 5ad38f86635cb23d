"""Computes the keys by which administrators sort users."""

from django.db import migrations

from core.names.filling import set_keys


def fill(apps, schema_editor):
    set_keys(apps.get_model("accounts", "User"))


class Migration(migrations.Migration):

    dependencies = [("accounts", "0007_name_order")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
