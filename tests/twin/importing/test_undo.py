"""An import taken back takes the children along that it made, where nothing else is written about them."""

from __future__ import annotations

import datetime as dt

import pytest

from memory.services.turns import tell
from tests.makers import a_child, a_membership, a_person, now, signed_in
from tests.memory.papers.making import handed_in as a_paper
from tests.twin.importing.test_import_pages import brought_in, handed_in, rows
from twin.models import Record, Subject, Trackable, TrackableSubject
from twin.services.rounds.run import catch_up
from twin.services.subjects import change_profile

pytestmark = pytest.mark.django_db


def a_night(subject):
    """What stands about a person although nobody wrote a word: a round, and a look at the page."""
    assert list(catch_up(subject, now=now() + dt.timedelta(days=2)))


def test_taken_back_the_children_it_made_go_too_and_can_come_again():
    ana = a_person()
    a_child(ana)
    client = signed_in(ana)
    batch = brought_in(client, handed_in(client), "new")
    mia = Subject.objects.get(name="Mia Oak")
    a_night(mia)
    client.get(f"/book/{mia.pk}")
    assert client.post(f"/system/import/{batch.pk}/undo").status_code == 302
    assert list(Subject.objects.values_list("name", flat=True)) == ["Leo"]
    assert rows() == [0] * 6
    brought_in(client, handed_in(client), "new")
    assert Subject.objects.get(name="Mia Oak").pk > mia.pk


STEPS = [{"key": "steps", "name": "Steps", "kind": "number"}]
WROTE = {
    "told": lambda mia, ana: tell(
        person=ana, text="coughed at night", client_id="one", now=now(), subject_id=mia.pk
    ),
    "shared": lambda mia, ana: a_membership(a_person("Gil"), mia, "family"),
    "profile": lambda mia, ana: change_profile(profile=mia.person, now=now(), sensory="hates loud noise"),
    "paper": lambda mia, ana: a_paper(b"A letter about her.", mia, ana, name="letter.txt"),
    "counted": lambda mia, ana: TrackableSubject.objects.create(
        trackable=Trackable.objects.create(author=ana, client_id="own", name="Steps", fields=STEPS),
        subject=mia,
    ),
}


@pytest.mark.parametrize("what", WROTE)
def test_a_child_about_whom_more_is_written_stays_and_it_is_said(what):
    ana = a_person()
    a_child(ana)
    client = signed_in(ana)
    batch = brought_in(client, handed_in(client), "new")
    WROTE[what](Subject.objects.get(name="Mia Oak"), ana)
    page = client.post(f"/system/import/{batch.pk}/undo", follow=True).content.decode()
    assert "Mia Oak stays in the book" in page
    assert Subject.objects.filter(name="Mia Oak").exists()
    assert not Record.objects.filter(provenance="import").exists()
