"""Whether enough rows hold every word that was asked for, so that none need be looked for by meaning."""

from django.db import migrations

HELD = """
CREATE FUNCTION memory_held_{of}(
    whose bigint[], kinds text[], since date, until date, words text, enough int) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    views bigint[] := nullif(current_setting('hearthbook.view_{of}', true), '')::bigint[];
    members bigint[] := nullif(current_setting('hearthbook.member', true), '')::bigint[];
    me bigint := nullif(current_setting('hearthbook.person', true), '')::bigint;
    every tsquery := words::tsquery;
    sees_all boolean;
    takes_all boolean := kinds @> ARRAY[{every_kind}];
    first_at timestamptz := coalesce((since - 2)::timestamptz, '-infinity');
    last_at timestamptz := coalesce((until + 2)::timestamptz, 'infinity');
    held bigint;
BEGIN
    whose := ARRAY(SELECT w FROM unnest(whose) w WHERE w = ANY (members));
    IF me IS NULL OR coalesce(cardinality(whose), 0) = 0 THEN RETURN 0; END IF;
    sees_all := coalesce(whose <@ views, false);
    -- A common word stands in enough of the newest rows; the rest is soon read from the index of words.
    SELECT count(*) INTO held FROM (
        SELECT 1 FROM unnest(whose) w, LATERAL (
            SELECT e.* FROM {table} e WHERE e.subject_id = w AND e.at >= first_at AND e.at <= last_at
            ORDER BY e.at DESC LIMIT greatest({sampled} / cardinality(whose), {sampled} / 10)) e
        WHERE e.terms @@ every AND {fits} LIMIT enough) x;
    IF held < enough THEN
        SELECT count(*) INTO held FROM (
            SELECT 1 FROM {table} e
            WHERE e.terms @@ every AND e.subject_id = ANY (whose) AND {fits} LIMIT enough) x;
    END IF;
    RETURN held;
END $$
"""
FITS = """NOT e.is_due AND (takes_all OR e.kind = ANY (kinds))
            AND (since IS NULL OR e.day >= since) AND (until IS NULL OR e.day <= until)
            AND (sees_all OR e.subject_id = ANY (views)
                 OR hearthbook_else_sees('{of}', e.subject_id, e.author_id, e.day))"""
SAMPLED = 400  # newest rows


def _held(of: str, kinds: str) -> migrations.RunSQL:
    made = HELD.format(
        of=of, table=f"memory_{of}entry", every_kind=kinds, fits=FITS.format(of=of), sampled=SAMPLED
    )
    return migrations.RunSQL(made, f"DROP FUNCTION memory_held_{of}(bigint[], text[], date, date, text, int)")


class Migration(migrations.Migration):
    dependencies = [("memory", "0008_search_newest")]

    operations = [
        _held("observation", "'record', 'statement', 'event', 'fill'"),
        _held("memory", "'episode', 'pattern', 'strategy', 'memory'"),
        _held("document", "'passage'"),
    ]
