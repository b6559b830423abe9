"""A question that waits names what was told that gave rise to it."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0030_companion_turns_forget"), ("twin", "0007_imports")]
    operations = [
        migrations.AddField(
            model_name="openquestion",
            name="asked_of",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="twin.ledgerentry",
            ),
        ),
    ]
