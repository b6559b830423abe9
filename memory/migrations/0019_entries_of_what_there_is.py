"""Rows from before the entries get theirs, due to be filled."""

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


class Migration(migrations.Migration):
    dependencies = [("memory", "0018_entries_follow_their_rows")]

    operations = [
        migrations.RunSQL(
            f"INSERT INTO memory_{of}entry (subject_id, kind, row_id, language, length, model, version, is_due)"
            f" SELECT subject_id, '{kind}', id, '', 0, '', 0, true FROM {table} WHERE subject_id IS NOT NULL"
            " ON CONFLICT (kind, row_id) DO NOTHING",
            migrations.RunSQL.noop,
        )
        for table, of, kind in SOURCES
    ]
