"""Every page of a subject that a professional opens is written down once; a parent reads it."""

from __future__ import annotations

import pytest
from django.utils import timezone

from household.models import AccessLog, Heartbeat
from household.rules.permissions import Resource
from household.services.looks import note_look
from tests.makers import a_cat, a_child, a_membership, a_person, a_record, now, signed_in
from tests.security.addresses import Address, addresses, url_of
from tests.security.expectations import PAGES, Page
from tests.security.world import World, a_world, may

pytestmark = pytest.mark.django_db
# Pages of subjects that show what one may add and nothing that was noted.
SHOW_NOTHING = {"twin:form-show", "twin:event-add", "twin:school-show", "twin:school-tap"}
# Parts of a page that was written down when it was opened.
PARTS = {"memory:document-progress"}


def looked_at() -> list[tuple[Address, Page]]:
    """Every page about one subject that a vet may read."""
    return [
        (address, page)
        for address in addresses()
        for page in PAGES.get(address.name, ())
        if page.method == "GET" and "view" in page.needs and address.name not in SHOW_NOTHING | PARTS
    ]


def test_each_page_a_professional_opens_is_written_down_once():
    world: World = a_world()
    Heartbeat.objects.create(worker="w", at=timezone.now())
    vet = signed_in(world.people["vet"])
    mavi = world.subjects["Mavi"]
    opened, wrong = 0, []
    AccessLog.objects.all().delete()
    for address, page in looked_at():
        response = vet.get(url_of(address, page, world.flock, mavi))
        looks = AccessLog.objects.filter(person=world.people["vet"])
        kinds = list(looks.values_list("resource", flat=True))
        if response.status_code == 200:
            opened += 1
            if {one.subject_id for one in looks} != {mavi.pk} or len(kinds) != len(set(kinds)):
                wrong.append(f"{address.name}: {kinds}")
        elif looks.exists():
            wrong.append(f"{address.name}: {response.status_code} and a look")
        AccessLog.objects.all().delete()
    assert not wrong, "\n".join(wrong)
    assert opened > 10
    assert may("vet", "Mavi", "view", "observation", {})


@pytest.mark.parametrize("viewer", ["parent", "family"])
def test_a_look_of_the_family_leaves_no_trace(viewer: str):
    world = a_world()
    AccessLog.objects.all().delete()
    client = signed_in(world.people[viewer])
    for address, page in looked_at():
        client.get(url_of(address, page, world.flock, world.subjects["Leo"]))
    assert not AccessLog.objects.exists()


def test_a_parent_reads_who_looked_at_what():
    leo = a_child()
    record = a_record(leo)
    ito = a_person("Dr. Ito")
    a_membership(ito, leo, "therapist")
    assert b"Nobody looked yet" in signed_in(a_person("Ana")).get(f"/book/{leo.pk}/looks").content
    signed_in(ito).get(f"/r/{record.rec_id}")
    page = signed_in(a_person("Ana")).get(f"/book/{leo.pk}/looks").content.decode()
    assert "Dr. Ito" in page and record.rec_id in page and "Observations" in page


@pytest.mark.parametrize("role", ["family", "child", "therapist", "teacher"])
def test_only_parents_read_it(role: str):
    leo = a_child()
    ben = a_person("Ben")
    a_membership(ben, leo, role)
    assert signed_in(ben).get(f"/book/{leo.pk}/looks").status_code == 404


def test_the_log_is_paged_and_holds_one_subjects_looks():
    leo, mavi = a_child(), a_cat()
    ito = a_person("Dr. Ito")
    for subject in (leo, mavi):
        a_membership(ito, subject, "therapist")
    for number in range(60):
        note_look(
            person=ito,
            subject_id=leo.pk,
            resource=Resource.OBSERVATION,
            now=now(),
            row_ids=[f"rec_{number:06d}"],
        )
    note_look(
        person=ito, subject_id=mavi.pk, resource=Resource.OBSERVATION, now=now(), row_ids=["rec_777777"]
    )
    ana = signed_in(a_person("Ana"))
    first, second = (ana.get(f"/book/{leo.pk}/looks?page={n}").content.decode() for n in (1, 2))
    assert "rec_000059" in first and "rec_000009" not in first
    assert "rec_000009" in second and "rec_000059" not in second
    assert "rec_777777" not in first + second
