"""What `make test` runs of that which takes long: another slice each day, so that some days run all of it.

The number of the slice stands at the head of every run; `HEARTHBOOK_SLICE` runs the same one again. What is
one in n comes by turns: n days in a row run everything, and `make test-long` runs everything at once. Whole
tests come by turns as well (`tests/turns.py`).
"""

from __future__ import annotations

import datetime as dt
import os
import zlib

IS_LONG = os.environ.get("HYPOTHESIS_PROFILE") == "nightly" or os.environ.get("HEARTHBOOK_LONG") == "1"
# Kept where the processes of one run look for it, so that they agree at midnight too.
SLICE = int(os.environ.setdefault("HEARTHBOOK_SLICE", str(dt.date.today().toordinal())))

# A test that takes long comes on one day of so many.
DAYS = 7


def is_turn(number: int, *, one_in: int) -> bool:
    """Whether it is the turn of this one, out of each `one_in` with numbers that follow each other.

    A test that comes by turns itself gets to all of them too, as long as no divisor is common to both.
    """
    assert one_in % DAYS != 0, f"one in {one_in} of a test that comes every {DAYS} days"
    return IS_LONG or (number + SLICE) % one_in == 0


def is_drawn(name: str, *, one_in: int) -> bool:
    """Whether it is the turn of what has this name; names alike have turns that are not."""
    return is_turn(number_of(name), one_in=one_in)


def number_of(name: str) -> int:
    """A name as a number: always the same, and as good as drawn."""
    return zlib.crc32(name.encode())
