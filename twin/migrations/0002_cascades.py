"""What the database itself does to rows when the row they point to goes, whoever deletes it."""

from django.db import migrations

from household.migrating import cascade

CASCADES = (
    ("twin_coursestatement", "entry_id", "CASCADE"),
    ("twin_question", "entry_id", "CASCADE"),
    ("twin_readingcorrection", "entry_id", "CASCADE"),
)


class Migration(migrations.Migration):
    dependencies = [("twin", "0001_tables")]
    operations = [cascade(*one) for one in CASCADES]
