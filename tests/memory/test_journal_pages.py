"""The journal by day: pages at a constant cost, turns whole, what was forgotten or cleared says so."""

import datetime as dt

import pytest
from django.db import connection
from django.utils import timezone

from household.access import seen_by
from household.services.registers import change_settings
from memory.models import JournalLine, JournalWords
from memory.rules.journal import EXCHANGE_SLACK_MS, Line, expired
from memory.services.days import DAYS_A_PAGE, newest_days
from memory.services.journal import to_ms, write_line
from memory.services.retention import clear_old
from memory.services.turns import choose_subject, tell
from tests.makers import a_cat, a_child, a_membership, a_person, signed_in
from tests.twin.course_makers import queries_of
from twin.models import Statement

pytestmark = pytest.mark.django_db

NOON = dt.datetime(2026, 3, 10, 12, tzinfo=dt.UTC)


def say(subject, at, words="we saw a heron", *, turn="", event="Heard", author=None, **fields):
    author = author or a_person("Ana")
    fields = fields or {"text": words}
    return write_line(
        event=event, at=at, turn=turn, fields=fields, subject_id=subject.pk, author_id=author.pk
    )


def page(path, person="Ana"):
    response = signed_in(a_person(person)).get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def leo():
    return a_child(a_person("Ana"), "Leo")


def test_days_stand_newest_first_with_their_counts(leo):
    for days_ago, lines in ((0, 2), (3, 1), (400, 3)):
        for number in range(lines):
            say(leo, NOON - dt.timedelta(days=days_ago, minutes=number))
    text = page("/journal/")
    places = [text.index(day) for day in ("10 March 2026", "7 March 2026", "3 February 2025")]
    assert places == sorted(places)
    assert "2 lines" in text and "1 line<" in text and "3 lines" in text


def test_a_page_of_days_costs_the_same_however_long_the_journal_is(leo):
    ana = a_person("Ana")

    client = signed_in(ana)
    say(leo, NOON)
    few = queries_of(client, "/journal/")
    for day in range(1, 40):
        for number in range(3):
            say(leo, NOON - dt.timedelta(days=day, minutes=number))
    assert queries_of(client, "/journal/") == few <= 10
    assert queries_of(client, "/journal/2026-03-10") <= 10
    with seen_by(ana, now=NOON):
        first, more = newest_days(ana, offset=None)
        second, _ = newest_days(ana, before_ms=more, offset=None)
    assert len(first) == DAYS_A_PAGE and len({one.day.day for one in first + second}) == 2 * DAYS_A_PAGE
    assert [one.lines for one in first] == [1] + [3] * (DAYS_A_PAGE - 1)


def test_each_day_of_a_page_is_one_look_up_and_one_count_by_the_index_of_times(leo):
    from memory.services.days import DAYS, FAR_MS, MINE

    values = {
        "before": FAR_MS,
        "offset": 0,
        "day": 86_400_000,
        "days": 15,
        "subjects": [leo.pk],
        "member": [leo.pk],
        "me": 1,
    }
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memory_journalline (device, seq, subject_id, envelope)"
            " SELECT 'other', n, %s,"
            " jsonb_build_object('event', 'Said', 'at_ms', n * 3600000::bigint, 'turn', 't')"
            " FROM generate_series(0, 4999) n",
            [leo.pk],
        )
        cursor.execute("ANALYZE memory_journalline")
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN (ANALYZE, VERBOSE) " + DAYS.format(mine=MINE), values)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert plan.count("line_by_time") == 2 and "Seq Scan on memory_journalline" not in plan


def test_a_day_is_the_households_own(leo):
    change_settings({"utc_offset_minutes": 180}, now=NOON)
    say(leo, dt.datetime(2026, 3, 10, 22, tzinfo=dt.UTC), "it was late")
    assert "11 March 2026" in page("/journal/")
    assert "it was late" in page("/journal/2026-03-11")
    assert "it was late" not in page("/journal/2026-03-10")


def test_a_turn_that_began_in_the_day_is_shown_whole_past_midnight(leo):
    midnight = dt.datetime(2026, 3, 11, tzinfo=dt.UTC)
    say(leo, midnight - dt.timedelta(seconds=1), "are you asleep", turn="t1")
    say(leo, midnight + dt.timedelta(seconds=2), "nearly so", turn="t1", event="Said")
    say(
        leo,
        midnight + dt.timedelta(milliseconds=EXCHANGE_SLACK_MS + 1),
        "much later",
        turn="t1",
        event="Said",
    )
    say(leo, midnight + dt.timedelta(hours=9), "good morning", turn="t2")
    tenth, eleventh = page("/journal/2026-03-10"), page("/journal/2026-03-11")
    assert "are you asleep" in tenth and "nearly so" in tenth and "good morning" not in tenth
    assert "nearly so" not in eleventh and "good morning" in eleventh and "much later" in eleventh


@pytest.mark.parametrize(
    ("event", "fields", "says"),
    [
        ("Heard", {"text": "w"}, "Ana said"),
        ("Said", {"text": "w"}, "The house answered"),
        ("ModelWrote", {"text": "w"}, "A model wrote"),
        ("Remembered", {"gid": "m1", "fact": "w"}, "Kept as a memory"),
        ("Recalled", {"entries": [{"gid": "m1", "fact": "w"}]}, "Thought of what it remembers"),
        ("PutAway", {"gid": "m1", "fact": "w"}, "A memory was put away"),
        ("Restored", {"gid": "m1", "fact": "w"}, "A memory was brought back"),
        ("PictureSeen", {"picture": "p.png", "description": "w"}, "Saw a picture"),
        ("NotRemembered", {"fact": "", "why": ""}, "Did not keep something never to be remembered"),
        ("NotRemembered", {"fact": "w", "why": "known"}, "Did not keep"),
        ("Forgot", {"gid": "m1"}, "A memory was forgotten"),
        ("TurnEnded", {"how": "failed"}, "It broke off"),
    ],
)
def test_every_event_is_said_in_plain_language(leo, event, fields, says):
    say(leo, NOON, turn="t1", event=event, **fields)
    assert says in page("/journal/2026-03-10")


def test_what_a_child_said_to_the_companion_bears_its_name(leo):
    write_line(event="Heard", at=NOON, turn="t", fields={"text": "moo"}, subject_id=leo.pk, device="tablet")
    write_line(
        event="Said", at=NOON, turn="t", fields={"text": "moo too"}, subject_id=leo.pk, device="tablet"
    )
    text = page("/journal/2026-03-10")
    assert "Leo said to the companion" in text and "The companion answered" in text


def test_an_emptied_line_says_that_it_was_forgotten(leo):
    line = say(leo, NOON, "the secret", turn="t1")
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hearthbook.forgetting', 'on', true)")
        JournalWords.objects.filter(line=line).delete()
        cursor.execute("SELECT set_config('hearthbook.forgetting', '', true)")
    text = page("/journal/2026-03-10")
    assert "the secret" not in text and "forgotten" in text


def test_a_long_day_comes_in_pages_that_lose_and_repeat_nothing(leo, monkeypatch):
    monkeypatch.setattr("memory.services.days.LINES_A_PAGE", 7)
    for number in range(20):
        say(leo, NOON + dt.timedelta(seconds=number // 3), f"word{number:02}!", turn=f"t{number}")
    client, url, seen = signed_in(a_person("Ana")), "/journal/2026-03-10", []
    for _ in range(4):
        text = client.get(url).content.decode()
        seen += [number for number in range(20) if f"word{number:02}!" in text]
        if 'class="sentinel"' not in text:
            break
        url = text.split('class="sentinel" hx-get="')[1].split('"')[0].replace("&amp;", "&")
    assert seen == list(range(20))


# clearing by age


def cleared_lines():
    return [row.envelope for row in JournalLine.objects.filter(envelope__event="Cleared")]


def test_old_lines_expire_in_place_and_one_line_announces_it(leo):
    now = timezone.now()
    old = [say(leo, now - dt.timedelta(days=9, minutes=n), "old words", turn=f"t{n}") for n in range(3)]
    kept = say(leo, now - dt.timedelta(days=1), "new words", turn="t9")
    change_settings({"log_retention_days": 7}, now=now)
    assert clear_old(now=now) == 3
    for was in old:
        row = JournalLine.objects.get(pk=was.pk)
        assert (row.device, row.seq, row.position) == (was.device, was.seq, was.position)
        assert Line(row.envelope).is_same(expired(Line(was.envelope)))
        assert not row.live
    assert JournalWords.objects.filter(line__in=old).count() == 0
    assert JournalWords.objects.filter(line=kept).count() == 1
    assert [(one["lines"], one["event"]) for one in cleared_lines()] == [(3, "Cleared")]
    assert clear_old(now=now) == 0 and len(cleared_lines()) == 1


def test_without_a_limit_everything_is_kept(leo):
    say(leo, NOON - dt.timedelta(days=4000))
    assert clear_old(now=timezone.now()) == 0 and cleared_lines() == []


def test_the_pages_say_what_was_cleared(leo):
    now = timezone.now()
    for number in range(3):
        say(leo, NOON + dt.timedelta(minutes=number), "old words", turn=f"t{number}")
    change_settings({"log_retention_days": 1}, now=now)
    clear_old(now=now)
    assert "all cleared because of their age" in page("/journal/")
    assert "3 lines were cleared because of their age" in page("/journal/2026-03-10")
    today = timezone.localdate(now, dt.UTC).isoformat()
    assert "3 lines from before" in page(f"/journal/{today}")


def test_pictures_only_old_lines_showed_go_and_others_stay(leo):
    from household.models import ForgetOwed
    from memory.models import FileOwed, LinePicture, Picture

    now = timezone.now()
    for name in ("old.png", "both.png"):
        Picture.objects.create(
            name=name, subject=leo, file=name, type="image/png", size=1, width=1, height=1, device="d"
        )
    say(leo, NOON, turn="t1", text="look", pictures=["old.png", "both.png"])
    say(leo, now, turn="t2", text="again", pictures=["both.png"])
    change_settings({"log_retention_days": 30}, now=now)
    assert clear_old(now=now) == 1
    assert list(Picture.objects.values_list("name", flat=True)) == ["both.png"]
    assert ForgetOwed.objects.get().files == ["old.png"] and not FileOwed.objects.exists()
    assert LinePicture.objects.count() == 1


# who may


def test_only_parents_read_the_journal_and_only_of_their_own(leo):
    say(leo, NOON, "only ours")
    a_membership(a_person("Ben"), leo, "family")
    a_cat(a_person("Olga"), "Zoe")
    for name in ("Ben", "Eve"):
        client = signed_in(a_person(name))
        assert client.get("/journal/").status_code == 404
        assert client.get("/journal/2026-03-10").status_code == 404
    other = signed_in(a_person("Olga"))
    assert "2026" not in other.get("/journal/").content.decode().split("<main")[1].split("</main")[0]
    assert "only ours" not in other.get("/journal/2026-03-10").content.decode()


def test_no_day_is_a_day_that_is_none(leo):
    assert signed_in(a_person("Ana")).get("/journal/yesterday").status_code == 404


def test_a_line_of_nobody_yet_is_its_speakers_alone(leo):
    ana, olga = a_person("Ana"), a_person("Olga")
    a_cat(olga, "Zoe")
    write_line(event="Heard", at=NOON, turn="t", fields={"text": "whom about"}, author_id=ana.pk)
    assert "whom about" in page("/journal/2026-03-10", "Ana")
    assert "whom about" not in page("/journal/2026-03-10", "Olga")
    assert to_ms(NOON) == JournalLine.objects.get(turn="t").at_ms


def test_once_it_is_said_whom_it_was_about_every_parent_of_them_reads_it(leo):
    ana = a_person("Ana")
    a_cat(ana, "Mavi")
    olga = a_person("Olga")
    a_membership(olga, leo, "parent")
    told = tell(person=ana, text="slept badly", client_id="c1", now=NOON)
    assert "slept badly" not in page("/journal/2026-03-10", "Olga")
    (statement,) = Statement.objects.filter(turn=told.turn)
    choose_subject(person=ana, statement_id=statement.pk, subject_id=leo.pk, now=NOON)
    assert "slept badly" in page("/journal/2026-03-10", "Olga")
