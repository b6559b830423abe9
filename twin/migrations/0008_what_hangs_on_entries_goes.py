"""The database itself takes with an entry what hangs on it."""

from django.db import migrations

# (table, column) of rows that mean nothing without the row they point to
CASCADES = [
    ("twin_coursestatement", "entry_id"),
    ("twin_question", "entry_id"),
    ("twin_readingcorrection", "entry_id"),
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
    dependencies = [("twin", "0007_imports")]
    operations = [migrations.RunSQL(cascade(*one), migrations.RunSQL.noop) for one in CASCADES]
