"""What a forgetting does to exports: a file made before it holds what is gone, so nobody fetches it again."""

from __future__ import annotations

from household.models import Export

OVERTAKEN = "overtaken"  # an export under way saw the book as it was before something was forgotten


def withdraw_exports() -> list[str]:
    """Take every finished export away, in the forgetting's own transaction; gives the files, which are owed.

    An export that is just being made begins anew.
    """
    Export.objects.filter(state="waiting").update(error_code=OVERTAKEN)
    made = list(Export.objects.select_for_update().filter(state="done").order_by("pk"))
    Export.objects.filter(pk__in=[row.pk for row in made]).update(state="gone", stored="")
    return [row.stored for row in made]
