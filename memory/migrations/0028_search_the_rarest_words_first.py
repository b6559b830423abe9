"""Rows that have every word, and those with its rarest words, are the candidates; ranking tells them apart.

Weighing every row that has some common word cost more than all the rest of a search.
"""

from importlib import import_module

from django.db import migrations

BEFORE = import_module("memory.migrations.0018_entries_follow_their_rows")
MIDDLE = import_module("memory.migrations.0026_search_away_from_the_middle")
COUNTED, COMMON = 20_000, 1_000  # rows counted to know how rare a word is


def _between(text: str, start: str, end: str, new: str) -> str:
    first = text.index(start)
    return text[:first] + new + text[text.index(end, first) :]


BOUNDS = """e.subject_id = ANY (whose) AND e.kind = ANY (kinds)
          AND (since IS NULL OR e.day >= since) AND (until IS NULL OR e.day <= until)
          AND """ + MIDDLE.SEEN
PICKED = f"""    FOR term IN SELECT key FROM jsonb_each_text(counts) ORDER BY value::bigint, key LOOP
        every := coalesce(every && (quote_literal(term))::tsquery, (quote_literal(term))::tsquery);
        IF reached < 2 * take THEN
            pick := coalesce(pick || (quote_literal(term))::tsquery, (quote_literal(term))::tsquery);
        END IF;
        reached := reached + (counts ->> term)::bigint;
    END LOOP;
    IF pick IS NOT NULL THEN
        SELECT coalesce(array_agg(found.id), '{{{{}}}}') INTO by_words FROM (
            (SELECT e.id FROM {{table}} e WHERE e.terms @@ every AND {BOUNDS}
             ORDER BY e.at DESC NULLS LAST LIMIT take)
            UNION
            (SELECT e.id FROM {{table}} e WHERE e.terms @@ pick AND {BOUNDS}
             ORDER BY e.at DESC NULLS LAST LIMIT 2 * take)) found;
    END IF;
    PERFORM set_config('hnsw.iterative_scan'"""
NEW = _between(
    MIDDLE.NEW,
    "    -- Words that stand",
    ", 'relaxed_order', true)",
    "    -- Rows with a common word alone are few enough to lose; the rarest words say most.\n" + PICKED,
)
NEW = NEW.replace("LIMIT 100000", f"LIMIT {COUNTED}").replace(
    "    pick tsquery;", "    pick tsquery;\n    every tsquery;\n    reached bigint := 0;"
)
RESOURCES = ("observation", "memory", "document")


def made(text: str, of: str, common: int) -> str:
    """The function of one resource."""
    return text.format(of=of, table=f"memory_{of}entry", common=common)


class Migration(migrations.Migration):
    dependencies = [("memory", "0027_words_admitted_sooner")]

    operations = [
        migrations.RunSQL(made(NEW, of, COMMON), made(MIDDLE.NEW, of, BEFORE.COMMON)) for of in RESOURCES
    ]
