"""The tap form: its fields, their levels, and the entry each tap files. Pure.

A level's rank is its concern, 0 for none; it need not rise along the row: arousal is of concern at both ends.
A level files an entry only where a category fits what was tapped; the others count in the form's own view.
Labels are English messages that the page translates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from twin.rules.categories import NOT_OBSERVED
from twin.rules.entries import Entry, Polarity, SignValue
from twin.rules.messages import gettext_noop

DIDNT_LOOK = "didnt_look"
NOT_LOOKED_RANK = -1


@dataclass(frozen=True)
class Level:
    """One tap: its rank of concern, its icon, and what it says of a category where one fits."""

    key: str
    label: str
    icon: str
    rank: int
    category: str | None = None
    signs: Mapping[str, SignValue] = field(default_factory=dict)
    asserted: Polarity | None = None


@dataclass(frozen=True)
class FormField:
    """One row of taps. Fields of one `group` stand together on the page."""

    key: str
    label: str
    icon: str
    levels: tuple[Level, ...]
    group: str = ""

    def level(self, key: str) -> Level | None:
        """The level of this key, None where there is none."""
        return next((level for level in self.levels if level.key == key), None)


def _didnt_look(category: str | None = None, sign: str | None = None) -> Level:
    signs: dict[str, SignValue] = {sign: NOT_OBSERVED} if sign else {}
    return Level(DIDNT_LOOK, gettext_noop("Didn't look"), "eye-off", NOT_LOOKED_RANK, category, signs)


PERSON_FIELDS = (
    FormField(
        "arousal",
        gettext_noop("Arousal"),
        "arousal",
        (
            Level("very_low", gettext_noop("Shut down"), "level-1", 3, "behaviour", {"withdrawal": True}),
            Level("low", gettext_noop("Sluggish"), "level-2", 1),
            Level("right", gettext_noop("Just right"), "level-3", 0, "behaviour", {"withdrawal": False}),
            Level("high", gettext_noop("Wound up"), "level-4", 1),
            Level("very_high", gettext_noop("Out of control"), "level-5", 3, "behaviour", {}, "abnormal"),
        ),
    ),
    FormField(
        "emotion",
        gettext_noop("Emotional state"),
        "emotion",
        (
            Level("happy", gettext_noop("Happy"), "mood-5", 0, "behaviour", {"anxiety": False}),
            Level("calm", gettext_noop("Calm"), "mood-4", 0, "behaviour", {"anxiety": False}),
            Level("flat", gettext_noop("Flat"), "mood-3", 1),
            Level("sad", gettext_noop("Sad"), "mood-2", 2),
            Level("anxious", gettext_noop("Anxious"), "mood-1", 3, "behaviour", {"anxiety": True}),
        ),
    ),
    FormField(
        "regulation",
        gettext_noop("Emotional regulation"),
        "regulation",
        (
            Level("steady", gettext_noop("Steady"), "level-1", 0, "behaviour", {"meltdown": False}),
            Level("alone", gettext_noop("Calmed alone"), "level-2", 0, "behaviour", {"meltdown": False}),
            Level("helped", gettext_noop("Calmed with help"), "level-3", 1),
            Level("hard", gettext_noop("Hard to calm"), "level-4", 2),
            Level("meltdown", gettext_noop("Meltdown"), "level-5", 3, "behaviour", {"meltdown": True}),
        ),
    ),
    FormField(
        "sensory",
        gettext_noop("Sensory sensitivity"),
        "sensory",
        (
            Level("easy", gettext_noop("At ease"), "level-1", 0, "behaviour", {"sensory_overload": False}),
            Level("seeking", gettext_noop("Seeking"), "level-2", 1),
            Level("sensitive", gettext_noop("Sensitive"), "level-3", 1),
            Level("avoiding", gettext_noop("Avoiding"), "level-4", 2),
            Level(
                "overloaded",
                gettext_noop("Overloaded"),
                "level-5",
                3,
                "behaviour",
                {"sensory_overload": True},
            ),
        ),
    ),
    FormField(
        "sleep",
        gettext_noop("Sleep quality"),
        "sleep",
        (
            Level("good", gettext_noop("Slept well"), "mood-5", 0, "sleep", {"poor_sleep": False}),
            Level(
                "late", gettext_noop("Late to sleep"), "clock", 1, "sleep", {"trouble_falling_asleep": True}
            ),
            Level("woke", gettext_noop("Woke at night"), "moon", 2, "sleep", {"night_waking": True}),
            Level("bad", gettext_noop("Slept badly"), "mood-1", 3, "sleep", {"poor_sleep": True}),
        ),
    ),
    FormField(
        "nutrition",
        gettext_noop("Nutrition routine"),
        "food",
        (
            Level("usual", gettext_noop("As usual"), "check", 0, "appetite_intake", {"amount": "usual"}),
            Level(
                "safe_only", gettext_noop("Safe foods only"), "star", 1, "appetite_intake", {"picky": True}
            ),
            Level("less", gettext_noop("Ate little"), "level-2", 2, "appetite_intake", {"amount": "less"}),
            Level(
                "refused", gettext_noop("Refused food"), "close", 3, "appetite_intake", {"refuses_food": True}
            ),
        ),
    ),
    FormField(
        "environment",
        gettext_noop("Environment"),
        "environment",
        (
            Level("calm", gettext_noop("Calm and usual"), "level-1", 0),
            Level("busy", gettext_noop("Busy"), "level-2", 1),
            Level("changed", gettext_noop("Change of plan"), "level-3", 2),
            Level("hard", gettext_noop("Too much"), "level-5", 3),
        ),
    ),
)

ANIMAL_FIELDS = (
    FormField(
        "appetite",
        gettext_noop("Appetite"),
        "food",
        (
            Level("none", gettext_noop("Nothing"), "level-1", 3, "appetite_intake", {"amount": "none"}),
            Level(
                "less", gettext_noop("Less than usual"), "level-2", 2, "appetite_intake", {"amount": "less"}
            ),
            Level("usual", gettext_noop("As usual"), "level-3", 0, "appetite_intake", {"amount": "usual"}),
            Level(
                "more", gettext_noop("More than usual"), "level-5", 1, "appetite_intake", {"amount": "more"}
            ),
            _didnt_look("appetite_intake", "amount"),
        ),
    ),
    FormField(
        "drinking",
        gettext_noop("Drinking"),
        "water",
        (
            Level("none", gettext_noop("Nothing"), "level-1", 3, "thirst_hydration", {"amount": "none"}),
            Level(
                "less", gettext_noop("Less than usual"), "level-2", 2, "thirst_hydration", {"amount": "less"}
            ),
            Level("usual", gettext_noop("As usual"), "level-3", 0, "thirst_hydration", {"amount": "usual"}),
            Level(
                "more", gettext_noop("More than usual"), "level-5", 2, "thirst_hydration", {"amount": "more"}
            ),
            _didnt_look("thirst_hydration", "amount"),
        ),
    ),
    FormField(
        "stool_count",
        gettext_noop("Stool: how often"),
        "stool",
        (
            Level("none", gettext_noop("None at all"), "level-1", 2, "lower_digestive", {"stool_count": 0}),
            Level("once", gettext_noop("Once"), "level-2", 0, "lower_digestive", {"stool_count": 1}),
            Level("twice", gettext_noop("Twice"), "level-3", 0, "lower_digestive", {"stool_count": 2}),
            Level(
                "thrice", gettext_noop("3 times or more"), "level-5", 1, "lower_digestive", {"stool_count": 3}
            ),
            _didnt_look("lower_digestive", "form"),
        ),
        group="stool",
    ),
    FormField(
        "stool_form",
        gettext_noop("Stool: what it looked like"),
        "stool",
        (
            Level("hard", gettext_noop("Hard and dry"), "level-1", 2, "lower_digestive", {"form": "hard"}),
            Level("firm", gettext_noop("Firm"), "level-2", 0, "lower_digestive", {"form": "firm"}),
            Level("soft", gettext_noop("Soft"), "level-3", 1, "lower_digestive", {"form": "soft"}),
            Level("watery", gettext_noop("Runny"), "level-5", 3, "lower_digestive", {"form": "watery"}),
            _didnt_look("lower_digestive", "form"),
        ),
        group="stool",
    ),
    FormField(
        "urine",
        gettext_noop("Urine"),
        "urine",
        (
            Level("none", gettext_noop("None at all"), "level-1", 3, "urinary", {"no_urine": True}),
            Level("usual", gettext_noop("As usual"), "level-3", 0, "urinary", {"no_urine": False}, "normal"),
            Level("often", gettext_noop("More often"), "level-5", 1, "urinary", {"frequent": True}),
            Level("straining", gettext_noop("Straining"), "warning", 3, "urinary", {"straining": True}),
            _didnt_look(),
        ),
    ),
    FormField(
        "energy",
        gettext_noop("Energy"),
        "energy",
        (
            Level(
                "very_low",
                gettext_noop("Very low"),
                "level-1",
                3,
                "whole_body",
                {"lethargy": True},
                "abnormal",
            ),
            Level("low", gettext_noop("Low"), "level-2", 2, "whole_body", {"lethargy": True}),
            Level("usual", gettext_noop("As usual"), "level-3", 0, "whole_body", {"lethargy": False}),
            Level("high", gettext_noop("Restless"), "level-5", 1),
            _didnt_look(),
        ),
    ),
    FormField(
        "mood",
        gettext_noop("Mood"),
        "emotion",
        (
            Level("content", gettext_noop("Relaxed"), "mood-5", 0, "behaviour", {"hiding": False}, "normal"),
            Level("anxious", gettext_noop("Anxious"), "mood-3", 1, "behaviour", {"anxiety": True}),
            Level("hiding", gettext_noop("Hiding"), "mood-2", 2, "behaviour", {"hiding": True}),
            Level("snappy", gettext_noop("Snappy"), "mood-1", 3, "behaviour", {"aggression": True}),
            _didnt_look(),
        ),
    ),
    FormField(
        "skin",
        gettext_noop("Skin and coat"),
        "skin",
        (
            Level("clear", gettext_noop("Looks fine"), "check", 0, "skin_coat", {}, "normal"),
            Level("itching", gettext_noop("Scratching"), "level-2", 1, "skin_coat", {"itching": True}),
            Level("hair_loss", gettext_noop("Bald patch"), "level-3", 2, "skin_coat", {"hair_loss": True}),
            Level("wound", gettext_noop("Sore or wound"), "level-5", 3, "skin_coat", {"wound": True}),
            _didnt_look(),
        ),
    ),
)

FORMS: Mapping[str, Mapping[str, FormField]] = {
    "person": {each.key: each for each in PERSON_FIELDS},
    "animal": {each.key: each for each in ANIMAL_FIELDS},
}


def fields_for(kind: str) -> Mapping[str, FormField]:
    """The form of a person or an animal, by field key, in the order of the page."""
    return FORMS[kind]


def is_level(kind: str, field_key: str, level_key: str) -> bool:
    """Whether this form has this field with this level."""
    return level_of(kind, field_key, level_key) is not None


def level_of(kind: str, field_key: str, level_key: str) -> Level | None:
    """The level of a field of a form, None where there is none."""
    found = FORMS[kind].get(field_key)
    return found.level(level_key) if found else None


def entry_for(kind: str, field_key: str, level_key: str) -> Entry | None:
    """The entry a tap files, about today; None where no category fits or the form has no such level."""
    level = level_of(kind, field_key, level_key)
    if level is None or level.category is None:
        return None
    return Entry(
        level.category,
        asserted=level.asserted,
        signs=dict(level.signs),
        today="yes",
        why=(f"form:{field_key}:{level_key}",),
    )


def worst(levels: Iterable[Level]) -> Level | None:
    """The level of most concern among several fills, the later one of equals; None where nobody tapped."""
    found: Level | None = None
    for level in levels:
        if found is None or level.rank >= found.rank:
            found = level
    return found
