"""The first migration of an app: all of its tables at once.

Django renders every model anew after each operation. For some eighty tables with their triggers that took
longer than everything else of a first start; here all tables enter the state first and are rendered once.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState

HANGS = """
DO $$
DECLARE
    held record;
BEGIN
    SELECT c.conname, pg_get_constraintdef(c.oid) AS text INTO STRICT held
        FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        WHERE c.contype = 'f' AND c.conrelid = '{table}'::regclass AND a.attname = '{column}';
    EXECUTE format('ALTER TABLE {table} DROP CONSTRAINT %I, ADD CONSTRAINT %I %s', held.conname, held.conname,
        replace(regexp_replace(held.text, ' ON DELETE (CASCADE|SET NULL)', ''), ' DEFERRABLE',
            ' ON DELETE {action} DEFERRABLE'));
END $$;
"""


class Tables(migrations.Migration):
    """A migration that only creates models, which may point at each other in any order.

    Triggers stand in a model's options beside its constraints and indexes.
    """

    initial = True

    def apply(
        self, project_state: ProjectState, schema_editor: BaseDatabaseSchemaEditor, collect_sql: bool = False
    ) -> ProjectState:
        """Create the tables of all operations, then their triggers."""
        project_state.__dict__.pop("apps", None)
        before = project_state.clone()
        for operation in self.operations:
            operation.state_forwards(self.app_label, project_state)
        for operation in self.operations:
            operation.database_forwards(self.app_label, schema_editor, before, project_state)
        for operation in self.operations:
            if not isinstance(operation, migrations.CreateModel):
                raise TypeError(f"{self.app_label}: the first migration creates models, and nothing else.")
            for trigger in operation.options.get("triggers", ()):
                schema_editor.execute(trigger.install_sql, params=None)
        return project_state


def cascade(table: str, column: str, action: str = "CASCADE") -> migrations.RunSQL:
    """Have the database itself do this to the rows of a foreign key when the row they point to goes."""
    return migrations.RunSQL(
        HANGS.replace("{table}", table).replace("{column}", column).replace("{action}", action),
        migrations.RunSQL.noop,
    )
