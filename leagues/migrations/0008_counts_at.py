
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leagues', '0007_names'),
    ]

    operations = [
        migrations.AddField(
            model_name='table',
            name='counts_at',
            field=models.DateTimeField(blank=True, null=True, verbose_name='the result takes effect'),
        ),
        migrations.AlterField(
            model_name='tablemoment',
            name='event',
            field=models.CharField(choices=[('laid', 'opened'), ('sat', 'took a seat'), ('stood_up', 'left the seat'), ('bot', 'a bot took a seat'), ('freed', 'a bot was removed'), ('dealt', 'a hand or evening began'), ('moved', 'made a move'), ('left', 'left the table'), ('timed_out', 'the time ran out'), ('back', 'came back'), ('ready', 'is ready'), ('closed', 'closed'), ('counted', 'the result took effect')], max_length=9, verbose_name='what happened'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('counts_at__isnull', False)), fields=['counts_at'], name='table_counts_at'),
        ),
    ]
