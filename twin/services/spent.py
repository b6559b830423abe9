"""Client ids whose words were forgotten."""

from __future__ import annotations

from collections.abc import Iterable

from household.access import Denied
from twin.models import SpentId


class Forgotten(Denied):
    """What is sent again was forgotten, and stays so: it is not there any more."""


def refuse_spent(*, author_id: int | None, client_id: str) -> None:
    """Pass for a client id that is still good. Raises Forgotten."""
    if SpentId.objects.filter(author=author_id, client_id=client_id).exists():
        raise Forgotten


def spend(used: Iterable[tuple[int | None, str]]) -> None:
    """Use these client ids up for good, each given with its author."""
    rows = [
        SpentId(author_id=author, client_id=client_id) for author, client_id in sorted(set(used), key=str)
    ]
    SpentId.objects.bulk_create(rows, ignore_conflicts=True)
