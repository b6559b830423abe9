"""An answer may rest on what is settled, and goes with it."""

import django.db.models.deletion
import django.db.models.lookups
from django.db import migrations, models

from household.migrating import cascade

KINDS = "statement record event episode fill pattern strategy medicine passage profile person fact".split()


class Migration(migrations.Migration):
    dependencies = [("memory", "0006_entries_follow_their_rows"), ("twin", "0002_cascades")]

    operations = [
        migrations.RemoveConstraint(model_name="answerevidence", name="evidence_is_one_row"),
        migrations.AddField(
            model_name="answerevidence",
            name="fact",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="memory.settledfact",
            ),
        ),
        migrations.AddConstraint(
            model_name="answerevidence",
            constraint=models.CheckConstraint(
                name="evidence_is_one_row",
                condition=models.Q(
                    django.db.models.lookups.Exact(
                        models.Func(
                            *(models.F(f"{kind}_id") for kind in KINDS),
                            function="num_nonnulls",
                            output_field=models.IntegerField(),
                        ),
                        models.Value(1),
                    )
                ),
            ),
        ),
        cascade("memory_answerevidence", "fact_id", "CASCADE"),
    ]
