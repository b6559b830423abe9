"""What was read of one page, as the reading process says it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True)
class PageText:
    """One page: its text, what of it nobody sees, notes beside it; `needs_ocr` where it is a picture."""

    page: int
    source: str  # layer, form, ocr, docx, txt
    text: str = ""
    hidden: str = ""
    comments: str = ""
    confidence: int | None = None
    needs_ocr: bool = False
    unsure: tuple[tuple[int, int], ...] = ()  # where in the text words stand that may be others

    def as_json(self) -> dict[str, Any]:
        """The same as a message between two processes."""
        return asdict(self)
