"""What is looked for is taken relative to the middle of what is searched: an embedder crowds its texts.

Only the question moves, so the stored vectors stay as they were made.
"""

from importlib import import_module

from django.db import migrations

BEFORE = import_module("memory.migrations.0018_entries_follow_their_rows")
AIM = """
    IF near_to IS NOT NULL AND made_by <> '' THEN
        SELECT CASE WHEN count(*) >= 20 AND (avg(s.vector) <-> near_to::vector) > 0
                    THEN (near_to::vector - avg(s.vector))::halfvec ELSE near_to END INTO near_to
        FROM (SELECT e.vector::vector AS vector FROM {table} e
              WHERE e.model = made_by AND e.subject_id = ANY (whose) LIMIT 200) s;
    END IF;
    IF near_to IS NOT NULL THEN
        EXECUTE format("""
NEW = BEFORE.SEARCH.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION").replace(
    "\n    IF near_to IS NOT NULL THEN\n        EXECUTE format(", AIM
)
OLD = BEFORE.SEARCH.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


class Migration(migrations.Migration):
    dependencies = [("memory", "0019_entries_of_what_there_is")]

    operations = [
        migrations.RunSQL(
            NEW.format(of=of, table=f"memory_{of}entry", common=BEFORE.COMMON),
            OLD.format(of=of, table=f"memory_{of}entry", common=BEFORE.COMMON),
        )
        for of in ("observation", "memory", "document")
    ]
