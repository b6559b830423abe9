"""What is owed on disk: relations that held words which are gone, and files below the media folder."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection

from household.models import ForgetOwed
from household.services.columns import bearing_columns
from household.services.erasing.untouched import count_writes

# A failed INSERT leaves its words in a relation that no committed row tells of. Below this size a relation
# that may bear words is rewritten with every forgetting; it takes some ten milliseconds.
SMALL_BYTES = 8 * 2**20
# Triggers see to it that updates of these leave every word as it is, and only a forgetting deletes from them.
WORDS_STAY = frozenset({"twin_statement", "twin_ledgerentry", "twin_coursestatement", "memory_journalline"})
# The journal's spine takes envelopes alone, whose every field is an identity, a count or a code.
WORDLESS = frozenset({"memory_journalline"})
TOUCHED = """
    SELECT relname FROM pg_stat_xact_user_tables
    WHERE schemaname = 'public' AND n_tup_upd + n_tup_del > 0
"""
SMALL = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'm') AND relname = ANY (%s)
      AND pg_relation_size(oid) BETWEEN 1 AND %s AND relname NOT IN (SELECT hearthbook_untouched())
"""
# Months that are over: rewritten once, nobody writes them again, and a forgetting elsewhere leaves them out.
ENDED = """
    SELECT relname FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relispartition AND relkind = 'r' AND relname = ANY (%s)
      AND pg_relation_size(oid) > 0 AND relname NOT IN (SELECT hearthbook_untouched())
      AND substring(pg_get_expr(relpartbound, oid) FROM 'TO \\(''([0-9-]+)''\\)')::date < current_date
"""
CHURNED = """
    SELECT relname, n_tup_upd + n_tup_del FROM pg_stat_user_tables
    WHERE schemaname = 'public' AND n_tup_upd + n_tup_del + n_dead_tup > 0 AND relname = ANY (%s)
"""


def relations_reached() -> list[str]:
    """The relations this transaction updated or deleted from, and the small ones a word may have touched.

    Those that nobody wrote since they were rewritten hold nothing but their rows.
    """
    with connection.cursor() as cursor:
        cursor.execute(TOUCHED)
        found = {name for (name,) in cursor.fetchall()}
        cursor.execute(SMALL, [_bearing(), SMALL_BYTES])
        return sorted((found | {name for (name,) in cursor.fetchall()}) - WORDLESS)


def owe(*, relations: Iterable[str], files: Iterable[str] = (), why: str = "forgotten") -> ForgetOwed:
    """Note what is owed, in the transaction that took the rows away: both happen, or neither."""
    names = sorted(set(relations))
    return ForgetOwed.objects.create(relations=names, left=names, files=sorted(set(files)), why=why)


def owe_edited() -> ForgetOwed | None:
    """Owe every relation with words that was written over since the night before. None where none was.

    The server counts updates and deletes by itself, so that no capability can forget to say so; after a
    crash it begins anew, and everything written over since counts. Months that ended go with them, once.
    """
    count_writes()
    before = dict(_noted())
    with connection.cursor() as cursor:
        cursor.execute(CHURNED, [_bearing()])
        counted = {name: int(count) for name, count in cursor.fetchall() if name not in WORDS_STAY}
        cursor.execute(ENDED, [_bearing()])
        ended = [name for (name,) in cursor.fetchall()]
    changed = [name for name, count in counted.items() if before.get(name) != count]
    if not changed and not ended:
        return None
    row = owe(relations=[*changed, *ended], why="edited")
    ForgetOwed.objects.filter(pk=row.pk).update(counted={**before, **counted})
    return row


def _noted() -> dict[str, int]:
    row = ForgetOwed.objects.filter(why="edited").order_by("-id").values_list("counted", flat=True).first()
    return row or {}


def _bearing() -> list[str]:
    """Every relation that may bear words."""
    return sorted({one.relation.strip('"') for one in bearing_columns() if not one.is_index})
