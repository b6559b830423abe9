"""Find a subject's courses, open and over, by the day each became one."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("twin", "0001_subjects_and_records")]

    operations = [
        migrations.AddIndex(
            model_name="record",
            index=models.Index(
                condition=models.Q(("lifecycle", "day"), _negated=True),
                fields=["subject", "-opened_on"],
                name="record_courses",
            ),
        ),
    ]
