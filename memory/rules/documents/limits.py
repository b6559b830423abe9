"""How large a document may be, and what reading it may cost. A file past a limit is refused, with a code."""

from __future__ import annotations

MAX_BYTES = 50 * 1024 * 1024
MAX_PAGES = 400
MAX_PIXELS = 80_000_000  # of one image: a phone's largest photo, an A4 page at 800 dpi
MAX_TEXT = 4_000_000  # characters of one document
MAX_UNPACKED = 200 * 1024 * 1024  # of a packed file
MAX_RATIO = 200  # unpacked to packed, of a part that is large at all
MAX_PARTS = 4_000

MEMORY_BYTES = 1_400 * 1024 * 1024  # address space of the reading process, its libraries included
TEXT_CPU_S = 240
PAGE_CPU_S = 120
TEXT_WALL_S = 300.0
PAGE_WALL_S = 150.0
