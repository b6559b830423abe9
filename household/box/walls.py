"""The second wall: whether the web process really runs as a role that row-level security binds."""

from __future__ import annotations

import os

VARIABLE = "HEARTHBOOK_SECOND_WALL"
# True where row-level security does not bind the current role to some table of ours.
UNBOUND = """
    SELECT rolsuper OR rolbypassrls OR EXISTS (
        SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p')
            AND pg_has_role(current_user, c.relowner, 'USAGE'))
    FROM pg_roles WHERE rolname = current_user
"""


def second_wall_is_up() -> bool:
    """Whether `up` could give the web a role of its own; it says `off` where the server would not let it."""
    return os.environ.get(VARIABLE, "on") != "off"


def refuse_owner() -> None:
    """End a web process that row-level security would not bind, unless `up` announced it. Needs Django."""
    from django.core.exceptions import ImproperlyConfigured
    from django.db import connection

    if not second_wall_is_up():
        return
    with connection.cursor() as cursor:
        cursor.execute(UNBOUND)
        (is_unbound,) = cursor.fetchone()
    connection.close()
    if is_unbound:
        raise ImproperlyConfigured(
            "The web process must not connect as the database's owner or a superuser: start it with `up`, "
            "or give DATABASE_URL the web role and OWNER_DATABASE_URL the owner."
        )
