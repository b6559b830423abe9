"""Searching costs by what it shows, not by how much was written: a common word is looked for newest first.

The planner knows nothing of which words are common, since no statistics of words are kept; left to itself it
reads every row of a common word. So a small sample of the newest rows says how common a word is, and what
stands in many rows is found by walking back in time until enough were found.
"""

from django.db import migrations

# Replaces the functions of 0006; what they take and give stays as it was.
SEARCH = """
CREATE OR REPLACE FUNCTION memory_search_{of}(
    whose bigint[], kinds text[], since date, until date, wanted text[],
    near_to halfvec, made_by text, take int)
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
    -- The day of a row is its moment's somewhere on earth; a row without a moment has no day.
    first_at timestamptz := coalesce((since - 2)::timestamptz, '-infinity');
    last_at timestamptz := coalesce((until + 2)::timestamptz, 'infinity');
    rows_total bigint;
    sample tsvector[] := '{{}}';  -- of the newest rows one sees
    fitting tsvector[] := '{{}}';  -- of these, the ones of the wanted kinds
    counts jsonb := '{{}}';
    found bigint;
    term text;
    one tsquery;
    asked tsquery;
    every tsquery;
    scarce tsquery;
    often tsquery;
    reached bigint := 0;
    newest bigint[];
    by_words bigint[] := '{{}}';
    by_meaning bigint[] := '{{}}';
    around bigint[];
BEGIN
    whose := ARRAY(SELECT w FROM unnest(whose) w WHERE w = ANY (members));
    IF me IS NULL OR coalesce(cardinality(whose), 0) = 0 THEN RETURN; END IF;
    sees_all := coalesce(whose <@ views, false);
    SELECT count(*) INTO rows_total FROM (
        SELECT 1 FROM {table} e WHERE e.subject_id = ANY (whose) AND {seen} LIMIT {counted}) x;
    IF rows_total = {counted} AND cardinality(wanted) > 0 THEN
        SELECT coalesce(array_agg(e.terms), '{{}}'),
            coalesce(array_agg(e.terms) FILTER (WHERE takes_all OR e.kind = ANY (kinds)), '{{}}')
        INTO sample, fitting FROM {newest_sampled} e WHERE e.terms IS NOT NULL AND {seen};
    END IF;
    FOREACH term IN ARRAY wanted LOOP
        one := quote_literal(term)::tsquery;
        IF (SELECT count(*) FROM unnest(sample) s WHERE s @@ one) * {share} >= {sampled} THEN
            found := {common};
        ELSE
            SELECT count(*) INTO found FROM (SELECT 1 FROM {table} e
                WHERE e.terms @@ one AND e.subject_id = ANY (whose) AND {seen} LIMIT {common}) x;
        END IF;
        IF found > 0 THEN
            counts := counts || jsonb_build_object(term, found);
            asked := coalesce(asked || one, one);
        END IF;
    END LOOP;
    -- The rarest words say most; those of a common word alone are few enough to lose.
    FOR term, found IN SELECT key, value::bigint FROM jsonb_each_text(counts) ORDER BY value::bigint, key LOOP
        one := quote_literal(term)::tsquery;
        every := coalesce(every && one, one);
        IF reached < 2 * take AND found < {common} THEN
            scarce := coalesce(scarce || one, one);
        ELSIF reached < 2 * take THEN
            often := one;
        END IF;
        reached := reached + found;
    END LOOP;
    IF scarce IS NOT NULL THEN
        by_words := {by_index_scarce};
    END IF;
    IF often IS NOT NULL THEN
{newest_often}
        by_words := by_words || newest;
    END IF;
    IF numnode(every) > 1 THEN
{newest_every}
        by_words := newest || by_words;
    END IF;
    IF near_to IS NOT NULL AND made_by <> '' THEN
        SELECT CASE WHEN count(*) >= 20 AND (avg(e.vector) <-> near_to) > 0
                    THEN near_to - avg(e.vector) ELSE near_to END INTO near_to
        FROM {newest_averaged} e WHERE e.model = made_by AND {seen};
        IF to_regclass(format('{of}entry_hnsw_%s', vector_dims(near_to))) IS NULL THEN
            by_meaning := ARRAY(SELECT e.id FROM {table} e WHERE e.model = made_by AND {bounds}
                ORDER BY e.vector <=> near_to LIMIT take);
        ELSE
            -- The embedder's name and the width as constants, or the index of its vectors is not used.
            PERFORM set_config('hnsw.iterative_scan', 'relaxed_order', true),
                set_config('hnsw.ef_search', least(greatest(take, 100), 1000)::text, true);
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
            CASE WHEN e.terms @@ asked THEN
                (SELECT jsonb_object_agg(u.lexeme, cardinality(u.positions)) FROM unnest(e.terms) u
                 WHERE u.lexeme = ANY (wanted)) END,
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
FITS = f"""(takes_all OR e.kind = ANY (kinds))
                AND (since IS NULL OR e.day >= since) AND (until IS NULL OR e.day <= until) AND {SEEN}"""
# The newest rows of each subject, together about as many as asked for.
NEWEST = """(SELECT n.* FROM unnest(whose) w, LATERAL (SELECT e.* FROM {table} e WHERE e.subject_id = w
            ORDER BY e.at DESC LIMIT greatest({rows} / cardinality(whose), {least})) n)"""
BY_INDEX = """ARRAY(SELECT e.id FROM {table} e WHERE e.terms @@ {query} AND e.subject_id = ANY (whose)
            AND {fits} ORDER BY e.at DESC NULLS LAST, e.id DESC LIMIT {most})"""
BY_WALKING = """ARRAY(SELECT f.id FROM unnest(whose) w, LATERAL (SELECT e.id, e.at FROM
                (SELECT e.* FROM {table} e WHERE e.subject_id = w AND e.at >= first_at AND e.at <= last_at
                 ORDER BY e.at DESC LIMIT greatest({walked} / cardinality(whose), 1000)) e
                WHERE e.terms @@ {query} AND {fits} LIMIT {most}) f
            ORDER BY f.at DESC, f.id DESC LIMIT {most})"""
# Where walking found too few, they lie further back.
FOUND = """        newest := '{{}}';
        IF (SELECT count(*) FROM unnest(fitting) s WHERE s @@ {query}) * {share} >= {sampled} THEN
            newest := {by_walking};
        END IF;
        IF cardinality(newest) < {most} THEN
            newest := {by_index};
        END IF;"""
COUNTED, COMMON = 3_000, 1_000  # rows counted to know how many there are, and how rare a word is
SAMPLED, AVERAGED, WALKED = 400, 200, 10_000  # newest rows
SHARE = 16  # one row in so many, and a word is common


def _newest(table: str, rows: int) -> str:
    return NEWEST.format(table=table, rows=rows, least=rows // 10)


def _found(table: str, fits: str, query: str, most: str) -> str:
    named = {"table": table, "fits": fits, "query": query, "most": most}
    return FOUND.format(
        query=query,
        most=most,
        share=SHARE,
        sampled=SAMPLED,
        by_walking=BY_WALKING.format(walked=WALKED, **named),
        by_index=BY_INDEX.format(**named),
    )


def _search(of: str, kinds: str) -> str:
    table, seen, fits = f"memory_{of}entry", SEEN.format(of=of), FITS.format(of=of)
    return SEARCH.format(
        of=of,
        table=table,
        every_kind=kinds,
        counted=COUNTED,
        common=COMMON,
        seen=seen,
        bounds=f"e.subject_id = ANY (whose) AND {fits}",
        sampled=SAMPLED,
        share=SHARE,
        newest_sampled=_newest(table, SAMPLED),
        newest_averaged=_newest(table, AVERAGED),
        by_index_scarce=BY_INDEX.format(table=table, fits=fits, query="scarce", most="2 * take"),
        newest_often=_found(table, fits, "often", "2 * take"),
        newest_every=_found(table, fits, "every", "take"),
    )


class Migration(migrations.Migration):
    dependencies = [("memory", "0007_reached_at_once")]

    operations = [
        migrations.RunSQL(
            _search("observation", "'record', 'statement', 'event', 'fill'"), migrations.RunSQL.noop
        ),
        migrations.RunSQL(
            _search("memory", "'episode', 'pattern', 'strategy', 'memory'"), migrations.RunSQL.noop
        ),
        migrations.RunSQL(_search("document", "'passage'"), migrations.RunSQL.noop),
    ]
