"""A row of a list is one stop for the Tab key: its title leads to the record, the number is seen."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client
from django.utils import timezone

from memory.services.turns import tell
from tests.makers import a_child, a_membership, a_person, a_record, signed_in
from twin.models import Subject
from twin.services.days import day_of

pytestmark = pytest.mark.django_db


def rows(browser: Client, path: str) -> list[str]:
    """The rows of a page that stand for records."""
    page = browser.get(path).content.decode()
    found = re.findall(r'<li class="mark.*?</li>|<article class="card entry.*?</article>', page, re.DOTALL)
    assert found, path
    return found


@pytest.fixture
def leo() -> Subject:
    """A child with a record of today, and Dr. Ito, who may see it."""
    leo = a_child(a_person("Ana"))
    a_record(leo, "ears", day=day_of(leo, timezone.now()))
    a_membership(a_person("Dr. Ito"), leo, "therapist")
    return leo


@pytest.mark.parametrize("who, path", [("Ana", "/"), ("Ana", "/book/{}"), ("Dr. Ito", "/caseload")])
def test_no_row_leads_twice_to_the_same_place(leo: Subject, who: str, path: str) -> None:
    for row in rows(signed_in(a_person(who)), path.format(leo.pk)):
        links = Counter(re.findall(r'href="([^"]+)"', row))
        assert [one for one, times in links.items() if times > 1] == []
        assert [one for one in links if "/r/rec_" in one]


@pytest.mark.parametrize("who, path", [("Ana", "/book/{}"), ("Dr. Ito", "/caseload")])
def test_the_number_of_a_record_is_seen_and_not_read_out(leo: Subject, who: str, path: str) -> None:
    every = "".join(rows(signed_in(a_person(who)), path.format(leo.pk)))
    assert re.search(r'<span class="rec" aria-hidden="true">rec_\d+</span>', every)


def test_what_was_just_told_leads_once_to_its_record(leo: Subject) -> None:
    ana, now = a_person("Ana"), timezone.now()
    told = tell(person=ana, text="he vomited", client_id="c", now=now, subject_id=leo.pk)
    for row in rows(signed_in(ana), f"/turns/{told.turn}"):
        assert len(re.findall(r'href="/r/rec_', row)) == 1


def test_what_stands_in_a_row_ends_before_what_was_checked(leo: Subject) -> None:
    today = day_of(leo, timezone.now())
    a_record(leo, "sleep", day=today, lifecycle="active", opened_on=today)
    open_row, other = sorted(
        rows(signed_in(a_person("Ana")), f"/book/{leo.pk}"), key=lambda row: "Open" not in row
    )
    assert re.search(r'Open</span>\s*<span class="visually-hidden">\. </span>', open_row)
    assert '">. </span>' not in other
