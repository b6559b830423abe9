"""No trigger is ever ignored, and none has to ask whether it is.

Every function that django-pgtrigger makes asks another one, for each row, whether a setting of the session
names the trigger; that question opens a subtransaction. Nobody may pass by a trigger here, so the answer is
made a constant, which the planner folds away. Migrations that add triggers make the question anew, so this
is put right after each.
"""

from __future__ import annotations

from typing import Any

from django.db import connections

NEVER_IGNORED = """
    CREATE OR REPLACE FUNCTION public._pgtrigger_should_ignore(trigger_name name) RETURNS boolean
        LANGUAGE sql IMMUTABLE PARALLEL SAFE AS 'SELECT false'
"""


def after_migrate(*, using: str, **_kwargs: Any) -> None:
    """Answer the question once and for all, once the last app has migrated."""
    with connections[using].cursor() as cursor:
        cursor.execute(NEVER_IGNORED)
