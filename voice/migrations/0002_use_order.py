"""The counter from which each use of a kept line takes its number, so that it only rises."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("voice", "0001_tables")]

    operations = [migrations.RunSQL("CREATE SEQUENCE voice_use AS bigint", "DROP SEQUENCE voice_use")]
