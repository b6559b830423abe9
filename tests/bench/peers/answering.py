"""The peer's end of the pipes: answers questions of the bench, one line of JSON each.

Runs under a peer's own Python. What a library prints goes to standard error, so that it is no answer.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any


def answer(kinds: Mapping[str, Callable[..., Any]]) -> None:
    """Answer until there are no more questions: `["kind", {its arguments}]` asks, any JSON answers."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        kind, arguments = json.loads(line)
        out.write(json.dumps(kinds[kind](**arguments)) + "\n")
        out.flush()
