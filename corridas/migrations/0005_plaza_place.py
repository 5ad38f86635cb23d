"""Add the place of plazas on the globe, and fill it in for those of the shipped roster."""

import csv
from pathlib import Path

from django.db import migrations, models

SHIPPED = Path(__file__).parents[1] / "data" / "plazas.csv"


def fill_places(apps, schema_editor):
    plazas = apps.get_model("corridas", "Plaza").objects.using(schema_editor.connection.alias)
    with SHIPPED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("latitude"):
                # circuits of people began with a copy of the shipped roster
                same = plazas.filter(slug=row["slug"], city=row["city"], country=row["country"])
                same.update(latitude=float(row["latitude"]), longitude=float(row["longitude"]))


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0004_corrida_run'),
    ]

    operations = [
        migrations.AddField(
            model_name='plaza',
            name='latitude',
            field=models.FloatField(blank=True, help_text='In degrees, south below 0.', null=True, verbose_name='latitude'),
        ),
        migrations.AddField(
            model_name='plaza',
            name='longitude',
            field=models.FloatField(blank=True, help_text='In degrees, west below 0.', null=True, verbose_name='longitude'),
        ),
        migrations.AddConstraint(
            model_name='plaza',
            constraint=models.CheckConstraint(condition=models.Q(('latitude', None), ('latitude__range', (-90, 90)), _connector='OR'), name='plaza_latitude', violation_error_code='latitude', violation_error_message='Enter a latitude from -90 to 90 degrees.'),
        ),
        migrations.AddConstraint(
            model_name='plaza',
            constraint=models.CheckConstraint(condition=models.Q(('longitude', None), ('longitude__range', (-180, 180)), _connector='OR'), name='plaza_longitude', violation_error_code='longitude', violation_error_message='Enter a longitude from -180 to 180 degrees.'),
        ),
        migrations.RunPython(fill_places, migrations.RunPython.noop),
    ]
