"""What the book must hold of the year, reasoned by hand from the design, day by day.

A course: what and where; the day whose round opened it; since when; the day from which each state holds; its
observed days with their trajectory and severity; its last abnormal day where it ended. `known` is the first
night that could know it, where late words made it.
"""

from __future__ import annotations

from dataclasses import dataclass, field

LIMB = "musculoskeletal.left hind leg"


@dataclass(frozen=True)
class Course:
    """One course of the truth. Days are MM-DD, as in the script."""

    key: str
    opened: str
    started: str | None
    states: str
    days: str
    ended: str | None = None
    known: str = ""
    number: int = 1  # the how-manieth of its kind within a year
    chronic: bool = False
    year_of_start: int = field(default=2026)


CAT = (
    Course(
        "ears.left",
        opened="01-14",  # the second abnormal day of three: the 12th and the 14th
        started="01-12",
        # Five quiet days after the 17th on the 22nd, with the 18th, 19th and 21st seen well. Fourteen on the
        # 31st, with five seen well.
        states="01-14 active, 01-22 passive, 01-31 closed",
        days="01-12 onset 1, 01-14 unchanged 1, 01-15 worsening 2, 01-17 improving 1, 01-18 normal 0,"
        " 01-19 normal 0, 01-21 normal 0, 01-24 normal 0, 01-26 normal 0",
        ended="01-17",
    ),
    Course(
        "lower_digestive",
        opened="02-03",
        started="02-02",
        # Seven days after the 5th are over on the 12th, but only four were seen well: "didn't look" is none.
        states="02-03 active, 02-08 passive, 02-13 closed",
        days="02-02 onset 1, 02-03 unchanged 1, 02-04 worsening 2, 02-05 improving 1, 02-06 normal 0,"
        " 02-07 normal 0, 02-08 normal 0, 02-09 normal 0, 02-13 normal 0",
        ended="02-05",
    ),
    Course(
        "upper_digestive",
        opened="03-28",
        started="03-27",
        states="03-28 active, 03-31 passive, 04-04 closed",
        days="03-27 onset 2, 03-28 unchanged 2, 03-29 normal 0, 03-30 normal 0, 03-31 normal 0,"
        " 04-01 normal 0, 04-02 normal 0",
        ended="03-28",
    ),
    Course(
        "ears.left",
        opened="05-04",  # a stated onset two days back
        started="05-02",
        states="05-04 active, 05-12 passive, 05-21 closed",
        days="05-04 onset 1, 05-06 unchanged 1, 05-07 worsening 2, 05-09 normal 0, 05-10 normal 0,"
        " 05-11 normal 0, 05-12 normal 0, 05-13 normal 0",
        ended="05-07",
        number=2,
    ),
    Course(
        "ears.right",
        opened="05-06",
        started="05-05",
        states="05-06 active, 05-12 passive, 05-21 closed",
        days="05-05 onset 1, 05-06 unchanged 1, 05-07 worsening 2, 05-09 normal 0, 05-10 normal 0,"
        " 05-11 normal 0, 05-12 normal 0, 05-13 normal 0",
        ended="05-07",
    ),
    Course(
        "skin_coat",
        opened="07-03",
        started="07-02",
        states="07-03 active, 07-17 dormant, 08-05 active, 08-19 dormant, 08-30 active, 09-01 passive,"
        " 09-03 closed",
        days="07-02 onset 1, 07-03 unchanged 1, 08-05 unchanged 1, 08-30 normal 0, 08-31 normal 0,"
        " 09-01 normal 0, 09-02 normal 0, 09-03 normal 0",
        ended="08-05",
    ),
    Course(
        LIMB,
        opened="08-01",
        started="03-01",
        # Chronic: on the 15th it would have closed.
        states="08-01 active, 08-06 passive, 08-22 dormant, 11-10 active, 11-24 dormant",
        days="08-01 onset 1, 08-04 normal 0, 08-05 normal 0, 08-06 normal 0, 08-07 normal 0, 08-08 normal 0,"
        " 11-10 worsening 1",
        chronic=True,
    ),
    Course(
        "urinary",
        opened="09-12",  # grave: on its first day
        started="09-12",
        # One quiet day was proposed for either; the floors are three seen well, and seven days with five.
        states="09-12 active, 09-16 passive, 09-20 closed",
        days="09-12 onset 3, 09-13 improving 2, 09-14 normal 0, 09-15 normal 0, 09-16 normal 0,"
        " 09-17 normal 0, 09-18 normal 0",
        ended="09-13",
    ),
    Course(
        "respiratory",
        opened="10-24",  # half past two the second time is still the 24th, whose day ends at three
        started="10-23",
        states="10-24 active, 10-28 passive, 11-03 closed",
        days="10-23 onset 1, 10-24 unchanged 1, 10-25 normal 0, 10-26 normal 0, 10-27 normal 0,"
        " 10-29 normal 0, 10-30 normal 0",
        ended="10-24",
    ),
    Course(
        "oral_dental",
        opened="11-02",
        started="10-31",  # the answer's Saturday
        states="11-02 active, 11-16 dormant, 12-01 closed",
        days="11-02 onset 1",
        ended="11-02",
    ),
    Course(
        "eyes.left",
        opened="12-09",
        started="12-08",
        states="12-09 active, 12-15 passive, 12-20 closed",
        days="12-08 onset 1, 12-09 unchanged 1, 12-10 unchanged 1, 12-13 normal 0, 12-14 normal 0,"
        " 12-15 normal 0, 12-16 normal 0, 12-17 normal 0",
        ended="12-10",
        known="12-12",
    ),
)

FOUR = "11-16 active, 11-30 dormant, 12-02 active, 12-04 passive, 12-06 closed"
WELL = "12-02 normal 0, 12-03 normal 0, 12-04 normal 0, 12-05 normal 0, 12-06 normal 0"

CHILD = (
    Course(
        "sleep",
        opened="01-21",
        started="01-20",
        states="01-21 active, 01-26 passive, 02-01 closed",
        days="01-20 onset 1, 01-21 unchanged 1, 01-22 unchanged 1, 01-23 normal 0, 01-24 normal 0,"
        " 01-25 normal 0, 01-26 normal 0, 01-27 normal 0",
        ended="01-22",
    ),
    Course(
        "behaviour",
        opened="02-12",
        started="02-10",
        states="02-12 active, 02-18 passive, 02-20 active, 02-25 passive, 03-06 closed",
        days="02-10 onset 2, 02-12 unchanged 2, 02-13 improving 1, 02-14 normal 0, 02-15 normal 0,"
        " 02-16 normal 0, 02-20 worsening 2, 02-22 normal 0, 02-23 normal 0, 02-24 normal 0, 02-25 normal 0,"
        " 02-26 normal 0",
        ended="02-20",
    ),
    Course(
        "appetite_intake",
        opened="04-14",
        started="04-13",
        states="04-14 active, 04-19 passive, 04-22 closed",
        days="04-13 onset 1, 04-14 unchanged 1, 04-15 unchanged 1, 04-17 normal 0, 04-18 normal 0,"
        " 04-19 normal 0, 04-20 normal 0, 04-21 normal 0",
        ended="04-15",
    ),
    Course(
        "whole_body",
        opened="07-19",
        started="07-18",
        states="07-19 active, 07-22 passive, 07-26 closed",
        days="07-18 onset 2, 07-19 unchanged 2, 07-20 normal 0, 07-21 normal 0, 07-22 normal 0,"
        " 07-23 normal 0, 07-24 normal 0",
        ended="07-19",
        known="07-20",
    ),
    Course(
        "neurological",
        opened="08-04",
        started="08-03",
        states="08-04 active, 08-18 dormant",  # and so it stays: silence never closes
        days="08-03 onset 1, 08-04 unchanged 1",
    ),
    Course(
        "skin_coat",
        opened="09-07",
        started=None,  # an age, no date
        # On the 28th three weeks are quiet, but the last word was a fortnight before: out of sight, not over.
        states="09-07 active, 09-14 passive, 09-27 dormant, 10-01 closed",
        days="09-07 onset 1, 09-09 normal 0, 09-10 normal 0, 09-11 normal 0, 09-12 normal 0, 09-13 normal 0,"
        " 10-01 normal 0",
        ended="09-07",
    ),
    Course("appetite_intake", "11-16", "11-13", FOUR, f"11-16 onset 2, {WELL}", "11-16", number=2),
    Course("respiratory", "11-16", "11-13", FOUR, f"11-16 onset 1, {WELL}", "11-16"),
    Course("sleep", "11-16", "11-13", FOUR, f"11-16 onset 1, {WELL}", "11-16", number=2),
    Course("upper_digestive", "11-16", "11-13", FOUR, f"11-16 onset 1, {WELL}", "11-16"),
)

# From which day on to which day what is asked, in order. Days between are asked nothing.
CAT_AGENDA = f"""
01-09 01-10 profile
01-15 01-31 ears.left
02-04 02-13 lower_digestive
03-29 04-04 upper_digestive
04-11 04-20 profile
05-05 05-06 ears.left
05-07 05-07 ears.left, ears.right
05-08 05-09 ears.right, ears.left
05-10 05-21 ears.left, ears.right
07-04 07-19 skin_coat
07-20 08-01 skin_coat, profile
08-02 08-05 {LIMB}, skin_coat, profile
08-06 08-19 skin_coat, {LIMB}, profile
08-20 08-22 {LIMB}, skin_coat, profile
08-23 09-01 skin_coat, {LIMB}, profile
09-02 09-03 skin_coat, {LIMB}
09-04 09-12 {LIMB}
09-13 09-20 urinary, {LIMB}
09-21 10-24 {LIMB}
10-25 11-02 respiratory, {LIMB}
11-03 11-03 oral_dental, respiratory, {LIMB}
11-04 11-10 oral_dental, {LIMB}
11-11 11-30 {LIMB}, oral_dental
12-01 12-01 {LIMB}, oral_dental, profile
12-02 12-11 {LIMB}, profile
12-12 12-20 eyes.left, {LIMB}, profile
12-21 12-31 {LIMB}, profile
"""

# In November four courses and a dormant one share three questions. After three days in vain the three step
# back behind the fourth, and after three more days it steps back too.
CHILD_AGENDA = """
01-09 01-21 profile
01-22 02-01 sleep, profile
02-13 03-06 behaviour
04-15 04-22 appetite_intake
07-20 07-26 whole_body
07-31 08-04 profile
08-05 09-07 neurological, profile
09-08 10-01 skin_coat, neurological, profile
10-02 11-01 neurological, profile
11-02 11-16 neurological
11-17 11-19 appetite_intake, respiratory, sleep
11-20 11-22 upper_digestive, appetite_intake, respiratory
11-23 12-06 appetite_intake, respiratory, sleep
12-07 12-31 neurological
"""

# The days on which the frame raises a flag, and which.
CAT_FLAGS = {"09-12": ("blocked_bladder",), "09-13": ("blocked_bladder",)}

# Day rows and undated history beside the courses: what words without a day became.
CAT_JOINED = {"10-05": {"redness": True, "discharge": True, "side": "right"}}
CAT_UNDATED = ("some time ago",)

# Between one version of the profile and the next: what is marked, and how.
CAT_DRIFT = (
    {
        "stool_per_day": "same",
        "food_g": "drift",  # a quarter less
        "sleep_hours": "missing",
        "weight_kg": "same",  # a fifth less
        "appetite": "noted",
        "energy": "drift",  # two ranks
    },
    {
        "stool_per_day": "drift",  # half as much again
        "food_g": "same",
        "sleep_hours": "missing",
        "weight_kg": "drift",  # three tenths, exactly
        "appetite": "same",
        "energy": "same",
    },
)
CHILD_DRIFT = (
    {
        "sleep_hours": "same",
        "night_wakings": "drift",  # from none
        "meltdowns_per_week": "drift",  # a third less
        "words_or_signs_per_day": "drift",
        "foods_accepted": "same",  # a quarter more: the food threshold is of grams only
    },
    {
        "sleep_hours": "same",
        "night_wakings": "drift",
        "meltdowns_per_week": "same",
        "words_or_signs_per_day": "missing",
        "foods_accepted": "drift",
    },
)
