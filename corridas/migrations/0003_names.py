import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0002_wording'),
        ('leagues', '0007_names'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            model_name='award',
            name='bull',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.bull', verbose_name='bull'),
        ),
        migrations.AlterField(
            model_name='award',
            name='corrida',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.corrida', verbose_name='corrida'),
        ),
        migrations.AlterField(
            model_name='award',
            name='feria',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.feria', verbose_name='feria'),
        ),
        migrations.AlterField(
            model_name='award',
            name='ganaderia',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.ganaderia', verbose_name='herd'),
        ),
        migrations.AlterField(
            model_name='award',
            name='matador',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.matador', verbose_name='matador'),
        ),
        migrations.AlterField(
            model_name='award',
            name='season',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.season', verbose_name='season'),
        ),
        migrations.AlterField(
            model_name='bundle',
            name='asked_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='requested by'),
        ),
        migrations.AlterField(
            model_name='bundle',
            name='circuit',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='corridas.circuit', verbose_name='circuit'),
        ),
        migrations.AlterField(
            model_name='bundle',
            name='season',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='bundles', to='corridas.season', verbose_name='season'),
        ),
        migrations.AlterField(
            model_name='cartel',
            name='corrida',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='cartel', serialize=False, to='corridas.corrida', verbose_name='corrida'),
        ),
        migrations.AlterField(
            model_name='cartel',
            name='deck',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='corridas.deck', verbose_name='deck'),
        ),
        migrations.AlterField(
            model_name='cartel',
            name='ganaderia',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='carteles', to='corridas.ganaderia', verbose_name='herd'),
        ),
        migrations.AlterField(
            model_name='change',
            name='by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='by'),
        ),
        migrations.AlterField(
            model_name='change',
            name='circuit',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='changes', to='corridas.circuit', verbose_name='circuit'),
        ),
        migrations.AlterField(
            model_name='change',
            name='undone_by',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='undoes', to='corridas.change', verbose_name='undone by'),
        ),
        migrations.AlterField(
            model_name='palmares',
            name='circuit',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.circuit', verbose_name='circuit'),
        ),
        migrations.AlterField(
            model_name='palmares',
            name='matador',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.matador', verbose_name='matador'),
        ),
        migrations.AlterField(
            model_name='palmares',
            name='season',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.season', verbose_name='season'),
        ),
        migrations.AlterField(
            model_name='puesto',
            name='card',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, to='corridas.matadorcard', verbose_name='card'),
        ),
        migrations.AlterField(
            model_name='puesto',
            name='cartel',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='puestos', to='corridas.cartel', verbose_name='cartel'),
        ),
        migrations.AlterField(
            model_name='puesto',
            name='instead_of',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='corridas.matador', verbose_name='replaces'),
        ),
        migrations.AlterField(
            model_name='puesto',
            name='matador',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='puestos', to='corridas.matador', verbose_name='matador'),
        ),
        migrations.AlterField(
            model_name='record',
            name='bull',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.bull', verbose_name='bull'),
        ),
        migrations.AlterField(
            model_name='record',
            name='circuit',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.circuit', verbose_name='circuit'),
        ),
        migrations.AlterField(
            model_name='record',
            name='corrida',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.corrida', verbose_name='corrida'),
        ),
        migrations.AlterField(
            model_name='record',
            name='ganaderia',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.ganaderia', verbose_name='herd'),
        ),
        migrations.AlterField(
            model_name='record',
            name='matador',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.matador', verbose_name='matador'),
        ),
        migrations.AlterField(
            model_name='record',
            name='season',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='corridas.season', verbose_name='season'),
        ),
        migrations.AlterField(
            model_name='run',
            name='last',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='corridas.corrida', verbose_name='last corrida'),
        ),
        migrations.AlterField(
            model_name='tablecorrida',
            name='circuit',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='table_corridas', to='corridas.circuit', verbose_name='circuit'),
        ),
        migrations.AlterField(
            model_name='tablecorrida',
            name='corrida',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='at_table', to='corridas.corrida', verbose_name='corrida'),
        ),
        migrations.AlterField(
            model_name='tablecorrida',
            name='match',
            field=models.OneToOneField(on_delete=django.db.models.deletion.PROTECT, related_name='table_corrida', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='tablecorrida',
            name='plaza',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='corridas.plaza', verbose_name='plaza'),
        ),
        migrations.AlterField(
            model_name='watched',
            name='corrida',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corridas.corrida', verbose_name='corrida'),
        ),
        migrations.AlterField(
            model_name='watched',
            name='user',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='account'),
        ),
        migrations.AlterField(
            model_name='winter',
            name='season',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='winter', serialize=False, to='corridas.season', verbose_name='season'),
        ),
    ]
