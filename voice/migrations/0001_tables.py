"""Speech kept, and what it cost."""

import django.db.models.expressions
from django.db import migrations, models

from household.migrating import Tables


class Migration(Tables):

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='SpeechCache',
            fields=[
                ('key', models.CharField(max_length=64, primary_key=True, serialize=False)),
                ('audio', models.BinaryField()),
                ('spans', models.BinaryField()),
                ('used', models.BigIntegerField(unique=True)),
                ('weight', models.GeneratedField(db_persist=True, expression=django.db.models.expressions.CombinedExpression(models.Func(models.F('audio'), function='octet_length', output_field=models.IntegerField()), '+', models.Func(models.F('spans'), function='octet_length', output_field=models.IntegerField())), output_field=models.IntegerField())),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('key__regex', '^[0-9a-f]{64}$')), name='speechcache_key_is_hash')],
            },
        ),
        migrations.CreateModel(
            name='VoiceSettings',
            fields=[
                ('id', models.SmallIntegerField(default=1, primary_key=True, serialize=False)),
                ('base_voice', models.CharField(blank=True, max_length=64)),
                ('speed', models.PositiveSmallIntegerField(default=100)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='voicesettings_is_one'), models.CheckConstraint(condition=models.Q(('speed__gte', 60), ('speed__lte', 160)), name='voicesettings_speed_in_range')],
            },
        ),
        migrations.CreateModel(
            name='VoiceSpend',
            fields=[
                ('day', models.DateField(primary_key=True, serialize=False)),
                ('chars', models.BigIntegerField(default=0)),
                ('reserved', models.BigIntegerField(default=0)),
                ('hits', models.BigIntegerField(default=0)),
                ('saved_chars', models.BigIntegerField(default=0)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('chars__gte', 0), ('hits__gte', 0), ('reserved__gte', 0), ('saved_chars__gte', 0)), name='voicespend_never_negative')],
            },
        ),
    ]
