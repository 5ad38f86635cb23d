import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Case, OuterRef, Subquery, Sum, Value
from django.db.models.functions import Coalesce

OVER = ("posted", "suspended")


def add_up(apps, schema_editor):
    """Store the numbers of ears, tails, indultos and injuries of finished corridas in their rows."""
    Corrida = apps.get_model("corridas", "Corrida")
    Lidia = apps.get_model("corridas", "Lidia")
    Injury = apps.get_model("corridas", "Injury")
    own = Lidia.objects.filter(corrida=OuterRef("pk")).order_by().values("corrida")
    when = models.When
    ears = Case(when(trophy=1, then=1), when(trophy__gte=2, then=2), default=0)
    tails = Case(when(trophy=3, then=1), default=0)
    spared = Case(when(ending="spared", then=1), default=0)
    hurt = Injury.objects.filter(corrida=OuterRef("pk")).order_by().values("corrida")

    def sum_of(rows, what):
        return Coalesce(Subquery(rows.annotate(n=Sum(what)).values("n")), Value(0))

    Corrida.objects.filter(state__in=OVER).update(
        ears=sum_of(own, ears),
        tails=sum_of(own, tails),
        indultos=sum_of(own, spared),
        hurt=sum_of(hurt, Value(1)),
    )


class Migration(migrations.Migration):

    dependencies = [
        ('corridas', '0005_plaza_place'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Follow',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='time')),
                ('ganaderia', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corridas.ganaderia', verbose_name='herd')),
                ('matador', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='corridas.matador', verbose_name='matador')),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='account')),
            ],
            options={
                'verbose_name': 'follow',
                'verbose_name_plural': 'follows',
                'constraints': [
                    models.UniqueConstraint(condition=models.Q(('ganaderia', None)), fields=('user', 'matador'), name='follow_matador_once'),
                    models.UniqueConstraint(condition=models.Q(('matador', None)), fields=('user', 'ganaderia'), name='follow_herd_once'),
                    models.CheckConstraint(condition=models.Q(models.Q(('ganaderia__isnull', False), ('matador', None)), models.Q(('ganaderia', None), ('matador__isnull', False)), _connector='OR'), name='follow_one'),
                ],
            },
        ),
        migrations.RemoveIndex(
            model_name='corrida',
            name='corrida_by_state',
        ),
        migrations.AddField(
            model_name='corrida',
            name='ears',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False, verbose_name='ears'),
        ),
        migrations.AddField(
            model_name='corrida',
            name='hurt',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False, verbose_name='injuries'),
        ),
        migrations.AddField(
            model_name='corrida',
            name='indultos',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False, verbose_name='indultos'),
        ),
        migrations.AddField(
            model_name='corrida',
            name='tails',
            field=models.PositiveSmallIntegerField(db_default=0, default=0, editable=False, verbose_name='tails'),
        ),
        migrations.AddIndex(
            model_name='corrida',
            index=models.Index(fields=['season', 'state', 'date', 'plaza', 'ears', 'tails', 'indultos', 'hurt'], name='corrida_results'),
        ),
        migrations.RunPython(add_up, migrations.RunPython.noop),
    ]
