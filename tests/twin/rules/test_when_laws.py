"""Laws of the time reader: no future onset, no finer precision than the words, verbatim spans, total."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from twin.rules.entries import Precision, ReadingContext
from twin.rules.when import TimeMention, find_times, onset_of
from twin.rules.when.calendar import RANK, first_of
from twin.rules.when.english import words as english
from twin.rules.when.turkish import words as turkish

Language = Literal["en", "tr"]
DAYS = st.dates(date(1995, 1, 1), date(2060, 12, 31))
HOURS = st.integers(0, 23)
LANGUAGES: st.SearchStrategy[Language] = st.sampled_from(("en", "tr"))
GLUE = (
    "on", "at", "in", "since", "the", "of", "last", "this", "next", "and", "a", ",", ".", "-", "/",
    "for", "ago", "beri", "önce", "sonra", "geçen", "bu", "son", "her", "bir", "3", "12", "31", "2024",
    "1999", "5am", "14'ünde", "29", "kadar", "içinde", "'", "will", "every", "half", "early", "end",
    "old", "yaşında", "couple", "was", "few", "iki", "buçuk", "from", "to", "before", "after", "2019'da",
    "02", ":", "30", "been", "pm",
)  # fmt: skip
TAILS = ("", "dir", "dan", "de", "lar", "nin", "lik", "likken")
VOCABULARY = sorted(
    {
        *GLUE,
        *english.WEEKDAYS, *english.MONTHS, *english.SEASONS, *english.UNITS, *english.NUMBERS,
        *english.PARTS,
        *(word for words in english.HOLIDAYS for word in words),
        *(word for words in english.SET_PHRASES for word in words),
        *(f"{unit}s" for unit in english.UNITS),
        *turkish.WEEKDAYS, *turkish.MONTHS, *turkish.SEASONS, *turkish.NUMBERS, *turkish.PARTS,
        *(word for words in turkish.HOLIDAYS for word in words),
        *(word for words in turkish.SET_PHRASES for word in words),
        *(f"{unit}{end}" for unit in turkish.UNITS for end in TAILS),
        *(f"{name}{end}" for name in turkish.MONTHS for end in ("da", "dan", "in", "a")),
    }
)  # fmt: skip
TIMELY_TEXT = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=14).map(" ".join)
GLUED_TEXT = st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=6).map("".join)


def read(
    text: str, language: Language, day: date, hour: int = 12, born: date | None = None
) -> tuple[TimeMention, ...]:
    context = ReadingContext(language=language, species="cat", spoken_on=day, spoken_hour=hour, born_on=born)
    return find_times(text, context=context)


def check(text: str, found: tuple[TimeMention, ...], day: date) -> None:
    """Spans are verbatim, in order and apart; no onset lies ahead; frequency and future have none."""
    last = 0
    for mention in found:
        assert last <= mention.start < mention.end <= len(text)
        assert mention.words == text[mention.start : mention.end]
        last = mention.end
        if mention.role in ("now", "frequency", "future"):
            assert mention.since is None
        if mention.since and mention.since.kind == "date":
            assert mention.since.on is not None
            assert mention.since.precision is not None
            assert mention.since.on <= day
        if mention.since and mention.since.kind == "age":
            assert mention.since.low_months is not None and mention.since.high_months is not None
            assert 0 <= mention.since.low_months <= mention.since.high_months


@settings(max_examples=250, deadline=None)
@given(text=TIMELY_TEXT | GLUED_TEXT, language=LANGUAGES, day=DAYS, hour=HOURS)
@example(text="since february 29", language="en", day=date(2025, 3, 1), hour=0)
@example(text="31 şubattan beri", language="tr", day=date(2025, 3, 1), hour=2)
def test_no_time_words_give_a_future_onset(text: str, language: Language, day: date, hour: int) -> None:
    check(text, read(text, language, day, hour), day)


@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=300), language=LANGUAGES, day=DAYS, hour=HOURS)
@example(text="²½ ٣ gün İı ŞĞ", language="tr", day=date(2025, 1, 1), hour=1)
@example(text="½ day ago ² weeks ago", language="en", day=date(2025, 1, 1), hour=1)
@example(text="'" * 50, language="en", day=date(2025, 1, 1), hour=1)
def test_any_text_is_read_without_an_exception(text: str, language: Language, day: date, hour: int) -> None:
    check(text, read(text, language, day, hour), day)


@settings(max_examples=150, deadline=None)
@given(text=TIMELY_TEXT, language=LANGUAGES, moment=st.datetimes(datetime(1995, 1, 1), datetime(2060, 1, 1)))
def test_the_onset_of_a_plain_expression_is_never_ahead(
    text: str, language: Language, moment: datetime
) -> None:
    since = onset_of(text, language=language, reference=moment)
    assert since is None or since.on is None or since.on <= moment.date()


ENGLISH_UNITS: tuple[tuple[str, Precision], ...] = (
    ("days", "day"), ("weeks", "week"), ("months", "month"), ("years", "year"), ("hours", "day"),
)  # fmt: skip
TURKISH_UNITS: tuple[tuple[str, Precision], ...] = (
    ("gün", "day"), ("hafta", "week"), ("ay", "month"), ("yıl", "year"), ("saat", "day"),
)  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(number=st.integers(2, 40), unit=st.sampled_from(ENGLISH_UNITS), day=DAYS, frame=st.sampled_from(
    ("{} {} ago", "{} {} back", "for the last {} {}", "over the past {} {}", "about {} {} ago")))  # fmt: skip
def test_counted_english_is_never_finer_than_its_unit(
    number: int, unit: tuple[str, Precision], day: date, frame: str
) -> None:
    (mention,) = read(frame.format(number, unit[0]), "en", day)
    assert mention.since is not None and mention.since.precision is not None
    assert RANK[mention.since.precision] == RANK[unit[1]]


@settings(max_examples=30, deadline=None)
@given(number=st.integers(2, 40), unit=st.sampled_from(TURKISH_UNITS), day=DAYS, frame=st.sampled_from(
    ("{} {} önce", "{} {} evvel", "son {} {}", "yaklaşık {} {} önce")))  # fmt: skip
def test_counted_turkish_is_never_finer_than_its_unit(
    number: int, unit: tuple[str, Precision], day: date, frame: str
) -> None:
    (mention,) = read(frame.format(number, unit[0]), "tr", day)
    assert mention.since is not None and mention.since.precision is not None
    assert RANK[mention.since.precision] == RANK[unit[1]]


@settings(max_examples=30, deadline=None)
@given(day=DAYS, month=st.sampled_from(sorted(turkish.MONTHS)))
def test_a_month_alone_is_its_first_day_and_within_the_last_year(day: date, month: str) -> None:
    for mention in read(f"{month} ayından beri", "tr", day):
        assert mention.since is not None and mention.since.on is not None
        assert mention.since.precision == "month" and mention.since.on.day == 1
        assert day - timedelta(days=366) <= mention.since.on <= day


@settings(max_examples=30, deadline=None)
@given(day=DAYS, weekday=st.sampled_from(sorted(english.WEEKDAYS)))
def test_a_symptoms_weekday_is_the_latest_one_not_after_the_day(day: date, weekday: str) -> None:
    (bare,) = read(f"since {weekday}", "en", day)
    (last,) = read(f"last {weekday}", "en", day)
    assert bare.since and bare.since.on and last.since and last.since.on
    assert bare.since.on.weekday() == english.WEEKDAYS[weekday] == last.since.on.weekday()
    assert 0 <= (day - bare.since.on).days <= 6
    assert 1 <= (day - last.since.on).days <= 7


@settings(max_examples=30, deadline=None)
@given(day=DAYS, season=st.sampled_from(("spring", "summer", "autumn", "winter")))
def test_last_season_has_ended_and_is_the_latest_that_has(day: date, season: str) -> None:
    (mention,) = read(f"last {season}", "en", day)
    assert mention.since and mention.since.on
    start = mention.since.on
    assert first_of(start, "season") == start
    assert 90 <= (day - start).days <= 366 + 92


ZONES = ("Pacific/Pago_Pago", "America/New_York", "Europe/London", "Europe/Istanbul", "Asia/Kathmandu",
         "Pacific/Apia", "Pacific/Kiritimati", "Australia/Lord_Howe")  # fmt: skip
SENTENCES: tuple[tuple[str, Language, int], ...] = (
    ("since yesterday", "en", 1), ("3 days ago", "en", 3), ("this morning", "en", 0),
    ("dünden beri", "tr", 1),
    ("4 gündür", "tr", 4), ("bu sabah", "tr", 0), ("last night", "en", 1), ("evvelsi gün", "tr", 2),
)  # fmt: skip


@pytest.mark.parametrize("zone", ZONES)
@settings(max_examples=30, deadline=None)
@given(
    instant=st.datetimes(datetime(2020, 1, 1), datetime(2027, 12, 31)), sentence=st.sampled_from(SENTENCES)
)
@example(instant=datetime(2025, 3, 30, 1, 30), sentence=SENTENCES[1])
@example(instant=datetime(2025, 10, 26, 1, 30), sentence=SENTENCES[4])
@example(instant=datetime(2024, 12, 31, 23, 59), sentence=SENTENCES[0])
def test_the_answer_counts_from_the_subjects_day_in_every_zone(
    zone: str, instant: datetime, sentence: tuple[str, Language, int]
) -> None:
    local = instant.replace(tzinfo=ZoneInfo("UTC")).astimezone(ZoneInfo(zone))
    day = (local.replace(tzinfo=None) - timedelta(hours=3)).date()
    (mention,) = read(sentence[0], sentence[1], day, local.hour)
    assert mention.since and mention.since.on == day - timedelta(days=sentence[2])


@settings(max_examples=30, deadline=None)
@given(day=DAYS, years=st.integers(1, 15), age=st.integers(1, 20))
def test_an_age_the_subject_has_not_reached_is_no_onset(day: date, years: int, age: int) -> None:
    born = day.replace(year=day.year - years, day=1)
    for mention in read(f"at {age} years old", "en", day, born=born):
        reached = age <= years
        assert (mention.since is not None) == reached


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize(
    "seed",
    [
        "since ",
        "1-",
        "on the ",
        "two weeks and ",
        "3 gün ",
        "geçen ",
        "every other ",
        "'",
        "son bir ",
        "at ",
        "x",
    ],
)
def test_ten_thousand_characters_are_read(seed: str, language: Language) -> None:
    text = (seed * 10_000)[:10_000]
    check(text, read(text, language, date(2025, 5, 16)), date(2025, 5, 16))
