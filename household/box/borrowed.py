"""The embedded database for one command: the one `up` runs, or one of its own for as long as it takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext, suppress

from household.box import places
from household.box.cluster import Cluster
from household.box.supervisor import AlreadyRuns, held, run_prepare
from household.box.trouble import Trouble

# Commands that work without a database, or bring their own.
WITHOUT = {
    "check",
    "collectstatic",
    "compilemessages",
    "diffsettings",
    "help",
    "makemessages",
    "makemigrations",
    "up",
    "words",
    "worker",
}
# Commands that also work beside a database of a newer build, which cannot be prepared.
UNPREPARED = {"restore", "schema"}


@contextmanager
def database_for(arguments: Sequence[str]) -> Iterator[None]:
    """A migrated database runs inside this block if the command needs the embedded one. Raises Trouble."""
    is_needed = bool(arguments) and not arguments[0].startswith("-") and arguments[0] not in WITHOUT
    if not is_needed or os.environ.get("DATABASE_URL") or os.environ.get("OWNER_DATABASE_URL"):
        yield
        return
    house = places.home()
    places.open_home(house)
    with ExitStack() as borrowed:
        with suppress(AlreadyRuns):
            borrowed.enter_context(held(house))
            cluster = Cluster(house)
            borrowed.callback(cluster.stop)
            cluster.start()
            with suppress(Trouble) if arguments[0] in UNPREPARED else nullcontext():
                run_prepare(house)
            os.environ[places.BORROWED] = "yes"
        yield
