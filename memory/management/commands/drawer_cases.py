"""`manage.py drawer_cases FILE`: whether paraphrases land in one drawer of task memory."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory.management.scoring import ScoringCommand
from memory.rules.case_scores import score_drawers


class Command(ScoringCommand):
    """Score every case of a file, overall and by language."""

    def scored(self, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The report of these cases. Raises BadCase."""
        return score_drawers(cases)
