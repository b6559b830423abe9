"""The app's entry in Django's registry."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class HouseholdConfig(AppConfig):
    """Names the app; after every migration guards word columns, counts writes and raises the second wall."""

    name = "household"

    def ready(self) -> None:
        """Hook them to Django's own end of migrating."""
        post_migrate.connect(_guard, sender=self, dispatch_uid="household_guard_columns")
        post_migrate.connect(_count, sender=self, dispatch_uid="household_count_writes")
        post_migrate.connect(_ignore_no_trigger, sender=self, dispatch_uid="household_ignore_no_trigger")
        post_migrate.connect(_raise_wall, sender=self, dispatch_uid="household_raise_wall")


def _guard(*, using: str, **kwargs: Any) -> None:
    from household.services.columns import after_migrate

    after_migrate(using=using, **kwargs)


def _count(*, using: str, **kwargs: Any) -> None:
    from household.services.erasing.untouched import after_migrate

    after_migrate(using=using, **kwargs)


def _ignore_no_trigger(*, using: str, **kwargs: Any) -> None:
    from household.services.unignored import after_migrate

    after_migrate(using=using, **kwargs)


def _raise_wall(*, using: str, **kwargs: Any) -> None:
    from household.services.policies import after_migrate

    after_migrate(using=using, **kwargs)
