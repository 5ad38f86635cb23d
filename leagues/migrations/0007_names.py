import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leagues', '0006_time_zone'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='round',
            options={'ordering': ['league', 'number'], 'verbose_name': 'round', 'verbose_name_plural': 'rounds'},
        ),
        migrations.AlterField(
            model_name='claim',
            name='answered_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='leagues.player', verbose_name='answered by'),
        ),
        migrations.AlterField(
            model_name='claim',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims_made', to='leagues.player', verbose_name='by'),
        ),
        migrations.AlterField(
            model_name='claim',
            name='guest',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='claims', to='leagues.player', verbose_name='guest'),
        ),
        migrations.AlterField(
            model_name='delivery',
            name='webhook',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='deliveries', to='leagues.webhook', verbose_name='webhook'),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.player', verbose_name='by'),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='disputes', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='dispute',
            name='settled_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.player', verbose_name='settled by'),
        ),
        migrations.AlterField(
            model_name='fixture',
            name='round',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='fixtures', to='leagues.round', verbose_name='round'),
        ),
        migrations.AlterField(
            model_name='fixtureseat',
            name='fixture',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='leagues.fixture', verbose_name='fixture'),
        ),
        migrations.AlterField(
            model_name='fixtureseat',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='fixture_seats', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='match',
            name='confirmed_by',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.player', verbose_name='confirmed by'),
        ),
        migrations.AlterField(
            model_name='match',
            name='fixture',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='match', to='leagues.fixture', verbose_name='fixture'),
        ),
        migrations.AlterField(
            model_name='match',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='matches', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='match',
            name='sheet',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.sheet', verbose_name='scoresheet'),
        ),
        migrations.AlterField(
            model_name='matchseat',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='matchseat',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='match_seats', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='member',
            name='league',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='members', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='member',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='memberships', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='merge',
            name='absorbed',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='merges', to='leagues.player', verbose_name='merged player'),
        ),
        migrations.AlterField(
            model_name='merge',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='leagues.player', verbose_name='by'),
        ),
        migrations.AlterField(
            model_name='merge',
            name='kept',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='merges_of_others', to='leagues.player', verbose_name='kept player'),
        ),
        migrations.AlterField(
            model_name='place',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='placings', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='place',
            name='result',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='placings', to='leagues.result', verbose_name='result'),
        ),
        migrations.AlterField(
            model_name='pool',
            name='league',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='pool', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='rating',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='rating',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='ratingstep',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='ratingstep',
            name='player',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='ratingstep',
            name='result',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='steps', to='leagues.result', verbose_name='result'),
        ),
        migrations.AlterField(
            model_name='recount',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='recounts', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='result',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='results', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='result',
            name='match',
            field=models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='result', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='result',
            name='sheet',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.sheet', verbose_name='scoresheet'),
        ),
        migrations.AlterField(
            model_name='round',
            name='league',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='round',
            name='number',
            field=models.PositiveSmallIntegerField(verbose_name='round'),
        ),
        migrations.AlterField(
            model_name='sheet',
            name='by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to='leagues.player', verbose_name='by'),
        ),
        migrations.AlterField(
            model_name='sheet',
            name='match',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sheets', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='table',
            name='fixture',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tables', to='leagues.fixture', verbose_name='fixture'),
        ),
        migrations.AlterField(
            model_name='table',
            name='host',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hosted', to='leagues.player', verbose_name='host'),
        ),
        migrations.AlterField(
            model_name='table',
            name='league',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='tables', to='leagues.league', verbose_name='league'),
        ),
        migrations.AlterField(
            model_name='table',
            name='match',
            field=models.OneToOneField(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='table', to='leagues.match', verbose_name='match'),
        ),
        migrations.AlterField(
            model_name='tablemoment',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moments', to='leagues.table', verbose_name='table'),
        ),
        migrations.AlterField(
            model_name='tablemove',
            name='round',
            field=models.PositiveSmallIntegerField(verbose_name='round'),
        ),
        migrations.AlterField(
            model_name='tablemove',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='moves', to='leagues.table', verbose_name='table'),
        ),
        migrations.AlterField(
            model_name='tableround',
            name='number',
            field=models.PositiveSmallIntegerField(verbose_name='round'),
        ),
        migrations.AlterField(
            model_name='tableround',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rounds', to='leagues.table', verbose_name='table'),
        ),
        migrations.AlterField(
            model_name='tableseat',
            name='player',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='table_seats', to='leagues.player', verbose_name='player'),
        ),
        migrations.AlterField(
            model_name='tableseat',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='leagues.table', verbose_name='table'),
        ),
        migrations.AlterField(
            model_name='webhook',
            name='league',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='webhooks', to='leagues.league', verbose_name='league'),
        ),
    ]
