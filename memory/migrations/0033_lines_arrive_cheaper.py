"""Lines of a push find their sequence by its name: looking it up in the catalogue for each cost more than they."""

import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0032_questions_go_with_their_cause")]
    operations = [
        pgtrigger.migrations.RemoveTrigger(model_name="journalline", name="arrives_in_order"),
        pgtrigger.migrations.AddTrigger(
            model_name='journalline',
            trigger=pgtrigger.compiler.Trigger(name='arrives_in_order', sql=pgtrigger.compiler.UpsertTriggerSql(condition='WHEN (NEW."subject_id" IS NOT NULL AND NOT (NEW."device" = \'home\'))', func="\n                    PERFORM pg_advisory_xact_lock(4871, NEW.subject_id::int);\n                    NEW.position := nextval('memory_journalline_position_seq');\n                    RETURN NEW;\n                ", hash='399a808cc87c0cb5abfb0ba523800be33e815b93', operation='INSERT', pgid='pgtrigger_arrives_in_order_22a43', table='memory_journalline', when='BEFORE')),
        ),
    ]
