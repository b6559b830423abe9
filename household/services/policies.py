"""Raises the second wall: row-level security on every table with a subject's rows, after every migration.

What each table is stands in `household.rules.resources`, what its policies say in `household.rules.policies`;
which columns it has is read from the models. The pass repeats nothing: a table whose policies are as they
should be is left alone. It runs as the owner of the tables, whom the policies do not bind.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.apps import apps as installed
from django.db import connections, models, transaction

from household.access import WINDOW_FIELDS
from household.rules import policies as rules
from household.rules.policies import Policies, Table
from household.rules.resources import TABLES

OURS = ("household", "twin", "memory", "voice")
SUBJECT_FIELDS = ("subject", "child")
SUBJECT = "twin.Subject"
HELD = """
    SELECT c.relname, c.relrowsecurity AND NOT c.relforcerowsecurity
           AND (SELECT count(*) FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = ANY (%s)) = %s,
           (SELECT obj_description(p.oid, 'pg_policy') FROM pg_policy p
            WHERE p.polrelid = c.oid AND p.polname = 'sees'), c.relrowsecurity
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
"""


class NoPlace(ValueError):
    """A table with a subject's rows has no entry in the maps, so its policies would show it to nobody."""


def our_models(apps: Any = installed) -> list[type[models.Model]]:
    """Every model of ours, tables between two others included."""
    every = apps.get_models(include_auto_created=True)
    return [one for one in every if one._meta.app_label in OURS and not one._meta.proxy]


def label_of(model: type[models.Model]) -> str:
    """A model's label in the maps; a table between two others stands under the one that declares it."""
    made_by: Any = model._meta.auto_created
    return label_of(made_by) if made_by else model._meta.label


def reaches_subject(model: type[models.Model]) -> bool:
    """Whether rows of a model name a subject, or a row that does."""
    seen: set[type[models.Model]] = set()
    waiting = [model]
    while waiting:
        one = waiting.pop()
        if one._meta.label == SUBJECT:
            return True
        if one not in seen:
            seen.add(one)
            waiting += [field.related_model for field in _keys(one)]
    return False


def _keys(model: type[models.Model]) -> list[Any]:
    return [field for field in model._meta.concrete_fields if field.is_relation]


def wanted(model: type[models.Model]) -> Policies | None:
    """The policies of a model's table, None where it needs none. Raises NoPlace."""
    label = model._meta.label
    if label in rules.EXEMPT:
        return None
    if label in rules.SPECIAL:
        return rules.SPECIAL[label]
    if label_of(model) not in TABLES:
        if reaches_subject(model):
            raise NoPlace(f"{label}: add it to household/rules/resources.py")
        return None
    tables: dict[str, Table] = {}
    found = rules.policies_of(_describe(model, tables), parents=tables)
    extra = rules.ANYBODYS.get(label)
    return replace(found, see=f"({found.see}) OR ({extra})") if extra else found


def _describe(model: type[models.Model], tables: dict[str, Table]) -> Table:
    """What the rules must know of a model; the rows it hangs on are described into `tables`."""
    label, name = model._meta.label, model._meta.db_table
    columns: dict[str, Any] = {field.name: field for field in model._meta.concrete_fields}
    subject = next((columns[one] for one in SUBJECT_FIELDS if one in columns), None)
    if subject is None:
        return Table(name, str(TABLES[label_of(model)]), parent=_parent(model, tables))
    window = next((columns[one].column for one in WINDOW_FIELDS if one in columns), "")
    return Table(
        name,
        str(TABLES[label_of(model)]),
        subject=subject.column,
        is_nullable=subject.null,
        author=columns["author"].column if "author" in columns else "",
        own=rules.OWN.get(label, ""),
        window=f'"{window}"' if window else "",
        adds_own=label in rules.ADDS_OWN,
    )


def _parent(model: type[models.Model], tables: dict[str, Table]) -> tuple[str, str, str]:
    """The row a model without a subject hangs on: the first it cannot be without. Raises NoPlace."""
    for field in _keys(model):
        upper = field.related_model
        is_placed = label_of(upper) in TABLES and upper._meta.label not in {*rules.SPECIAL, *rules.EXEMPT}
        if is_placed and not field.null and upper is not model:
            tables[upper._meta.db_table] = _describe(upper, tables)
            return upper._meta.db_table, field.target_field.column, field.column
    raise NoPlace(f"{model._meta.label}: it has no subject, so name it in household/rules/policies.py")


def raise_wall(using: str = "default", apps: Any = installed) -> list[str]:
    """Give every table its policies; the tables that changed. What has no place is shown to nobody."""
    with transaction.atomic(using=using), connections[using].cursor() as cursor:
        cursor.execute(HELD, [list(rules.NAMES), len(rules.NAMES)])
        held = {name: (is_whole, print_, is_on) for name, is_whole, print_, is_on in cursor.fetchall()}
        if not {"twin_ledgerentry", "twin_formfill", "household_membership"} <= held.keys():
            return []
        changed: list[str] = []
        for model in our_models(apps):
            name = model._meta.db_table
            if name in held and (lines := _changes(model, *held[name])):
                if not changed:
                    _make_functions(cursor)
                changed.append(name)
                for line in lines:
                    cursor.execute(line)
        return changed


def _changes(model: type[models.Model], is_whole: bool, print_: str | None, is_on: bool) -> list[str]:
    name = model._meta.db_table
    try:
        policies = wanted(model)
    except NoPlace:
        policies = rules.NOBODY
    if policies is None:
        return [f"ALTER TABLE {name} DISABLE ROW LEVEL SECURITY"] if is_on else []
    if is_whole and print_ == rules.fingerprint(policies):
        return []
    return rules.statements(name, policies)


def _make_functions(cursor: Any) -> None:
    for text in rules.FUNCTIONS.values():
        cursor.execute(text)


def after_migrate(*, using: str, apps: Any = installed, **_kwargs: Any) -> None:
    """Raise the wall once the last app has migrated."""
    raise_wall(using, apps)
