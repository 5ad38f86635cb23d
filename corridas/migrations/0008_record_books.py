import django.db.models.deletion
from django.core.management.color import no_style
from django.db import migrations, models

import corridas.models.awards

# The numbers of these rows begin with 1.
KEYS = (
    'lidia_score', 'lidia_bull', 'share_ears', 'share_tails', 'share_indultos', 'share_bulls',
    'share_avisos', 'corrida_ears', 'corrida_tails', 'corrida_indultos', 'corrida_vueltas',
    'corrida_avisos', 'season_corridas', 'season_ears', 'season_tails', 'season_indultos',
    'season_rate', 'year_ears', 'year_tails', 'year_indultos', 'career_corridas', 'career_ears',
    'career_tails', 'career_indultos', 'career_seasons', 'career_leads',
)

SUMS = (
    'seasons, leads, corridas, ears, tails, indultos, avisos,'
    ' now_corridas, now_ears, now_tails, now_indultos, now_avisos'
)
NUMBERS = ' '.join(f"WHEN '{key}' THEN {number}" for number, key in enumerate(KEYS, 1))
STATEMENTS = (
    # Record books of plazas, herds and ferias, each with the totals of its latest season
    '''
    WITH latest AS (
        SELECT own.circuit_id, own."scope", own."of", MAX(season.year) AS year
        FROM corridas_palmares own JOIN corridas_season season ON season.id = own.season_id
        GROUP BY own.circuit_id, own."scope", own."of"
    )
    INSERT INTO corridas_recordbook
        (circuit_id, "scope", "of", season_id, now_ears, now_tails, now_indultos)
    SELECT own.circuit_id, own."scope", own."of", season.id,
        SUM(own.now_ears), SUM(own.now_tails), SUM(own.now_indultos)
    FROM latest
    JOIN corridas_season season
    ON season.circuit_id = latest.circuit_id AND season.year = latest.year
    JOIN corridas_palmares own ON own.season_id = season.id
    AND own."scope" = latest."scope" AND own."of" = latest."of"
    GROUP BY own.circuit_id, own."scope", own."of", season.id
    ORDER BY own.circuit_id, own."scope", own."of"
    ''',
    # Record books of matadors, and of everything else that has a record
    '''
    INSERT INTO corridas_recordbook
        (circuit_id, "scope", "of", now_ears, now_tails, now_indultos)
    SELECT place.circuit_id, place."scope", place."of", 0, 0, 0
    FROM (
        SELECT own.circuit_id, 'matador' AS "scope", matador.slug AS "of"
        FROM corridas_palmares own JOIN corridas_matador matador ON matador.id = own.matador_id
        WHERE own."scope" = 'circuit'
        UNION
        SELECT circuit_id, "scope", "of" FROM corridas_record
        EXCEPT
        SELECT circuit_id, "scope", "of" FROM corridas_recordbook
    ) place
    ORDER BY place.circuit_id, place."scope", place."of"
    ''',
    # The search index refers to records by primary key, so records get the same keys again.
    f'''
    INSERT INTO corridas_bookrecord
        (id, book_id, "key", "value", "before", season_id, corrida_id, turn, matador_id,
        ganaderia_id, bull_id)
    SELECT line.id, book.id, CASE line."key" {NUMBERS} END, line."value", line."before",
        line.season_id, line.corrida_id, line.turn, line.matador_id, line.ganaderia_id,
        line.bull_id
    FROM corridas_record line
    JOIN corridas_recordbook book ON book.circuit_id = line.circuit_id
    AND book."scope" = line."scope" AND book."of" = line."of"
    ''',
    f'''
    INSERT INTO corridas_bookpalmares (book_id, matador_id, season_id, {SUMS})
    SELECT book.id, line.matador_id, line.season_id, {SUMS.replace("now_", "line.now_")}
    FROM corridas_palmares line
    JOIN corridas_recordbook book ON book.circuit_id = line.circuit_id
    AND book."scope" = line."scope" AND book."of" = line."of"
    ORDER BY book.id, line.matador_id
    ''',
)


def copy_books(apps, schema_editor):
    """Copy records and totals into record books. The tables of version 0.1 are not emptied."""
    for statement in STATEMENTS:
        schema_editor.execute(statement, None)
    record = apps.get_model('corridas', 'Record')
    operations = schema_editor.connection.ops
    for statement in operations.sequence_reset_sql(no_style(), [record]):
        schema_editor.execute(statement, None)


# Columns whose own index is dropped, because other indexes, some of them partial, contain them.
INDEXED = (('Award', 'bull_id'), ('Award', 'feria_id'), ('Bull', 'sire_id'))


def feria_award_once(condition):
    return models.UniqueConstraint(
        condition=condition, fields=('feria', 'key'), name='feria_award_once'
    )


# Both conditions select the same rows, but SQLite does not use an index with `NOT (... IS NULL)`.
ONCE_BEFORE = feria_award_once(models.Q(('feria', None), _negated=True))
ONCE_AFTER = feria_award_once(models.Q(('feria__isnull', False)))


def change_indexes(apps, schema_editor):
    for name, column in INDEXED:
        model = apps.get_model('corridas', name)
        indexes = schema_editor._constraint_names(model, [column], index=True)
        for index in indexes:
            schema_editor.execute(schema_editor._delete_index_sql(model, index))
    award = apps.get_model('corridas', 'Award')
    schema_editor.remove_constraint(award, ONCE_BEFORE)
    schema_editor.add_constraint(award, ONCE_AFTER)


def parent(model, *, null=False, db_index=False):
    return models.ForeignKey(
        blank=null, db_index=db_index, null=null, on_delete=django.db.models.deletion.CASCADE,
        related_name='+', to=f'corridas.{model}',
    )


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0007_winter_version'),
    ]

    operations = [
        # The tables of the old models are not changed.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.DeleteModel('Record'),
                migrations.DeleteModel('Palmares'),
                migrations.CreateModel(
                    name='EarlierRecord',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('key', models.CharField(max_length=30)),
                        ('scope', models.CharField(max_length=7)),
                        ('of', models.CharField(blank=True, max_length=120)),
                        ('value', models.IntegerField()),
                        ('before', models.IntegerField(blank=True, null=True)),
                        ('turn', models.PositiveSmallIntegerField(blank=True, null=True)),
                        ('set_on', models.DateField(blank=True, null=True)),
                        ('bull', parent('bull', null=True)),
                        ('circuit', parent('circuit')),
                        ('corrida', parent('corrida', null=True)),
                        ('ganaderia', parent('ganaderia', null=True)),
                        ('matador', parent('matador', null=True, db_index=True)),
                        ('season', parent('season', null=True)),
                    ],
                    options={
                        'db_table': 'corridas_record',
                        'constraints': [models.UniqueConstraint(fields=('circuit', 'scope', 'of', 'key'), name='record_once')],
                    },
                ),
                migrations.CreateModel(
                    name='EarlierPalmares',
                    fields=[
                        ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                        ('scope', models.CharField(max_length=7)),
                        ('of', models.CharField(blank=True, max_length=120)),
                        ('seasons', models.PositiveSmallIntegerField(default=0)),
                        ('leads', models.PositiveSmallIntegerField(default=0)),
                        ('corridas', models.PositiveIntegerField(default=0)),
                        ('ears', models.PositiveIntegerField(default=0)),
                        ('tails', models.PositiveIntegerField(default=0)),
                        ('indultos', models.PositiveIntegerField(default=0)),
                        ('avisos', models.PositiveIntegerField(default=0)),
                        ('now_corridas', models.PositiveSmallIntegerField(default=0)),
                        ('now_ears', models.PositiveSmallIntegerField(default=0)),
                        ('now_tails', models.PositiveSmallIntegerField(default=0)),
                        ('now_indultos', models.PositiveSmallIntegerField(default=0)),
                        ('now_avisos', models.PositiveSmallIntegerField(default=0)),
                        ('circuit', parent('circuit')),
                        ('matador', parent('matador', db_index=True)),
                        ('season', parent('season')),
                    ],
                    options={
                        'db_table': 'corridas_palmares',
                        'indexes': [models.Index(fields=['season', 'scope', 'of'], name='palmares_now')],
                        'constraints': [models.UniqueConstraint(fields=('circuit', 'scope', 'of', 'matador'), name='palmares_row')],
                    },
                ),
            ],
        ),
        migrations.CreateModel(
            name='RecordBook',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('scope', models.CharField(choices=[('circuit', 'circuit'), ('plaza', 'plaza'), ('feria', 'feria'), ('herd', 'herd'), ('matador', 'matador')], max_length=7, verbose_name='scope')),
                ('of', models.CharField(blank=True, max_length=120, verbose_name='address in the scope')),
                ('now_ears', models.PositiveSmallIntegerField(default=0)),
                ('now_tails', models.PositiveSmallIntegerField(default=0)),
                ('now_indultos', models.PositiveSmallIntegerField(default=0)),
                ('circuit', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='record_books', to='corridas.circuit', verbose_name='circuit')),
                ('season', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corridas.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'record book',
                'verbose_name_plural': 'record books',
                'constraints': [models.UniqueConstraint(fields=('circuit', 'scope', 'of'), name='record_book_once')],
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', corridas.models.awards.RecordKeyField(verbose_name='type')),
                ('value', models.IntegerField(verbose_name='value')),
                ('before', models.IntegerField(blank=True, null=True, verbose_name='before')),
                ('turn', models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='turn')),
                ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.recordbook', verbose_name='record book')),
                ('bull', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.bull', verbose_name='bull')),
                ('corrida', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.corrida', verbose_name='corrida')),
                ('ganaderia', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.ganaderia', verbose_name='herd')),
                ('matador', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='records', to='corridas.matador', verbose_name='matador')),
                ('season', models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, to='corridas.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'record',
                'verbose_name_plural': 'records',
                'db_table': 'corridas_bookrecord',
                'constraints': [models.UniqueConstraint(fields=('book', 'key'), name='book_record_once')],
            },
        ),
        migrations.CreateModel(
            name='Palmares',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seasons', models.PositiveSmallIntegerField(default=0, verbose_name='seasons')),
                ('leads', models.PositiveSmallIntegerField(default=0, verbose_name='seasons in first place')),
                ('corridas', models.PositiveIntegerField(default=0, verbose_name='corridas')),
                ('ears', models.PositiveIntegerField(default=0, verbose_name='ears')),
                ('tails', models.PositiveIntegerField(default=0, verbose_name='tails')),
                ('indultos', models.PositiveIntegerField(default=0, verbose_name='indultos')),
                ('avisos', models.PositiveIntegerField(default=0, verbose_name='avisos')),
                ('now_corridas', models.PositiveSmallIntegerField(default=0)),
                ('now_ears', models.PositiveSmallIntegerField(default=0)),
                ('now_tails', models.PositiveSmallIntegerField(default=0)),
                ('now_indultos', models.PositiveSmallIntegerField(default=0)),
                ('now_avisos', models.PositiveSmallIntegerField(default=0)),
                ('book', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.recordbook', verbose_name='record book')),
                ('matador', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.matador', verbose_name='matador')),
                ('season', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='palmares', to='corridas.season', verbose_name='season')),
            ],
            options={
                'verbose_name': 'palmarés',
                'verbose_name_plural': 'palmarés',
                'db_table': 'corridas_bookpalmares',
                'constraints': [models.UniqueConstraint(fields=('book', 'matador'), name='book_palmares_once')],
            },
        ),
        migrations.RunPython(copy_books, migrations.RunPython.noop),
        # Only indexes change. Otherwise SQLite would copy the whole table.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunPython(change_indexes, migrations.RunPython.noop)],
            state_operations=[
                migrations.RemoveConstraint(model_name='award', name='feria_award_once'),
                migrations.AddConstraint(model_name='award', constraint=ONCE_AFTER),
                migrations.AlterField(
                    model_name='award',
                    name='bull',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.bull', verbose_name='bull'),
                ),
                migrations.AlterField(
                    model_name='award',
                    name='feria',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='awards', to='corridas.feria', verbose_name='feria'),
                ),
                migrations.AlterField(
                    model_name='bull',
                    name='sire',
                    field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='offspring', to='corridas.bull', verbose_name='sire'),
                ),
            ],
        ),
        migrations.AddIndex(
            model_name='award',
            index=models.Index(condition=models.Q(('bull__isnull', False)), fields=['bull'], name='award_of_bull'),
        ),
        migrations.AddIndex(
            model_name='bull',
            index=models.Index(condition=models.Q(('sire__isnull', False)), fields=['sire'], name='bull_offspring'),
        ),
    ]
