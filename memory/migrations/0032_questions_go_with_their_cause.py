"""The database itself takes a waiting question, an episode and what was counted with what they came from."""

from django.db import migrations

# (table, column) of rows that mean nothing without the row they point to
CASCADES = [
    ("memory_openquestion", "asked_of_id"),
    ("memory_openquestion", "subject_id"),
    ("memory_openquestion", "drawer_id"),
    ("memory_episode", "statement_id"),
    ("memory_episode", "event_id"),
    ("memory_episoderecord", "episode_id"),
    ("memory_episoderecord", "record_id"),
    ("memory_patternevidence", "pattern_id"),
    ("memory_patternevidence", "event_id"),
    ("memory_patternevidence", "fill_id"),
    ("memory_patternevidence", "record_id"),
    ("memory_patternmove", "pattern_id"),
    ("memory_strategyuse", "event_id"),
]


def cascade(table: str, column: str) -> str:
    """SQL that has the database delete the rows of a foreign key with the row it points to."""
    return f"""
DO $$
DECLARE
    held record;
BEGIN
    SELECT c.conname, pg_get_constraintdef(c.oid) AS text INTO STRICT held
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.conrelid = '{table}'::regclass AND a.attname = '{column}';
    EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', held.conname, held.conname,
        replace(regexp_replace(held.text, ' ON DELETE (CASCADE|SET NULL)', ''), ' DEFERRABLE',
            ' ON DELETE CASCADE DEFERRABLE'));
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memory", "0031_questions_know_their_cause")]
    operations = [migrations.RunSQL(cascade(*one), migrations.RunSQL.noop) for one in CASCADES]
