import django.db.models.deletion
from django.db import migrations, models


def link_corridas(apps, _schema_editor):
    """Link the corridas of earlier runs by the instants at which they were posted.

    Only one run plays a season at a time, and it posts what was never on air. A run whose count
    differs (corridas were deleted or came from elsewhere) stays without corridas.
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
