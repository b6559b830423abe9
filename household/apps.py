"""The app's entry in Django's registry."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class HouseholdConfig(AppConfig):
    """Names the app, and guards word columns after every migration."""

    name = "household"

    def ready(self) -> None:
        """Hook the guard to Django's own end of migrating."""
        post_migrate.connect(_guard, sender=self, dispatch_uid="household_guard_columns")


def _guard(*, using: str, **kwargs: Any) -> None:
    from household.services.columns import after_migrate

    after_migrate(using=using, **kwargs)
