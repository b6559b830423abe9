"""The year as it was lived: a cat, Mavi, and a child, Leo, with the words and taps about them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from tests.twin.year.acts import (
    BERLIN,
    NEW_YORK,
    Act,
    AnswerAgenda,
    Chronic,
    Close,
    Measure,
    Move,
    Propose,
    Say,
    Tap,
    Undo,
    days_from,
)
from twin.rules.entries import Entry, Polarity, Since


def _saw(category: str, polarity: Polarity, signs: dict[str, Any], since: Since | None = None) -> Entry:
    return Entry(category, model_read=polarity, signs=signs, today="yes", since=since, words=category)


def bad(category: str, since: Since | None = None, **signs: Any) -> Entry:
    """A finding of today."""
    return _saw(category, "abnormal", signs, since)


def fine(category: str, **signs: Any) -> Entry:
    """Looked at today and found well."""
    return _saw(category, "normal", signs)


def unsure(category: str, phrase: str, **signs: Any) -> Entry:
    """A finding of which nobody said whether it is today's."""
    read: Polarity = "abnormal"
    return Entry(category, model_read=read, signs=signs, today="unknown", phrase=phrase, words=phrase)


def since(iso: str, precision: Any = "day") -> Since:
    """An onset, as the words gave it."""
    return Since("date", on=dt.date.fromisoformat(iso), precision=precision)


def say(day: str, *entries: Entry, **more: Any) -> Say:
    """Words about a day."""
    return Say(day, entries=entries, **more)


def taps(days: Sequence[str], field: str, level: str) -> list[Act]:
    """The same tap on several days."""
    return [Tap(day, field=field, level=level) for day in days]


def says(days: Sequence[str], entry: Entry) -> list[Act]:
    """The same words on several days."""
    return [say(day, entry) for day in days]


LEFT, RIGHT, BOTH = {"side": "left"}, {"side": "right"}, {"side": "both"}
HIND = {"limb": "left hind leg"}

CAT: list[Act] = [
    Measure("01-10", values={"stool_per_day": 2, "food_g": 200, "weight_kg": 5, "appetite": 4, "energy": 4}),
    # January: one ear, with silence in it.
    say("01-12", bad("ears", redness=True, **LEFT)),
    say("01-14", bad("ears", redness=True, odour=True, **LEFT)),
    say("01-15", bad("ears", redness=True, pain=True, **LEFT)),
    say("01-17", bad("ears", redness=True, pain=False, **LEFT)),
    *says(["01-18", "01-19", "01-21"], fine("ears", redness=False, **LEFT)),
    *says(["01-24", "01-26"], fine("ears", redness=False)),
    # February: stool, tapped; once a day is half of what is usual for her since the tenth of January.
    *taps(["02-02", "02-03"], "stool_count", "once"),
    Tap("02-04", field="stool_form", level="watery"),
    Tap("02-05", field="stool_form", level="soft"),
    *taps(["02-06", "02-07", "02-08", "02-09"], "stool_form", "firm"),
    Tap("02-10", field="stool_form", level="didnt_look"),
    Tap("02-13", field="stool_form", level="soft"),  # a slip of the thumb
    Tap("02-13", "18:02", field="stool_form", level="firm"),
    # The night the clocks go forward: half past one is the evening before, half past two is never.
    say("03-27", bad("upper_digestive", vomiting=True)),
    say("03-28", bad("upper_digestive", vomiting=True), clock="25:30"),
    say("03-29", fine("upper_digestive", vomiting=False), clock="02:30"),
    *says(["03-30", "03-31", "04-01", "04-02"], fine("upper_digestive", vomiting=False)),
    Measure(
        "04-20",
        values={
            "stool_per_day": 2,
            "food_g": 150,
            "weight_kg": 4,
            "appetite": 3,
            "energy": 2,
            "sleep_hours": 14,
        },
    ),
    # May: the left ear again, then the right one, then both in one sentence.
    say("05-04", bad("ears", since("2026-05-02"), redness=True, **LEFT)),
    say("05-05", bad("ears", redness=True, **RIGHT)),
    say("05-06", bad("ears", scratching=True, **LEFT), bad("ears", redness=True, **RIGHT)),
    say("05-07", bad("ears", redness=True, pain=True, **BOTH)),
    *says(days_from("05-09", count=5), fine("ears", redness=False, pain=False)),
    # July to September: skin that is forgotten twice.
    Tap("07-02", field="skin", level="itching"),
    say("07-03", bad("skin_coat", itching=True)),
    say("08-05", bad("skin_coat", itching=True)),
    *taps(days_from("08-30", count=5), "skin", "clear"),
    # August on: a stiff leg for good.
    say("08-01", bad("musculoskeletal", since("2026-03-01", "season"), limping=True, **HIND)),
    Chronic("08-03", category="musculoskeletal"),
    *says(days_from("08-04", count=5), fine("musculoskeletal", limping=False, **HIND)),
    say("11-10", bad("musculoskeletal", limping=True, **HIND)),
    Measure(
        "09-01",
        values={"stool_per_day": 3, "food_g": 170, "weight_kg": 5.2, "appetite": 3, "energy": 2},
    ),
    # September: no urine. A model would like to forget it the day after.
    Tap("09-12", field="urine", level="none"),
    Tap("09-13", field="urine", level="straining"),
    Propose("09-14", "08:00", category="urinary", to_passive=1, to_close=1),
    *taps(days_from("09-14", count=5), "urine", "usual"),
    # October: undated words, one beside a finding and one beside none; then the clocks go back.
    say("10-05", bad("eyes", redness=True, **RIGHT)),
    say("10-06", unsure("eyes", "now and then", discharge=True)),
    say("10-20", unsure("respiratory", "some time ago", coughing=True)),
    say("10-23", bad("respiratory", sneezing=True)),
    say("10-24", bad("respiratory", sneezing=True), clock="26:30", is_second=True),
    say("10-25", fine("respiratory", sneezing=False)),
    *says(["10-26", "10-27", "10-29", "10-30"], fine("respiratory", sneezing=False)),
    # November: a question that is answered, a course that only a person closes.
    say("11-02", unsure("oral_dental", "lately", bad_breath=True)),
    say("11-02", clock="20:00", text="yes, since Saturday", is_answer=True),
    Close("12-01", "12:00", category="oral_dental", reason="the vet cleaned her teeth"),
    # December: the sitter's note comes on the twelfth, about the eighth and the ninth.
    say("12-10", bad("eyes", discharge=True, **LEFT)),
    say("12-12", bad("eyes", discharge=True, **LEFT), clock="12:00", said="12-08"),
    say("12-12", bad("eyes", discharge=True, **LEFT), clock="12:01", said="12-09"),
    *says(days_from("12-13", count=5), fine("eyes", discharge=False, **LEFT)),
]

WELL = (
    fine("appetite_intake", refuses_food=False),
    fine("respiratory", coughing=False),
    fine("sleep", restless=False),
    fine("upper_digestive", nausea=False),
)
THREE_DAYS = since("2026-11-13")

CHILD: list[Act] = [
    # January: nights, tapped in the form.
    *taps(["01-20", "01-21"], "sleep", "woke"),
    Tap("01-22", field="sleep", level="bad"),
    *taps(days_from("01-23", count=5), "sleep", "good"),
    Measure(
        "02-01",
        values={
            "sleep_hours": 9,
            "night_wakings": 0,
            "meltdowns_per_week": 3,
            "words_or_signs_per_day": 40,
            "foods_accepted": 12,
        },
    ),
    # February: meltdowns, quiet, and one more.
    Tap("02-10", field="regulation", level="meltdown"),
    say("02-12", bad("behaviour", meltdown=True, place="supermarket")),
    Tap("02-13", field="arousal", level="very_high"),
    Tap("02-13", "18:01", field="regulation", level="steady"),
    *taps(["02-14", "02-15", "02-16"], "regulation", "steady"),
    Tap("02-20", field="regulation", level="meltdown"),
    *taps(days_from("02-22", count=5), "regulation", "alone"),
    # April: followed up by the agenda's taps alone.
    *taps(["04-13", "04-14"], "nutrition", "safe_only"),
    AnswerAgenda("04-15", "08:00", category="appetite_intake", choice="still"),
    AnswerAgenda("04-16", "08:00", category="appetite_intake", choice="unseen"),
    *[
        AnswerAgenda(day, "08:00", category="appetite_intake", choice="gone")
        for day in days_from("04-17", count=5)
    ],
    Measure(
        "05-01",
        values={
            "sleep_hours": 9,
            "night_wakings": 1,
            "meltdowns_per_week": 2,
            "words_or_signs_per_day": 60,
            "foods_accepted": 15,
        },
    ),
    # June: said of the wrong one, taken back; the next day is alone.
    say("06-10", bad("ears", redness=True)),
    Undo("06-10", "18:00"),
    say("06-11", bad("ears", redness=True)),
    # July: a fever on the way to New York. They land on the evening whose round has run at home.
    say("07-18", bad("whole_body", fever=True)),
    Move("07-20", "04:15", zone=NEW_YORK),
    say("07-20", bad("whole_body", fever=True), date="07-19", clock="22:30"),
    *says(days_from("07-20", count=5), fine("whole_body", fever=False)),
    Move("08-02", "23:00", zone=BERLIN),
    # August: headaches that nobody ever speaks of again.
    say("08-03", bad("neurological", headache=True), clock="08:00"),
    say("08-04", bad("neurological", headache=True)),
    # September: dry skin since he was a baby; the quiet lasts longer than the words about it.
    say("09-07", bad("skin_coat", Since("age", low_months=0, high_months=12), dryness=True)),
    *says(days_from("09-09", count=5), fine("skin_coat", dryness=False)),
    say("10-01", fine("skin_coat", dryness=False)),
    Measure(
        "11-01",
        values={"sleep_hours": 8, "night_wakings": 0, "meltdowns_per_week": 2, "foods_accepted": 20},
    ),
    # November: four things at once, and then nobody has time for the book.
    say(
        "11-16",
        bad("appetite_intake", THREE_DAYS, refuses_food=True),
        bad("respiratory", THREE_DAYS, coughing=True),
        bad("sleep", THREE_DAYS, restless=True),
        bad("upper_digestive", THREE_DAYS, nausea=True),
    ),
    *[say(day, *WELL) for day in days_from("12-02", count=5)],
]
