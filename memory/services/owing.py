"""What a forgetting owes on disk: relations it touched, and files nothing shows any more."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from household.models import ForgetOwed
from household.services.erasing.owing import owe, relations_reached
from memory.models import FileOwed
from memory.services.exporting.withdrawing import withdraw_exports


def owe_reached(*, files: Iterable[str] = ()) -> ForgetOwed:
    """Owe all this transaction emptied, with the files of pictures let go and of exports made before."""
    withdrawn = withdraw_exports()
    return owe(relations=relations_reached(), files=[*files, *_let_go(), *withdrawn])


@transaction.atomic
def owe_files() -> ForgetOwed | None:
    """Owe the files of pictures that went with something else. None where there are none."""
    files = _let_go()
    return owe(relations=(), files=files) if files else None


def _let_go() -> list[str]:
    """The files that triggers noted, which are now owed with the rest; their notes go."""
    rows = list(FileOwed.objects.select_for_update().order_by("pk"))
    FileOwed.objects.filter(pk__in=[row.pk for row in rows]).delete()
    return [row.file for row in rows]
