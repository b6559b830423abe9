"""What families' time words mean, each read on Friday 16 May 2025 at nine in the evening."""

from __future__ import annotations

from datetime import date, datetime
from typing import Literal

import pytest

from twin.rules.entries import ReadingContext, Since
from twin.rules.when import TimeMention, find_times, onset_of

Language = Literal["en", "tr"]
FRIDAY = date(2025, 5, 16)


def read(
    text: str,
    language: Language = "en",
    *,
    hour: int = 21,
    day: date = FRIDAY,
    species: str = "cat",
    born: date | None = date(2016, 1, 1),
    names: tuple[tuple[str, str], ...] = (),
) -> tuple[TimeMention, ...]:
    context = ReadingContext(language, species, day, hour, born, names)
    return find_times(text, context=context)


def shown(since: Since) -> str:
    if since.kind == "date":
        return f"{since.on} {since.precision}"
    return f"age {since.low_months} {since.high_months}" if since.kind == "age" else "phrase"


def onsets(text: str, language: Language, species: str = "cat") -> list[str]:
    return [shown(m.since) for m in read(text, language, species=species) if m.since]


# Words, and the one onset they give: a date and its precision, an age in months, a phrase, or none.
ENGLISH: tuple[tuple[str, str], ...] = (
    ("a couple of weeks ago", "2025-05-02 week"), ("the week before last", "2025-04-28 week"),
    ("3 days prior", "2025-05-13 day"), ("2 days before yesterday", "2025-05-13 day"),
    ("a fortnight ago", "2025-05-02 week"), ("two and a half hours ago", "2025-05-16 day"),
    ("half a year ago", "2024-11-16 month"), ("a year and a half ago", "2023-11-16 month"),
    ("3 weeks and 2 days ago", "2025-04-23 day"), ("six months back", "2024-11-16 month"),
    ("earlier this week", "2025-05-12 week"), ("beginning of this month", "2025-05-01 month"),
    ("at the end of last month", "2025-04-01 month"), ("late last year", "2024-01-01 year"),
    ("the third monday of january 2017", "2017-01-16 day"), ("last friday of april", "2025-04-25 day"),
    ("15th of last month", "2025-04-15 day"), ("on the 3rd", "2025-05-03 day"),
    ("since the 20th", "2025-04-20 day"), ("8pm last night", "2025-05-15 day"),
    ("half past three this morning", "2025-05-16 day"), ("noon yesterday", "2025-05-15 day"),
    ("at quarter to 5", "2025-05-16 day"), ("around 7", "None"), ("Apr. 5th, 2016", "2016-04-05 day"),
    ("the fifth of may 2017", "2017-05-05 day"), ("22nd June '17", "2017-06-22 day"),
    ("2019/08/01", "2019-08-01 day"), ("21.04.2016", "2016-04-21 day"), ("3/5/2024", "2024-01-01 year"),
    ("25/12/2024", "2024-12-25 day"), ("from 4 to 22 april", "2025-04-04 day"),
    ("mid-august", "2024-08-01 month"), ("june 2016", "2016-06-01 month"), ("in 2016", "2016-01-01 year"),
    ("in the 90s", "1990-01-01 year"), ("since christmas", "2024-12-25 day"),
    ("last easter", "2025-04-20 day"), ("since mother's day", "2025-05-11 day"),
    ("over christmas 2023", "2023-12-25 day"), ("on boxing day", "2024-12-26 day"),
    ("since last tuesday", "2025-05-13 day"), ("monday morning", "2025-05-12 day"),
    ("last week on wednesday", "2025-05-07 day"), ("wednesday of last week", "2025-05-07 day"),
    ("the friday before last", "2025-05-02 day"), ("this past monday", "2025-05-12 day"),
    ("friday", "2025-05-16 day"), ("last friday", "2025-05-09 day"),
    ("over the weekend", "2025-05-05 week"), ("last weekend", "2025-05-05 week"),
    ("two weekends ago", "2025-05-02 week"), ("last summer", "2024-06-01 season"),
    ("last winter", "2024-12-01 season"), ("this spring", "2025-03-01 season"),
    ("in the autumn", "2024-09-01 season"), ("winter 2023", "2023-12-01 season"),
    ("summer of 2022", "2022-06-01 season"), ("for the past few days", "phrase"),
    ("a few weeks ago", "phrase"), ("for 3 or 4 days", "phrase"),
    ("in the last 48 hours", "2025-05-14 day"), ("over the past month", "2025-04-16 month"),
    ("for the last year", "2024-05-16 year"), ("these past two weeks", "2025-05-02 week"),
    ("two days in a row", "2025-05-14 day"), ("for the second day running", "2025-05-15 day"),
    ("hasn't eaten in two days", "2025-05-14 day"), ("been about a week", "2025-05-09 week"),
    ("for a month now", "2025-04-16 month"), ("every tuesday", "None"), ("on mondays", "None"),
    ("3 times a day", "None"), ("tomorrow", "None"), ("next week", "None"), ("in 3 days", "None"),
    ("a week from now", "None"), ("this sunday", "None"), ("two tablets a day", "None"),
    ("I have two cats", "None"), ("it may be serious", "None"), ("he marched around", "None"),
    ("yesteday evening", "2025-05-15 day"), ("since tuseday", "2025-05-13 day"),
    ("on thrusday", "2025-05-15 day"), ("ystrday", "2025-05-15 day"), ("since wensday", "2025-05-14 day"),
    ("back in febuary", "2025-02-01 month"), ("when he was 6 weeks old", "age 1 1"),
    ("at 18 months", "age 18 18"), ("when she was about 4", "age 48 59"),
    ("at the age of five", "age 60 71"), ("as a toddler", "age 12 35"),
    ("since she was a puppy", "age 0 12"), ("since birth", "age 0 0"), ("in his puppyhood", "age 0 12"),
    ("as a newborn", "age 0 1"), ("when he was little", "phrase"), ("she is 3 years old", "None"),
    ("a 2 year old cat", "None"), ("since the fall", "phrase"), ("since his operation", "phrase"),
    ("limping since", "phrase"), ("that weekend", "phrase"), ("the vet appointment is on friday", "None"),
    ("we will see her on monday", "None"), ("she'll go on june 3rd", "None"),
    ("all week", "2025-05-12 week"), ("all night", "2025-05-15 day"),
    ("in the middle of the night", "2025-05-15 day"), ("early this morning", "2025-05-16 day"),
    ("late last night", "2025-05-15 day"), ("sometime last week", "2025-05-05 week"),
    ("first week of march", "2025-02-24 week"), ("the week of March 3", "2025-03-03 week"),
    ("Q3 2018", "2018-07-01 season"), ("since the start of the year", "2025-01-01 year"),
    ("2 sundays ago", "2025-05-04 day"), ("until yesterday", "2025-05-15 day"),
    ("at 11pm", "2025-05-15 day"), ("at 3am", "2025-05-16 day"), ("at 2am", "2025-05-15 day"),
    ("for an hour", "None"), ("twice in the last week", "2025-05-09 week"),
    ("one day last week", "2025-05-05 week"), ("since new year", "2025-01-01 day"),
    ("a day ago", "2025-05-15 day"), ("30 minutes ago", "2025-05-16 day"),
    ("ten days ago", "2025-05-06 day"), ("a decade ago", "2015-05-16 year"),
    ("12 hrs ago", "2025-05-16 day"), ("20 hours ago", "2025-05-15 day"), ("since 2 pm", "2025-05-16 day"),
    ("since early april", "2025-04-01 month"), ("at christmas", "2024-12-25 day"),
    ("on valentines day", "2025-02-14 day"), ("the other day", "phrase"), ("used to it now", "None"),
    ("march 3 2024 at 5pm", "2024-03-03 day"), ("on the evening of the 5th", "2025-05-05 day"),
    ("a year ago today", "2024-05-16 year"), ("last month's checkup", "2025-04-01 month"),
    ("last year's rash", "2024-01-01 year"), ("yesterday's walk", "2025-05-15 day"),
    ("since january last year", "2024-01-01 month"), ("in june last year", "2024-06-01 month"),
    ("last march", "2025-03-01 month"), ("last june", "2024-06-01 month"),
    ("this morning around 9:30", "2025-05-16 day"), ("the last time was in november", "2024-11-01 month"),
    ("sometime in february", "2025-02-01 month"), ("his 2nd birthday", "None"), ("grade 2", "None"),
    ("7/10 pain", "None"), ("temp 38.5 at noon", "2025-05-16 day"), ("5 of 7", "None"),
    ("weighs 4.2", "None"), ("gave 2.5 ml", "None"), ("third time this week", "2025-05-12 week"),
    ("on sat", "2025-05-10 day"), ("he sat in the sun", "None"),
    ("since dinner last night", "2025-05-15 day"), ("since he woke up", "2025-05-16 day"),
    ("from last night onwards", "2025-05-15 day"), ("pulse in the 90s", "None"), ("weighs 14.20", "None"),
    ("since we moved house in april", "2025-04-01 month"),
    ("since we changed the litter last week", "2025-05-05 week"),
    ("from friday to sunday", "2025-05-09 day"), ("between monday and wednesday", "2025-05-12 day"),
    ("coughed all her life", "age 0 0"), ("a few minutes ago", "2025-05-16 day"),
    ("a few hours ago", "2025-05-16 day"), ("a week last tuesday", "2025-05-06 day"),
    ("a week on monday", "None"), ("a day or two ago", "phrase"), ("for a week or so", "2025-05-09 week"),
    ("two days after the operation", "phrase"), ("when they were kittens", "age 0 6"),
    ("from a young age", "phrase"), ("2nite", "2025-05-16 day"), ("over the wkend", "2025-05-05 week"),
    ("weekend before last", "2025-04-28 week"), ("this winter", "2024-12-01 season"),
    ("this summer", "None"), ("all winter", "2024-12-01 season"), ("in the nineties", "1990-01-01 year"),
    ("last month on the 5th", "2025-04-05 day"), ("three hundred days ago", "2024-07-20 day"),
    ("10 days hence", "None"), ("after 3 days", "None"), ("it was gone by tuesday", "None"),
    ("used to bring up hairballs", "phrase"), ("she got used to running", "None"),
    ("has been wheezing for two hours", "2025-05-16 day"), ("the walk took two hours", "None"),
    ("she was limping for a week", "phrase"), ("lost 2 kg in three weeks", "2025-04-25 week"),
    ("around midnight", "2025-05-15 day"), ("this time last year", "2024-01-01 year"),
    ("ramadan 2024", "2024-03-01 month"),
)  # fmt: skip

TURKISH: tuple[tuple[str, str], ...] = (
    ("3 gün önce", "2025-05-13 day"), ("iki buçuk hafta önce", "2025-04-29 day"),
    ("bir buçuk yıl önce", "2023-11-16 month"), ("yarım saat önce", "2025-05-16 day"),
    ("bir hafta 3 gün önce", "2025-05-06 day"), ("geçen salı", "2025-05-13 day"),
    ("geçen cuma", "2025-05-09 day"), ("cumadan beri", "2025-05-16 day"),
    ("pazartesi sabahı", "2025-05-12 day"), ("geçen haftanın çarşambası", "2025-05-07 day"),
    ("geçen hafta çarşamba günü", "2025-05-07 day"), ("perşembe akşamından beri", "2025-05-15 day"),
    ("evvelki gün", "2025-05-14 day"), ("önceki gün", "2025-05-14 day"), ("evvelsi gece", "2025-05-14 day"),
    ("dün akşam 8'de", "2025-05-15 day"), ("dünden beri", "2025-05-15 day"), ("bu sabah", "2025-05-16 day"),
    ("sabahtan beri", "2025-05-16 day"), ("öğleden sonra", "2025-05-16 day"),
    ("akşamdan beri", "2025-05-16 day"), ("gece 3'te", "2025-05-16 day"), ("gece 1'de", "2025-05-15 day"),
    ("saat 14:30'da", "2025-05-16 day"), ("saat beşte", "2025-05-16 day"),
    ("saat 23:00'te", "2025-05-15 day"), ("geçen ay", "2025-04-01 month"), ("geçen yıl", "2024-01-01 year"),
    ("geçen sene", "2024-01-01 year"), ("evvelki sene", "2023-01-01 year"), ("bu hafta", "2025-05-12 week"),
    ("hafta sonu", "2025-05-05 week"), ("geçen hafta sonundan beri", "2025-05-05 week"),
    ("geçen yaz", "2024-06-01 season"), ("geçen kış", "2024-12-01 season"),
    ("bu ilkbaharda", "2025-03-01 season"), ("yazın", "2024-06-01 season"),
    ("kıştan beri", "2024-12-01 season"), ("2022 yazında", "2022-06-01 season"),
    ("nisanda", "2025-04-01 month"), ("nisan ayında", "2025-04-01 month"),
    ("geçen nisan", "2025-04-01 month"), ("geçen haziran ayında", "2024-06-01 month"),
    ("ocak ayından beri", "2025-01-01 month"), ("ocak 2023'te", "2023-01-01 month"),
    ("2023 yılının mart ayında", "2023-03-01 month"), ("mart sonunda", "2025-03-01 month"),
    ("şubat ortalarından beri", "2025-02-01 month"), ("2021'den beri", "2021-01-01 year"),
    ("2020 yılında", "2020-01-01 year"), ("90'lı yıllarda", "1990-01-01 year"),
    ("12 mayıs", "2025-05-12 day"), ("12 Mayıs 2023", "2023-05-12 day"),
    ("12 mayıs 2023'te", "2023-05-12 day"), ("23.04.2024", "2024-04-23 day"),
    ("3/5/2024 tarihinden beri", "2024-05-03 day"), ("ayın 3'ünde", "2025-05-03 day"),
    ("ayın beşinden beri", "2025-05-05 day"), ("geçen ayın 20'sinde", "2025-04-20 day"),
    ("mayısın 3'ünde", "2025-05-03 day"), ("14'ünden beri", "2025-05-14 day"),
    ("iki haftadır", "2025-05-02 week"), ("on gündür", "2025-05-06 day"), ("bir aydır", "2025-04-16 month"),
    ("yarım saattir", "2025-05-16 day"), ("24 saattir", "2025-05-15 day"),
    ("son iki gündür", "2025-05-14 day"), ("son bir haftadır", "2025-05-09 week"),
    ("son 3 ayda", "2025-02-16 month"), ("birkaç gündür", "phrase"), ("3-4 gündür", "phrase"),
    ("üç beş gündür", "phrase"), ("birkaç hafta önce", "phrase"), ("uzun zamandır", "phrase"),
    ("günlerdir", "phrase"), ("2 günden beri", "2025-05-14 day"), ("3 gün oldu", "2025-05-13 day"),
    ("iki haftayı aşkın süredir", "2025-05-02 week"), ("3 gün üst üste kustu", "2025-05-13 day"),
    ("her gün", "None"), ("her salı", "None"), ("günde 3 kez", "None"), ("haftada bir", "None"),
    ("iki günde bir", "None"), ("yarın", "None"), ("gelecek hafta", "None"), ("haftaya", "None"),
    ("3 gün sonra", "None"), ("iki hafta içinde", "None"), ("önümüzdeki pazartesi", "None"),
    ("cuma günü veterinere götüreceğiz", "None"), ("bu pazar", "None"), ("2 saat sürdü", "None"),
    ("yavruyken", "age 0 6"), ("bebekken", "age 0 6"), ("6 aylıkken", "age 6 6"),
    ("8 haftalıkken", "age 1 1"), ("bir buçuk yaşındayken", "age 18 23"), ("5 yaşındayken", "age 60 71"),
    ("3 yaşındaki kedim", "None"), ("3 yaşında bir kedi", "None"), ("4 aylık yavru", "None"),
    ("doğuştan", "age 0 0"), ("doğduğundan beri", "age 0 0"), ("yavruluğundan beri", "age 0 6"),
    ("küçükken", "phrase"), ("eskiden", "phrase"), ("ameliyattan beri", "phrase"),
    ("taşındığımızdan beri", "phrase"), ("yılbaşından beri", "2025-01-01 day"),
    ("ramazan bayramında", "2025-03-30 day"), ("kurban bayramından beri", "2024-06-16 day"),
    ("23 nisanda", "2025-04-23 day"), ("geçen gün", "phrase"), ("gecen pazartesi", "2025-05-12 day"),
    ("evelsi gun", "2025-05-14 day"), ("dunden beri", "2025-05-15 day"), ("bugün öğlen", "2025-05-16 day"),
    ("demin", "2025-05-16 day"), ("ağustosta", "2024-08-01 month"),
    ("pazartesiden bu yana", "2025-05-12 day"), ("carsanbadan beri", "2025-05-14 day"),
    ("perşmbe günü", "2025-05-15 day"), ("hafta başından beri", "2025-05-12 week"),
    ("ayın başında", "2025-05-01 month"), ("yıl başından beri", "2025-01-01 year"),
    ("dün sabahtan beri", "2025-05-15 day"), ("bütün gece", "2025-05-15 day"),
    ("gece boyunca", "2025-05-15 day"), ("gece yarısından beri", "2025-05-15 day"),
    ("saatlerdir", "phrase"), ("bi haftadır", "2025-05-09 week"),
    ("1 haftadan fazladır", "2025-05-09 week"), ("3 yıldır", "2022-05-16 year"), ("senelerdir", "phrase"),
    ("mayısın ilk haftasında", "2025-04-28 week"), ("geçen ayın son haftası", "2025-04-28 week"),
    ("mart ayının üçüncü pazartesisi", "2025-03-17 day"), ("ocakta yemek pişerken", "2025-01-01 month"),
    ("martı gördü", "None"), ("pazara gittik", "None"), ("aralıklı öksürüyor", "None"),
    ("salona girdi", "None"), ("yazı yazdı", "None"), ("ekimi", "None"), ("onun kulağı", "None"),
    ("ikisi de iyi", "None"), ("gündüz uyuyor", "None"),
    ("akşam yemeğinden beri", "2025-05-16 day"), ("uyandığından beri", "2025-05-16 day"),
    ("7'de 20 gr yedi", "2025-05-16 day"), ("5'te biri", "None"), ("kilosu 14.20 oldu", "None"),
    ("10 gün içinde 2 kilo verdi", "2025-05-06 day"), ("iki hafta içinde gidecek", "None"),
    ("nisanda taşındığımızdan beri", "2025-04-01 month"), ("cumadan pazara kadar", "2025-05-09 day"),
    ("birkaç dakika önce", "2025-05-16 day"), ("bir yıldan fazla oldu", "2024-05-16 year"),
    ("ameliyattan 2 gün sonra", "phrase"), ("üst üste iki gece", "2025-05-14 day"),
    ("pzt günü", "2025-05-12 day"), ("önceki akşam", "2025-05-14 day"), ("küçüklüğünden beri", "phrase"),
    ("üç buçukta", "2025-05-16 day"), ("bu kış", "2024-12-01 season"), ("12/5 tarihinde", "2025-05-12 day"),
    ("geçen bayramda", "phrase"), ("ramazanda", "2025-03-01 month"), ("iki salı önce", "2025-05-06 day"),
    ("dünden iki gün önce", "2025-05-13 day"), ("pazartesi günleri", "None"), ("haftaya salı", "None"),
    ("yılın ilk çeyreğinde", "2025-01-01 season"), ("doksanlı yıllarda", "1990-01-01 year"),
    ("10-12 mayıs", "2025-05-10 day"), ("haziranda aşısı var", "None"),
    ("3 gün sonra kontrolü var", "None"), ("4 yaşında astım oldu", "age 48 59"),
)  # fmt: skip


@pytest.mark.parametrize(("text", "onset"), ENGLISH)
def test_english_words_give_this_onset(text: str, onset: str) -> None:
    species = "dog" if "pup" in text else "cat"
    assert onsets(text, "en", species)[:1] == ([] if onset == "None" else [onset])


@pytest.mark.parametrize(("text", "onset"), TURKISH)
def test_turkish_words_give_this_onset(text: str, onset: str) -> None:
    assert onsets(text, "tr")[:1] == ([] if onset == "None" else [onset])


@pytest.mark.parametrize(
    ("text", "language", "words", "role", "today"),
    [
        ("Milo was sick this morning but he's fine now", "en", ["this morning", "now"],
         ["moment", "now"], ["yes", "yes"]),
        ("she's still scratching", "en", ["still"], ["now"], ["yes"]),
        ("stiff every morning, been about a month", "en", ["every morning", "about a month"],
         ["frequency", "duration"], [None, "yes"]),
        ("was fine yesterday, limping again today", "en", ["yesterday", "again", "today"],
         ["moment", "now", "moment"], ["no", "yes", "yes"]),
        ("itchy since last autumn", "en", ["since last autumn"], ["onset"], ["yes"]),
        ("coughed a bit this week", "en", ["this week"], ["moment"], ["unknown"]),
        ("limping since he slipped, poor thing", "en", ["since he slipped"], ["event"], ["yes"]),
        ("sneezes now and then", "en", ["now and then"], ["frequency"], [None]),
        ("had fits when he was a puppy", "en", ["when he was a puppy"], ["age"], ["no"]),
        ("quiet lately", "en", ["lately"], ["vague"], ["yes"]),
        ("her check is next tuesday at 3", "en", ["next tuesday at 3"], ["future"], [None]),
        ("dün akşamdan beri kaşınıyor", "tr", ["dün akşamdan beri"], ["onset"], ["yes"]),
        ("hâlâ öksürüyor", "tr", ["hâlâ"], ["now"], ["yes"]),
        ("bu hafta iki kez kustu", "tr", ["bu hafta"], ["moment"], ["unknown"]),
        ("Salı'dan beri ara sıra topallıyor", "tr", ["Salı'dan beri", "ara sıra"],
         ["onset", "frequency"], ["yes", None]),
        ("eskiden korkardı, artık korkmuyor", "tr", ["eskiden", "artık"], ["vague", "now"], ["no", "yes"]),
        ("yarın veterinere gidiyoruz", "tr", ["yarın"], ["future"], [None]),
        ("14 Mart 2025 Cuma günü düştü", "tr", ["14 Mart 2025 Cuma günü"], ["moment"], ["no"]),
    ],
)  # fmt: skip
def test_each_run_of_time_words_is_found_whole_with_its_part(
    text: str, language: Language, words: list[str], role: list[str], today: list[str | None]
) -> None:
    found = read(text, language)
    assert [m.words for m in found] == words
    assert [m.role for m in found] == role
    assert [m.today for m in found] == today


@pytest.mark.parametrize(
    ("text", "language", "hour", "on"),
    [
        ("vomited at 11pm", "en", 23, date(2025, 5, 16)),
        ("vomited at 11pm", "en", 1, date(2025, 5, 16)),
        ("vomited at 11pm", "en", 8, date(2025, 5, 15)),
        ("vomited at 1am", "en", 2, date(2025, 5, 16)),
        ("vomited at 1am", "en", 8, date(2025, 5, 15)),
        ("woke at 4am", "en", 8, date(2025, 5, 16)),
        ("this morning", "en", 1, date(2025, 5, 16)),
        ("yesterday", "en", 1, date(2025, 5, 15)),
        ("5 hours ago", "en", 1, date(2025, 5, 16)),
        ("10 hours ago", "en", 8, date(2025, 5, 15)),
        ("gece 1'de uyandı", "tr", 8, date(2025, 5, 15)),
        ("gece 4'te uyandı", "tr", 8, date(2025, 5, 16)),
        ("akşam kustu", "tr", 8, date(2025, 5, 15)),
        ("akşam kustu", "tr", 20, date(2025, 5, 16)),
        ("saat 23:00'te", "tr", 8, date(2025, 5, 15)),
    ],
)
def test_the_small_hours_belong_to_the_evening_before(
    text: str, language: Language, hour: int, on: date
) -> None:
    (mention,) = read(text, language, hour=hour)
    assert mention.since == Since("date", on, "day")


@pytest.mark.parametrize(
    ("text", "language", "day", "on"),
    [
        ("since new year's eve", "en", date(2026, 1, 2), date(2025, 12, 31)),
        ("last week", "en", date(2026, 1, 2), date(2025, 12, 22)),
        ("last month", "en", date(2026, 1, 31), date(2025, 12, 1)),
        ("a month ago", "en", date(2025, 3, 31), date(2025, 2, 28)),
        ("a year ago", "en", date(2024, 2, 29), date(2023, 2, 28)),
        ("29 february", "en", date(2025, 3, 1), date(2024, 2, 29)),
        ("3 days ago", "en", date(2025, 4, 1), date(2025, 3, 29)),
        ("last winter", "en", date(2026, 1, 15), date(2024, 12, 1)),
        ("this winter", "en", date(2026, 1, 15), date(2025, 12, 1)),
        ("yılbaşı gecesinden beri", "tr", date(2026, 1, 2), date(2025, 12, 31)),
        ("geçen hafta", "tr", date(2026, 1, 2), date(2025, 12, 22)),
        ("aralıkta", "tr", date(2026, 1, 2), date(2025, 12, 1)),
        ("geçen kış", "tr", date(2026, 1, 15), date(2024, 12, 1)),
        ("2 gündür", "tr", date(2025, 3, 1), date(2025, 2, 27)),
    ],
)
def test_years_months_and_clock_changes_are_crossed(
    text: str, language: Language, day: date, on: date
) -> None:
    (mention,) = read(text, language, day=day, hour=12)
    assert mention.since is not None and mention.since.on == on


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("the vet is booked for friday", "en"),
        ("we're going to see her on monday", "en"),
        ("she'll have it done in june", "en"),
        ("pazartesi götüreceğiz", "tr"),
        ("cuma günü randevumuz var", "tr"),
    ],
)
def test_a_verb_of_the_future_leaves_no_onset(text: str, language: Language) -> None:
    assert [m.role for m in read(text, language)] == ["future"]
    assert onsets(text, language) == []


def test_a_length_inside_a_dated_moment_is_no_onset() -> None:
    found = read("he screamed for 3 days last month")
    assert [m.since and shown(m.since) for m in found] == [None, "2025-04-01 month"]


def test_ever_since_takes_the_moment_named_before() -> None:
    found = read("changed food in march and she has been itchy ever since")
    assert [m.since and shown(m.since) for m in found] == ["2025-03-01 month"] * 2
    found = read("şubatta mama değişti, o zamandan beri kaşınıyor", "tr")
    assert [m.since and shown(m.since) for m in found] == ["2025-02-01 month"] * 2


def test_a_name_of_the_household_is_no_month() -> None:
    assert read("June threw up", names=(("June", "cat"),)) == ()
    assert read("Eylül kustu", "tr", names=(("Eylül", "cat"),)) == ()
    assert onsets("in june", "en") == ["2024-06-01 month"]


@pytest.mark.parametrize(
    ("species", "months"), [("cat", "age 0 6"), ("dog", "age 0 12"), ("rabbit", "age 0 6")]
)
def test_a_turkish_young_one_is_as_young_as_its_kind(species: str, months: str) -> None:
    assert onsets("yavruyken", "tr", species) == [months]


def test_an_age_not_yet_reached_is_no_onset() -> None:
    assert onsets("at 12 years old", "en") == []
    assert onsets("12 yaşındayken", "tr") == []


@pytest.mark.parametrize(
    ("text", "language", "on"),
    [
        ("I'll be back on Friday", "en", date(2025, 5, 16)),
        ("now", "en", date(2025, 5, 16)),
        ("şimdi", "tr", date(2025, 5, 16)),
        ("3/5/2024", "en", date(2024, 3, 5)),
        ("3/5/2024", "tr", date(2024, 5, 3)),
    ],
)
def test_the_onset_of_an_expression_looks_back_whatever_the_verb(
    text: str, language: Language, on: date
) -> None:
    since = onset_of(text, language=language, reference=datetime(2025, 5, 16, 21))
    assert since is not None and since.on == on
