"""The child's memories on pages: cards, days, older words, putting away and bringing back."""

import datetime as dt
from dataclasses import replace

import pytest
from django.utils import timezone

from memory import models
from memory.rules.merge import Memory, Mention, PictureLink, StoreDoc, difference, edit_text, merge_memory
from memory.services.store.reading import memories_of
from memory.services.store.writing import write
from tests.makers import a_child, a_membership, a_person, signed_in
from tests.twin.course_makers import queries_of
from tests.wire import a_device

pytestmark = pytest.mark.django_db

MARCH = int(dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC).timestamp() * 1000)
DAY = 86_400_000
HTMX = {"HX-Request": "true"}


def told(child, gid="m1", text="I like herons", **fields):
    """A memory as a device told it; its row."""
    values = {"learned_at_ms": MARCH, "mentions": frozenset({Mention(MARCH, "tablet", "t1")}), **fields}
    document = Memory(gid, text, **values)
    held = StoreDoc()
    write(difference(held, StoreDoc(memories={gid: document})), held, subject_id=child.pk)
    return models.Memory.objects.get(gid=gid)


def document(row):
    return memories_of([models.Memory.objects.get(pk=row.pk)])[row.gid]


@pytest.fixture
def leo():
    return a_child(a_person("Ana"), "Leo")


@pytest.fixture
def ana(leo):
    return signed_in(a_person("Ana"))


def test_a_card_shows_its_words_and_every_day_it_was_told_on(leo, ana):
    told(leo, mentions=frozenset(Mention(MARCH + days * DAY, "tablet", f"t{days}") for days in (0, 2, 9)))
    text = ana.get("/memories/").content.decode()
    assert "I like herons" in text
    assert all(day in text for day in ("10 Mar 2026", "12 Mar 2026", "19 Mar 2026"))


def test_cards_come_in_pages_at_a_constant_cost(leo, ana):
    told(leo, "m0")
    few = queries_of(ana, "/memories/")
    for number in range(1, 40):
        told(leo, f"m{number}", f"word{number:02}!", learned_at_ms=MARCH + number)
    assert queries_of(ana, "/memories/") == few <= 10
    first = ana.get("/memories/").content.decode()
    url = first.split('class="sentinel" hx-get="')[1].split('"')[0].replace("&amp;", "&")
    second = ana.get(url).content.decode()
    seen = [[n for n in range(1, 40) if f"word{n:02}!" in text] for text in (first, second)]
    assert sorted(seen[0] + seen[1]) == list(range(1, 40)) and len(seen[0]) == 24
    assert queries_of(ana, f"/memories/{models.Memory.objects.first().pk}") <= 10


def test_parents_see_the_older_words_and_nobody_else_does(leo, ana):
    row = told(leo)
    ana.post(f"/memories/{row.pk}/words", {"text": "I like storks"})
    assert "I like herons" in ana.get(f"/memories/{row.pk}").content.decode()
    ito = a_person("Dr. Ito")
    a_membership(ito, leo, "therapist")
    text = signed_in(ito).get(f"/memories/{row.pk}").content.decode()
    assert "I like storks" in text and "I like herons" not in text
    assert "/words" not in text and "/away" not in text and "/forget/" not in text


def test_an_edit_is_a_stamp_that_merges_as_any_holder_s(leo, ana):
    row = told(leo)
    before = document(row)
    assert ana.post(f"/memories/{row.pk}/words", {"text": "  I like\n storks "}).status_code == 302
    after = document(row)
    assert after.text == "I like storks" and after.text_at_ms > 0
    assert [(one.text, one.device) for one in after.revisions] == [("I like herons", "home")]
    offline = edit_text(before, "I like cranes", at_ms=1, device="tablet")
    assert merge_memory(after, offline).text == "I like storks"
    assert row.change < models.Memory.objects.get(pk=row.pk).change


def test_saving_the_same_words_twice_is_one_revision(leo, ana):
    row = told(leo)
    for _ in range(2):
        ana.post(f"/memories/{row.pk}/words", {"text": "I like storks"})
    assert models.MemoryRevision.objects.count() == 1


@pytest.mark.parametrize("text", ["", "   ", "x" * 2001])
def test_no_words_or_too_many_are_refused_and_what_was_typed_stays(leo, ana, text):
    row = told(leo)
    response = ana.post(f"/memories/{row.pk}/words", {"text": text})
    assert response.status_code == 422 and "Write some words" in response.content.decode()
    assert text.strip() in response.content.decode() and document(row).text == "I like herons"


def test_put_away_can_be_undone_for_eight_seconds(leo, ana):
    row = told(leo)
    text = ana.post(f"/memories/{row.pk}/away", headers=HTMX).content.decode()
    assert document(row).hidden and 'data-seconds="8"' in text
    undo = text.split('hx-post="')[1].split('"')[0]
    assert "I like herons" in ana.post(undo, headers=HTMX).content.decode()
    assert not document(row).hidden
    assert ana.post(undo, headers=HTMX).status_code == 409  # it is spent


def test_after_eight_seconds_undo_is_refused_and_bringing_back_is_not(leo, ana, monkeypatch):
    row = told(leo)
    undo = ana.post(f"/memories/{row.pk}/away", headers=HTMX).content.decode().split('hx-post="')[1]
    later = timezone.now() + dt.timedelta(seconds=9)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    response = ana.post(undo.split('"')[0], headers=HTMX)
    assert response.status_code == 409 and document(row).hidden
    assert "I like herons" in ana.get("/memories/?show=away").content.decode()
    assert "I like herons" not in ana.get("/memories/").content.decode()
    assert ana.post(f"/memories/{row.pk}/restore").status_code == 302
    assert not document(row).hidden


def test_whoever_was_at_the_message_when_the_eight_seconds_ended_may_still_undo(leo, ana, monkeypatch):
    row = told(leo)
    undo = ana.post(f"/memories/{row.pk}/away", headers=HTMX).content.decode().split('hx-post="')[1]
    later = timezone.now() + dt.timedelta(seconds=90)
    monkeypatch.setattr("django.utils.timezone.now", lambda: later)
    assert ana.post(undo.split('"')[0], {"held_s": "0"}, headers=HTMX).status_code == 409
    assert ana.post(undo.split('"')[0], {"held_s": "85"}, headers=HTMX).status_code == 200
    assert not document(row).hidden


def test_put_away_and_back_work_without_script_and_are_journalled_once(leo, ana):
    row = told(leo)
    assert ana.post(f"/memories/{row.pk}/away").status_code == 302
    for _ in range(2):
        assert ana.post(f"/memories/{row.pk}/restore").status_code == 302
    events = list(models.JournalLine.objects.order_by("seq").values_list("envelope__event", flat=True))
    assert events == ["PutAway", "Restored"]


def test_a_star_and_a_picture_show_and_only_who_may_see_gets_the_bytes(leo, ana):
    picture = PictureLink(0, "p1.png")
    row = told(leo, pictures=(picture,), cover_picture="p1.png", cover_at_ms=MARCH)
    tablet = a_device(a_person("Ana"), leo)
    import io

    from PIL import Image

    drawn = io.BytesIO()
    Image.new("RGB", (8, 8), (200, 30, 30)).save(drawn, "PNG")
    tablet.ask("PUT", "pictures/p1.png", drawn.getvalue())
    text = ana.get("/memories/").content.decode()
    assert "/pictures/p1.png" in text and "Starred" in text
    response = ana.get("/pictures/p1.png")
    assert response.status_code == 200 and response["Content-Type"] == "image/png"
    assert "no-store" in response["Cache-Control"]
    assert signed_in(a_person("Eve")).get("/pictures/p1.png").status_code == 404
    assert replace(document(row), embeddings=frozenset()).cover_picture == "p1.png"


def test_another_family_finds_nothing_and_may_do_nothing(leo):
    row = told(leo)
    a_child(a_person("Olga"), "Zoe")
    olga, ben = signed_in(a_person("Olga")), signed_in(a_person("Ben"))
    a_membership(a_person("Ben"), leo, "family", overrides={"memory:view": True})
    assert "herons" not in olga.get("/memories/").content.decode()
    assert "herons" in ben.get("/memories/").content.decode()
    assert olga.get(f"/memories/{row.pk}").status_code == 404
    for client in (olga, ben):
        for path in ("away", "restore", "words", "undo/x"):
            assert client.post(f"/memories/{row.pk}/{path}", {"text": "mine"}).status_code == 404
    assert document(row).text == "I like herons"


def test_each_card_is_named_by_its_words(leo):
    row = told(leo)
    html = signed_in(a_person("Ana")).get("/memories/").content.decode()
    assert f'aria-labelledby="memory-words-{row.pk}"' in html
    assert f'<p class="words grow" id="memory-words-{row.pk}">' in html
