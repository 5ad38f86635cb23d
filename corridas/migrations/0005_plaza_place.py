"""Add the place of plazas on the globe, and fill it in for those of the shipped roster."""

import csv
from pathlib import Path

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import migrations, models

SHIPPED = Path(__file__).parents[1] / "data" / "plazas.csv"


def fill_places(apps, schema_editor):
    plazas = apps.get_model("corridas", "Plaza").objects.using(schema_editor.connection.alias)
    with SHIPPED.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row.get("latitude"):
                # Circuits created by users contain copies of shipped plazas, so these are updated too.
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
            field=models.FloatField(blank=True, help_text='In degrees, south below 0.', null=True, validators=[MinValueValidator(-90), MaxValueValidator(90)], verbose_name='latitude'),
        ),
        migrations.AddField(
            model_name='plaza',
            name='longitude',
            field=models.FloatField(blank=True, help_text='In degrees, west below 0.', null=True, validators=[MinValueValidator(-180), MaxValueValidator(180)], verbose_name='longitude'),
        ),
        migrations.RunPython(fill_places, migrations.RunPython.noop),
    ]
