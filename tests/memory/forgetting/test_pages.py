"""The pages of forgetting: what is reached, doing it, the proof; only for parents."""

from __future__ import annotations

import pytest
from django.utils import timezone

from household.models import ForgetOwed, Heartbeat
from memory.models import Forgetting
from memory.rules.forgetting import Target
from memory.services.forgetting import asker, forget, look
from tests.makers import a_cat, a_membership, a_person, signed_in
from tests.memory.forgetting.test_forget import say
from twin.models import Record, Statement

pytestmark = pytest.mark.django_db
MOST_QUERIES = 10  # eight of every page; what is reached, and what it comes to


@pytest.fixture(autouse=True)
def a_worker(monkeypatch: pytest.MonkeyPatch):
    """The queue takes what is enqueued; nothing of it runs here."""
    from household.queue import queue

    monkeypatch.setattr(queue, "enqueue", lambda task: None)
    Heartbeat.objects.update_or_create(worker="w", defaults={"at": timezone.now()})


def test_a_parent_sees_what_would_be_reached_and_what_stays():
    mavi = a_cat()
    turn = say(mavi, "she vomited twice")
    page = signed_in(a_person()).get(f"/forget/turn/{turn}")
    text = page.content.decode()
    assert page.status_code == 200
    assert "1 thing somebody said" in text and "1 record that goes" in text
    assert "Backups made before now" in text and "Freed blocks" in text
    assert Statement.objects.exists()


def test_posted_it_happens_and_the_proof_says_what_went_and_what_is_owed():
    mavi = a_cat()
    turn = say(mavi, "zqxword she vomited twice")
    browser = signed_in(a_person())
    sent = {"client_id": "one", "sure": "yes"}
    answer = browser.post(f"/forget/turn/{turn}", sent)
    done = Forgetting.objects.get()
    assert answer.status_code == 302 and answer["Location"] == f"/forgotten/{done.gid}"
    page = browser.get(answer["Location"]).content.decode()
    assert "1 thing somebody said" in page and "being written over now" in page and "zqxword" not in page
    assert not Statement.objects.exists() and not Record.objects.exists()


def test_a_double_post_is_one_forgetting():
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    browser = signed_in(a_person())
    sent = {"client_id": "one", "sure": "yes"}
    first, second = (browser.post(f"/forget/turn/{turn}", sent) for _ in range(2))
    assert first["Location"] == second["Location"]
    assert Forgetting.objects.count() == ForgetOwed.objects.count() == 1


@pytest.mark.parametrize("sent", [{}, {"client_id": "one"}, {"sure": "yes"}])
def test_without_being_sure_nothing_is_forgotten(sent):
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    answer = signed_in(a_person()).post(f"/forget/turn/{turn}", sent)
    assert answer.status_code == 422 and "Tick the box first" in answer.content.decode()
    assert Statement.objects.exists()


def test_another_family_and_who_is_no_parent_find_nothing():
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    eve = a_person("Eve")
    a_cat(eve, "Rex")
    vet = a_person("Dr. Vogel")
    a_membership(vet, mavi, "vet")
    for person in (eve, vet):
        browser = signed_in(person)
        assert browser.get(f"/forget/turn/{turn}").status_code == 404
        assert browser.post(f"/forget/turn/{turn}", {"client_id": "x", "sure": "yes"}).status_code == 404
    assert Statement.objects.exists() and not Forgetting.objects.exists()


def test_the_proof_is_for_the_parents_of_the_subject():
    mavi = a_cat()
    browser = signed_in(a_person())
    turn = say(mavi, "she vomited")
    url = browser.post(f"/forget/turn/{turn}", {"client_id": "one", "sure": "yes"})["Location"]
    ben, eve = a_person("Ben"), a_person("Eve")
    a_membership(ben, mavi, "parent")
    a_cat(eve, "Rex")
    assert signed_in(ben).get(url).status_code == 200
    assert signed_in(eve).get(url).status_code == 404


def test_what_is_also_about_somebody_elses_animal_is_refused():
    mavi, ben = a_cat(), a_person("Ben")
    rex = a_cat(ben, "Rex")
    turn = say(mavi, "she vomited")
    Statement.objects.create(
        subject=rex,
        author=ben,
        client_id="x",
        turn=turn,
        text="Rex too",
        said_at=timezone.now(),
        local_day=timezone.now().date(),
    )
    answer = signed_in(a_person()).post(f"/forget/turn/{turn}", {"client_id": "one", "sure": "yes"})
    assert answer.status_code == 409 and Statement.objects.count() == 2


@pytest.mark.parametrize("path", ["turn/nowhere", "record/0", "day/2020-13-01", "poem/1", "subject/999"])
def test_what_is_not_there_is_404(path):
    a_cat()
    assert signed_in(a_person()).get(f"/forget/{path}").status_code == 404


@pytest.mark.parametrize(
    ("state", "waiting", "says"),
    [
        ("owed", [{"what": "session", "number": 7}], "somebody who reads the database just now"),
        ("owed", [{"what": "busy", "number": 0}], "a backup, or another clean-up"),
        ("done", [], "No file holds it any more"),
        ("asked", [], "it cannot tell us"),
    ],
)
def test_the_proof_tells_how_far_the_bytes_are(state, waiting, says):
    mavi = a_cat()
    browser = signed_in(a_person())
    turn = say(mavi, "she vomited")
    url = browser.post(f"/forget/turn/{turn}", {"client_id": "one", "sure": "yes"})["Location"]
    ends = None if state == "owed" else timezone.now()
    ForgetOwed.objects.update(state=state, waiting=waiting, done_at=ends)
    assert says in browser.get(url).content.decode()
    part = browser.get(url, headers={"HX-Request": "true"}).content.decode()
    assert says in part and "<html" not in part and ("hx-trigger" in part) == (state == "owed")
    assert ('data-said="No file holds it any more."' in part) == (state == "done")


def test_a_look_asks_as_much_of_a_long_history_as_of_a_short_one(django_assert_max_num_queries):
    mavi = a_cat()
    turn = say(mavi, "she vomited")
    for _more in range(12):
        say(mavi, "she vomited and her ears are red")
    browser = signed_in(a_person())
    with django_assert_max_num_queries(MOST_QUERIES):
        browser.get(f"/forget/turn/{turn}")


@pytest.mark.parametrize("kind", ["turn", "statement", "record", "day", "subject"])
def test_what_the_look_counts_is_what_goes(kind):
    mavi, ana = a_cat(), a_person()
    turn = say(mavi, "she vomited and her left ear is red")
    say(mavi, "she vomited twice")
    statement = Statement.objects.get(turn=turn)
    keys = {
        "turn": turn,
        "statement": statement.pk,
        "record": Record.objects.order_by("pk").first().pk,
        "day": statement.local_day,
        "subject": mavi.pk,
    }
    target, now = Target(kind, str(keys[kind])), timezone.now()
    counted = look(target, asker(ana, now=now)).counts.as_json()
    assert counted["twin.Statement"] > 0
    done = forget(target, person=ana, client_id="one", now=now).counts
    assert {label: done.get(label) for label in counted} == counted
