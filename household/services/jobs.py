"""Work as rows with a state: asked for once, claimed by one worker, done or failed with a code."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import transaction

from household.models import Job

# A worker that has had a job this long is taken for dead, and somebody else begins again.
LOST_AFTER = dt.timedelta(hours=2)
MOST_ATTEMPTS = 5


def ask_job(*, kind: str, target: str, now: dt.datetime, wake: Callable[[int], object] | None = None) -> Job:
    """Ask for a job; one that is open already is that one. `wake` is called with its number on commit."""
    with transaction.atomic():
        job, _is_new = Job.objects.get_or_create(
            kind=kind, target=target, state__in=["waiting", "running"], defaults={"due_at": now}
        )
        if wake is not None:
            transaction.on_commit(lambda: wake(job.pk))
    return job


def due_jobs(kind: str, *, now: dt.datetime) -> Iterator[int]:
    """Numbers of the jobs of a kind that are due, those of lost workers included; each is claimed once."""
    yield from (
        Job.objects.filter(kind=kind, state__in=["waiting", "running"], due_at__lte=now)
        .order_by("due_at")
        .values_list("pk", flat=True)
    )


def claim(pk: int, *, now: dt.datetime) -> Job | None:
    """Take a due job; None where somebody else has it, or it is done. A lost one is due again later."""
    with transaction.atomic():
        job = Job.objects.select_for_update(skip_locked=True).filter(pk=pk, due_at__lte=now).first()
        if job is None or job.state not in {"waiting", "running"}:
            return None
        job.state, job.attempts, job.due_at = "running", job.attempts + 1, now + LOST_AFTER
        job.save(update_fields=["state", "attempts", "due_at"])
    return job


@contextmanager
def working(job: Job, *, clock: Callable[[], dt.datetime]) -> Iterator[None]:
    """Do a claimed job inside this block: done at its end, and with a code where it raises."""
    try:
        yield
    except Exception as error:
        has_more = job.attempts < MOST_ATTEMPTS
        state = "waiting" if has_more else "failed"
        _end(job, state, code=type(error).__name__, now=clock())
        raise
    _end(job, "done", code="", now=clock())


def _end(job: Job, state: str, *, code: str, now: dt.datetime) -> None:
    pause = dt.timedelta(minutes=2**job.attempts)
    job.state, job.error_code = state, code[:60]
    job.finished_at = None if state == "waiting" else now
    job.due_at = now + pause if state == "waiting" else job.due_at
    job.save(update_fields=["state", "error_code", "finished_at", "due_at"])
