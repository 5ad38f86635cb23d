import uuid

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('leagues', '0012_former_names'),
    ]

    operations = [
        migrations.CreateModel(
            name='SiteIdentity',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('uid', models.UUIDField(default=uuid.uuid4, editable=False, unique=True, verbose_name='identifier')),
            ],
            options={
                'verbose_name': 'identity of the site',
                'verbose_name_plural': 'identities of the site',
            },
        ),
        migrations.AddField(
            model_name='league',
            name='uid',
            field=models.UUIDField(editable=False, null=True, unique=True, verbose_name='identifier'),
        ),
    ]
