"""An entry is made, emptied and taken away with its row; one function for each resource searches them.

The functions run as their owner, since full-text operators under row-level security lose their indexes,
and repeat the arrays that say what the asking person may see.
"""

from django.db import migrations

FOLLOWS = """
CREATE FUNCTION memory_entry_follows() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        EXECUTE format('DELETE FROM %I WHERE kind = $1 AND row_id = $2', TG_ARGV[0])
            USING TG_ARGV[1], OLD.id;
        RETURN NULL;
    END IF;
    IF NEW.subject_id IS NULL THEN RETURN NULL; END IF;
    EXECUTE format('INSERT INTO %I AS e
            (subject_id, kind, row_id, language, length, model, version, is_due)
        VALUES ($1, $2, $3, '''', 0, '''', 0, true)
        ON CONFLICT (kind, row_id) DO UPDATE SET subject_id = excluded.subject_id, terms = NULL, length = 0,
            model = '''', vector = NULL, version = e.version + 1, is_due = true', TG_ARGV[0])
        USING NEW.subject_id, TG_ARGV[1], NEW.id;
    RETURN NULL;
END $$
"""

SOURCES = (
    ("twin_record", "observation", "record", "subject_id text signs category site superseded_by_id day sort_on"),
    ("twin_statement", "observation", "statement", "subject_id text"),
    ("twin_event", "observation", "event", "subject_id kind place antecedent behaviour tried outcome local_day"),
    ("twin_formfill", "observation", "fill", "subject_id note local_day"),
    ("memory_episode", "memory", "episode", "subject_id kind place antecedent behaviour tried outcome day"),
    ("memory_pattern", "memory", "pattern", "subject_id antecedent outcome lag"),
    ("memory_strategy", "memory", "strategy", "subject_id name how"),
    ("memory_memory", "memory", "memory", "subject_id text hidden who place said_when"),
    ("memory_passage", "document", "passage", "subject_id text"),
)

SEARCH = """
CREATE FUNCTION memory_search_{of}(
    whose bigint[], kinds text[], since date, until date, wanted text[], near_to halfvec, made_by text, take int)
RETURNS TABLE (id bigint, kind varchar, row_id bigint, subject_id bigint, day date, at timestamptz,
    length int, tf jsonb, near float8, dfs jsonb, total bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
#variable_conflict use_column
DECLARE
    views bigint[] := nullif(current_setting('hearthbook.view_{of}', true), '')::bigint[];
    members bigint[] := nullif(current_setting('hearthbook.member', true), '')::bigint[];
    me bigint := nullif(current_setting('hearthbook.person', true), '')::bigint;
    sees_all boolean;
    takes_all boolean := kinds @> ARRAY[{every_kind}];
    counts jsonb := '{{}}';
    found bigint;
    rows_total bigint;
    pick tsquery;
    every tsquery;
    reached bigint := 0;
    by_words bigint[] := '{{}}';
    by_meaning bigint[] := '{{}}';
    around bigint[];
    term text;
BEGIN
    whose := ARRAY(SELECT w FROM unnest(whose) w WHERE w = ANY (members));
    IF me IS NULL OR coalesce(cardinality(whose), 0) = 0 THEN RETURN; END IF;
    sees_all := coalesce(whose <@ views, false);
    SELECT count(*) INTO rows_total FROM (
        SELECT 1 FROM {table} e WHERE e.subject_id = ANY (whose)
            AND {seen} LIMIT {counted}) x;
    FOREACH term IN ARRAY wanted LOOP
        SELECT count(*) INTO found FROM (SELECT 1 FROM {table} e
            WHERE e.terms @@ (quote_literal(term))::tsquery AND e.subject_id = ANY (whose)
            AND {seen} LIMIT {common}) x;
        IF found > 0 THEN counts := counts || jsonb_build_object(term, found); END IF;
    END LOOP;
    -- Rows with a common word alone are few enough to lose; the rarest words say most.
    FOR term IN SELECT key FROM jsonb_each_text(counts) ORDER BY value::bigint, key LOOP
        every := coalesce(every && (quote_literal(term))::tsquery, (quote_literal(term))::tsquery);
        IF reached < 2 * take THEN
            pick := coalesce(pick || (quote_literal(term))::tsquery, (quote_literal(term))::tsquery);
        END IF;
        reached := reached + (counts ->> term)::bigint;
    END LOOP;
    IF pick IS NOT NULL THEN
        SELECT coalesce(array_agg(found.id), '{{}}') INTO by_words FROM (
            (SELECT e.id FROM {table} e WHERE e.terms @@ every AND {bounds}
             ORDER BY e.at DESC NULLS LAST LIMIT take)
            UNION
            (SELECT e.id FROM {table} e WHERE e.terms @@ pick AND {bounds}
             ORDER BY e.at DESC NULLS LAST LIMIT 2 * take)) found;
    END IF;
    IF near_to IS NOT NULL AND made_by <> '' THEN
        SELECT CASE WHEN count(*) >= 20 AND (avg(s.vector) <-> near_to) > 0
                    THEN near_to - avg(s.vector) ELSE near_to END INTO near_to
        FROM (SELECT e.vector FROM {table} e
              WHERE e.model = made_by AND e.subject_id = ANY (whose)
            AND {seen} LIMIT 200) s;
        IF to_regclass(format('{of}entry_hnsw_%s', vector_dims(near_to))) IS NULL THEN
            by_meaning := ARRAY(SELECT e.id FROM {table} e WHERE e.model = made_by AND {bounds}
                ORDER BY e.vector <=> near_to LIMIT take);
        ELSE
            -- The embedder's name and the width as constants, or the index of its vectors is not used.
            PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true),
                set_config('hnsw.ef_search', '100', true);
            EXECUTE format('SELECT coalesce(array_agg(found.id), ''{{}}'') FROM (
                SELECT e.id FROM {table} e
                WHERE e.model = %L AND e.subject_id = ANY ($1) AND ($2 OR e.kind = ANY ($3))
                  AND ($4 IS NULL OR e.day >= $4) AND ($5 IS NULL OR e.day <= $5)
                  AND ($6 OR e.subject_id = ANY ($7)
                       OR hearthbook_else_sees(''{of}'', e.subject_id, e.author_id, e.day))
                ORDER BY (e.vector::halfvec(%s)) <=> $8::halfvec(%s) LIMIT $9) found',
                made_by, vector_dims(near_to), vector_dims(near_to))
            INTO by_meaning USING whose, takes_all, kinds, since, until, sees_all, views, near_to, take;
        END IF;
    END IF;
    SELECT coalesce(array_agg(n.id), '{{}}') INTO around FROM (
        SELECT e.subject_id AS whom, e.at AS moment FROM {table} e
        WHERE e.id = ANY (by_words[1:30] || by_meaning[1:30]) AND e.at IS NOT NULL) top,
        LATERAL (SELECT e.id FROM {table} e WHERE e.subject_id = top.whom
            AND e.at BETWEEN top.moment - interval '15 minutes' AND top.moment + interval '15 minutes'
            LIMIT 8) n;
    RETURN QUERY
        SELECT e.id, e.kind, e.row_id, e.subject_id, e.day, e.at, e.length,
            (SELECT jsonb_object_agg(u.lexeme, cardinality(u.positions)) FROM unnest(e.terms) u
             WHERE u.lexeme = ANY (wanted)),
            CASE WHEN e.model = made_by AND near_to IS NOT NULL THEN 1 - (e.vector <=> near_to) END,
            counts, rows_total
        FROM {table} e
        WHERE e.id = ANY (by_words || by_meaning || around) AND NOT e.is_due AND {bounds};
END $$
"""
SEEN = (
    "(sees_all OR e.subject_id = ANY (views)"
    " OR hearthbook_else_sees('{of}', e.subject_id, e.author_id, e.day))"
)
BOUNDS = f"""e.subject_id = ANY (whose) AND (takes_all OR e.kind = ANY (kinds))
                AND (since IS NULL OR e.day >= since) AND (until IS NULL OR e.day <= until) AND {SEEN}"""
COUNTED, COMMON = 3_000, 1_000  # rows counted to know how many there are, and how rare a word is
SIGNATURE = "(bigint[], text[], date, date, text[], halfvec, text, int)"


def _search(of: str) -> str:
    kinds = ", ".join(f"'{kind}'" for _table, resource, kind, _columns in SOURCES if resource == of)
    return SEARCH.format(
        of=of,
        table=f"memory_{of}entry",
        every_kind=kinds,
        common=COMMON,
        counted=COUNTED,
        seen=SEEN.format(of=of),
        bounds=BOUNDS.format(of=of),
    )


def _trigger(table: str, of: str, kind: str, columns: str) -> list[tuple[str, str]]:
    was = ", ".join(f"OLD.{one}" for one in columns.split())
    now = ", ".join(f"NEW.{one}" for one in columns.split())
    call = f"EXECUTE FUNCTION memory_entry_follows('memory_{of}entry', '{kind}')"
    return [
        (
            f"CREATE TRIGGER entry_comes AFTER INSERT OR DELETE ON {table} FOR EACH ROW {call}",
            f"DROP TRIGGER entry_comes ON {table}",
        ),
        (
            f"CREATE TRIGGER entry_changes AFTER UPDATE ON {table} FOR EACH ROW"
            f" WHEN (({was}) IS DISTINCT FROM ({now})) {call}",
            f"DROP TRIGGER entry_changes ON {table}",
        ),
    ]


class Migration(migrations.Migration):
    dependencies = [("memory", "0005_changes_and_forgetting")]

    operations = [
        migrations.RunSQL(FOLLOWS, "DROP FUNCTION memory_entry_follows()"),
        *(migrations.RunSQL(do, undo) for source in SOURCES for do, undo in _trigger(*source)),
        *(
            migrations.RunSQL(_search(of), f"DROP FUNCTION memory_search_{of}{SIGNATURE}")
            for of in ("observation", "memory", "document")
        ),
    ]
