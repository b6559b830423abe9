"""`manage.py complexity_cases FILE`: how well questions are told apart by the thought they need."""

from collections.abc import Mapping, Sequence
from typing import Any

from memory.management.scoring import ScoringCommand
from memory.rules.case_scores import score_complexity


class Command(ScoringCommand):
    """Score every case of a file, overall and by language."""

    def scored(self, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """The report of these cases. Raises BadCase."""
        return score_complexity(cases)
