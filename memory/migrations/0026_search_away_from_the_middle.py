"""What is looked for is taken relative to the middle of what is searched: an embedder crowds its texts.

Only the question moves, so the stored vectors stay as they were made.
"""

from importlib import import_module

from django.db import migrations

BEFORE = import_module("memory.migrations.0018_entries_follow_their_rows")
SEEN = "(e.subject_id = ANY (views) OR hearthbook_else_sees('{of}', e.subject_id, e.author_id, e.day))"
AIM = f"""
    PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true), set_config('hnsw.ef_search', '100', true);
    IF near_to IS NOT NULL AND made_by <> '' THEN
        SELECT CASE WHEN count(*) >= 20 AND (avg(s.vector) <-> near_to::vector) > 0
                    THEN (near_to::vector - avg(s.vector))::halfvec ELSE near_to END INTO near_to
        FROM (SELECT e.vector::vector AS vector FROM {{table}} e
              WHERE e.model = made_by AND e.subject_id = ANY (whose) AND {SEEN} LIMIT 200) s;
    END IF;
    IF near_to IS NOT NULL THEN
        EXECUTE format("""
NEW = BEFORE.SEARCH.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION").replace(
    "\n    IF near_to IS NOT NULL THEN\n        EXECUTE format(", AIM
)
# The embedder's name as a constant, so that an index of its vectors alone can be used.
NEW = NEW.replace("WHERE e.model = $1 AND", "WHERE e.model = %L AND $1 IS NOT NULL AND").replace(
    "LIMIT $8) found',\n", "LIMIT $8) found',\n            made_by,"
)
# What is counted is only what may be seen.
NEW = NEW.replace("ANY (whose) LIMIT 100000", f"ANY (whose) AND {SEEN} LIMIT 100000").replace(
    "ANY (whose) LIMIT {common}) x)", f"ANY (whose) AND {SEEN} LIMIT {{common}}) x)"
)
OLD = BEFORE.SEARCH.replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")


class Migration(migrations.Migration):
    dependencies = [("memory", "0025_owed_bytes_outlive_subjects")]

    operations = [
        migrations.RunSQL(
            NEW.format(of=of, table=f"memory_{of}entry", common=BEFORE.COMMON),
            OLD.format(of=of, table=f"memory_{of}entry", common=BEFORE.COMMON),
        )
        for of in ("observation", "memory", "document")
    ]
