import django.db.models.deletion
from django.db import migrations, models


def link_corridas(apps, _schema_editor):
    """Set the run of each corrida that was simulated by a run, found by the time of its posting.

    This is possible because only one run at a time simulates a season. Corridas that were on air
    are left out. A run whose number of corridas differs gets no corridas; some of them may have
    been deleted.
    """
    Run = apps.get_model("corridas", "Run")
    Corrida = apps.get_model("corridas", "Corrida")
    for run in Run.objects.filter(done__gt=0, ended_at__isnull=False).iterator():
        corridas = Corrida.objects.filter(
            season=run.season_id,
            run=None,
            state__in=("posted", "suspended"),
            origin="here",
            on_air_at=None,
            posted_at__range=(run.asked_at, run.ended_at),
        )
        keys = list(corridas.values_list("pk", flat=True))
        if len(keys) == run.done:
            corridas.update(run=run.pk)


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0003_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='corrida',
            name='run',
            field=models.ForeignKey(blank=True, editable=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='corridas', to='corridas.run', verbose_name='season run'),
        ),
        migrations.AddField(
            model_name='run',
            name='fallen',
            field=models.JSONField(blank=True, editable=False, null=True, verbose_name='records that fell'),
        ),
        migrations.RunPython(link_corridas, migrations.RunPython.noop),
    ]
