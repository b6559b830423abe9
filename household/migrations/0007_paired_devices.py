import django.db.models.deletion
import django.db.models.functions.datetime
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('household', '0006_owed_bytes'),
        ('twin', '0003_reading_corrections'),
    ]

    operations = [
        migrations.CreateModel(
            name='PairingCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code_hash', models.CharField(max_length=64)),
                ('created_at', models.DateTimeField(db_default=django.db.models.functions.datetime.Now())),
                ('expires_at', models.DateTimeField()),
                ('wrong_tries', models.PositiveSmallIntegerField(default=0)),
                ('used_at', models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name='TimeSpent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.CharField(max_length=120)),
                ('day', models.DateField()),
                ('used_ms', models.BigIntegerField(default=0)),
                ('extra_minutes', models.IntegerField(default=0)),
            ],
        ),
        migrations.AddField(
            model_name='device',
            name='change_seen',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='device',
            name='clock_offset_ms',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='device',
            name='position_seen',
            field=models.BigIntegerField(default=0),
        ),
        migrations.AddField(
            model_name='device',
            name='revoked_why',
            field=models.CharField(blank=True, choices=[('parent', 'parent'), ('membership', 'membership'), ('replaced', 'replaced')], max_length=10),
        ),
        migrations.AddConstraint(
            model_name='device',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('revoked_at', None), ('revoked_why', '')), models.Q(('revoked_at__isnull', False), ('revoked_why__in', ['parent', 'membership', 'replaced'])), _connector='OR'), name='device_revoked_has_reason'),
        ),
        migrations.AddField(
            model_name='pairingcode',
            name='child',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject'),
        ),
        migrations.AddField(
            model_name='pairingcode',
            name='device',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='household.device'),
        ),
        migrations.AddField(
            model_name='pairingcode',
            name='made_by',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.AddField(
            model_name='timespent',
            name='child',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to='twin.subject'),
        ),
        migrations.AddIndex(
            model_name='pairingcode',
            index=models.Index(fields=['code_hash'], name='pairing_by_code'),
        ),
        migrations.AddConstraint(
            model_name='pairingcode',
            constraint=models.CheckConstraint(condition=models.Q(('wrong_tries__lte', 5)), name='pairing_tries_bounded'),
        ),
        migrations.AddConstraint(
            model_name='pairingcode',
            constraint=models.CheckConstraint(condition=models.Q(('device', None), ('used_at__isnull', False), _connector='OR'), name='pairing_device_has_time'),
        ),
        migrations.AddIndex(
            model_name='timespent',
            index=models.Index(fields=['day'], name='time_by_day'),
        ),
        migrations.AddConstraint(
            model_name='timespent',
            constraint=models.UniqueConstraint(fields=('device', 'day'), name='time_device_day_once'),
        ),
        migrations.AddConstraint(
            model_name='timespent',
            constraint=models.CheckConstraint(condition=models.Q(('used_ms__gte', 0), ('used_ms__lte', 172800000), ('extra_minutes__gte', 0), ('extra_minutes__lte', 1440)), name='time_counts_in_range'),
        ),
        migrations.AddConstraint(
            model_name='timespent',
            constraint=models.CheckConstraint(condition=models.Q(('used_ms__gt', 0), ('extra_minutes__gt', 0), _connector='OR'), name='time_says_something'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='timespent',
            trigger=pgtrigger.compiler.Trigger(name='only_rises', sql=pgtrigger.compiler.UpsertTriggerSql(func="\n            IF NEW.used_ms < OLD.used_ms OR NEW.extra_minutes < OLD.extra_minutes THEN\n                RAISE EXCEPTION USING MESSAGE = TG_TABLE_NAME || ' only rises',\n                    ERRCODE = 'integrity_constraint_violation';\n            END IF;\n            RETURN NEW;\n        ", hash='066a7e0e5e1de14a5a6fdd5f5e1de5715740d328', operation='UPDATE', pgid='pgtrigger_only_rises_a08d9', table='household_timespent', when='BEFORE')),
        ),
    ]
