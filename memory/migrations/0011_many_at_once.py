"""Many rows of one statement get their entries at once, and many memories their change numbers."""

from django.db import migrations

SOURCES = (
    ("twin_record", "observation", "record"),
    ("twin_statement", "observation", "statement"),
    ("twin_event", "observation", "event"),
    ("twin_formfill", "observation", "fill"),
    ("memory_episode", "memory", "episode"),
    ("memory_pattern", "memory", "pattern"),
    ("memory_strategy", "memory", "strategy"),
    ("memory_memory", "memory", "memory"),
    ("memory_passage", "document", "passage"),
)

COME = """
CREATE FUNCTION memory_entries_come() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    EXECUTE format('INSERT INTO %I AS e
            (subject_id, kind, row_id, language, length, model, version, is_due)
        SELECT subject_id, $1, id, '''', 0, '''', 0, true FROM came WHERE subject_id IS NOT NULL
        ON CONFLICT (kind, row_id) DO UPDATE SET subject_id = excluded.subject_id, terms = NULL, length = 0,
            model = '''', vector = NULL, version = e.version + 1, is_due = true', TG_ARGV[0])
        USING TG_ARGV[1];
    RETURN NULL;
END $$
"""

CHANGED = """
-- As `memory_changed`, for many memories: each gets one number a transaction, the smaller the older.
CREATE FUNCTION memory_all_changed(memories bigint[]) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    began bigint := memory_change_began();
    due bigint[] := ARRAY(SELECT id FROM memory_memory WHERE id = ANY (memories) AND change <= began ORDER BY id);
    number bigint;
BEGIN
    IF due = '{}' THEN RETURN; END IF;
    UPDATE memory_changecounter SET n = n + cardinality(due) RETURNING n - cardinality(due) INTO number;
    UPDATE memory_memory m SET change = number + d.at
        FROM unnest(due) WITH ORDINALITY AS d(id, at) WHERE m.id = d.id;
END $$
"""


def _triggers(table: str, of: str, kind: str) -> tuple[str, str]:
    names = f"('memory_{of}entry', '{kind}')"
    return (
        f"""
        DROP TRIGGER entry_comes ON {table};
        CREATE TRIGGER entry_comes AFTER INSERT ON {table} REFERENCING NEW TABLE AS came
            FOR EACH STATEMENT EXECUTE FUNCTION memory_entries_come{names};
        CREATE TRIGGER entry_goes AFTER DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION memory_entry_follows{names};
        """,
        f"""
        DROP TRIGGER entry_goes ON {table};
        DROP TRIGGER entry_comes ON {table};
        CREATE TRIGGER entry_comes AFTER INSERT OR DELETE ON {table}
            FOR EACH ROW EXECUTE FUNCTION memory_entry_follows{names};
        """,
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0010_lines_come_together")]
    operations = [
        migrations.RunSQL(COME, "DROP FUNCTION memory_entries_come()"),
        *(migrations.RunSQL(*_triggers(*source)) for source in SOURCES),
        migrations.RunSQL(CHANGED, "DROP FUNCTION memory_all_changed(bigint[])"),
    ]
