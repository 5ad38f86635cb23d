import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0008_record_books'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='CircuitCopy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60, verbose_name='name')),
                ('state', models.CharField(choices=[('queued', 'waiting'), ('running', 'in progress'), ('done', 'done'), ('failed', 'failed'), ('cancelled', 'cancelled')], default='queued', max_length=9, verbose_name='state')),
                ('reason', models.CharField(blank=True, choices=[('gone', 'The circuit has been deleted or archived.'), ('hidden', 'You can no longer see the circuit.'), ('budget', 'Your copies would exceed the maximum number of rows.'), ('broken', 'An error occurred. The details are in the site’s log.')], max_length=6, verbose_name='reason')),
                ('done', models.PositiveIntegerField(default=0, verbose_name='rows written')),
                ('total', models.PositiveIntegerField(default=0, verbose_name='rows')),
                ('lidias', models.PositiveIntegerField(default=0, verbose_name='lidias')),
                ('attempts', models.PositiveSmallIntegerField(default=0, verbose_name='attempts')),
                ('asked_at', models.DateTimeField(verbose_name='requested at')),
                ('beat_at', models.DateTimeField(blank=True, null=True, verbose_name='last activity')),
                ('ended_at', models.DateTimeField(blank=True, null=True, verbose_name='ended at')),
            ],
            options={
                'verbose_name': 'copy of a circuit',
                'verbose_name_plural': 'copies of circuits',
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='circuit',
            name='incomplete',
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddIndex(
            model_name='record',
            index=models.Index(fields=['corrida'], name='record_of_corrida'),
        ),
        migrations.AddIndex(
            model_name='record',
            index=models.Index(fields=['bull'], name='record_of_bull'),
        ),
        migrations.AddField(
            model_name='circuitcopy',
            name='asked_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='requested by'),
        ),
        migrations.AddField(
            model_name='circuitcopy',
            name='circuit',
            field=models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='copied_by', to='corridas.circuit', verbose_name='copy'),
        ),
        migrations.AddField(
            model_name='circuitcopy',
            name='source',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='corridas.circuit', verbose_name='circuit'),
        ),
    ]
