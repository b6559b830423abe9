"""Pages of a book of twelve: its first subject has ten years of daily logs, or one month, and a bare page.

Served as the web role through Django's own handler, alternating between the books. CPU is this process's and
its database backend's together.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from tests.bench.bases import WARM, cloned, spent_ms, web_role
from tests.bench.figures import Samples

YEARS, QUICK_DAYS, MONTH, FURTHER = 3652, 180, 30, 11
ROUNDS = 30
ZONE = "Europe/Istanbul"


def samples(*, quick: bool) -> Samples:
    """CPU and wall milliseconds of each page, of the same page in a month-old book, of a bare one."""
    with cloned():
        return measured(days=QUICK_DAYS if quick else YEARS, rounds=4 if quick else ROUNDS)


def measured(*, days: int, rounds: int) -> Samples:
    """Every page in turn, round after round."""
    from tests.makers import signed_in

    pages: dict[str, Callable[[], Any]] = {}
    for tail, count, name in (("", days, "Ana"), (".month", MONTH, "Ben")):
        parent, subjects = furnished(name, [count, *[MONTH] * FURTHER])
        client = signed_in(parent)
        for page, path in paths(subjects[0]).items():
            pages[f"page.{page}{tail}"] = lambda client=client, path=path: client.get(path)  # type: ignore[misc]
    pages["page.bare"] = bare_page()
    found: Samples = {"page.queries": [float(max(queries(page) for page in pages.values()))]}
    with web_role():
        for number in range(rounds + WARM):
            for name, page in pages.items():
                wall, cpu = spent_ms(page)
                if number >= WARM:
                    found.setdefault(f"{name}.wall", []).append(wall)
                    found.setdefault(f"{name}.cpu", []).append(cpu)
    return found


def furnished(name: str, days: list[int]) -> tuple[Any, list[Any]]:
    """A parent with subjects of so many days each, as the nights would have left them."""
    from django.db import connection
    from django.utils import timezone

    from household.models import Heartbeat, Household
    from memory.services.demo.scale import add_scale
    from tests.makers import a_household, a_person

    if not Household.objects.exists():
        a_household()
    now = timezone.now()
    parent = a_person(name)
    subjects = add_scale(
        people=[(parent, "parent")], days=days, today=now.date(), seed=1, language="en", zone=ZONE
    )
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": now + dt.timedelta(days=1)})
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return parent, subjects


def paths(subject: Any) -> dict[str, str]:
    """The pages, for one subject."""
    from twin.models import Record

    newest = Record.objects.filter(subject=subject, lifecycle="day").order_by("-day").first()
    assert newest is not None
    return {
        "today": "/",
        "subject": f"/book/{subject.pk}",
        "record": f"/r/{newest.rec_id}",
        "caseload": "/caseload",
    }


def bare_page() -> Callable[[], Any]:
    """Django with nothing of ours: one query, fifty rows, one template."""
    from django.contrib.contenttypes.models import ContentType
    from django.http import HttpResponse
    from django.template import Context, Engine
    from django.test import RequestFactory

    template = Engine().from_string(
        "<ul>{% for one in rows %}<li>{{ one.app_label }} {{ one.model }}{% endfor %}</ul>"
    )
    factory = RequestFactory()

    def page() -> HttpResponse:
        factory.get("/")
        return HttpResponse(template.render(Context({"rows": ContentType.objects.order_by("id")[:50]})))

    return page


def queries(page: Callable[[], Any]) -> int:
    """How many queries one page asks, once warm, and that it answers."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    with web_role():
        page()
        with CaptureQueriesContext(connection) as asked:
            answer = page()
    assert getattr(answer, "status_code", 200) == 200, answer
    return sum("SELECT" in one["sql"] or "UPDATE" in one["sql"] for one in asked.captured_queries)
