import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0015_document_unlocked_and_unsure'),
        ('twin', '0004_undone_stays'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddIndex(
            model_name='journalline',
            index=models.Index(condition=models.Q(('device', 'home'), _negated=True), fields=['subject', 'position'], name='line_by_arrival'),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name='journalline',
            trigger=pgtrigger.compiler.Trigger(name='arrives_in_order', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."subject_id" IS NOT NULL AND NOT (NEW."device" = \'home\'))', func="\n                    PERFORM pg_advisory_xact_lock(4871, NEW.subject_id::int);\n                    NEW.position := nextval(pg_get_serial_sequence('memory_journalline', 'position'));\n                    RETURN NEW;\n                ", hash='fc845bf0736e12c3ffd2961afc21140f082b8cfc', operation='INSERT', pgid='pgtrigger_arrives_in_order_22a43', table='memory_journalline', when='BEFORE')),
        ),
    ]
