"""The closed English vocabulary of time, folded (lower case, no apostrophes)."""

from __future__ import annotations

from twin.rules.entries import Precision, Today
from twin.rules.when.shapes import Role

WEEKDAYS: dict[str, int] = {
    "monday": 0, "tuesday": 1, "wednesday": 2, "thursday": 3, "friday": 4, "saturday": 5, "sunday": 6,
}  # fmt: skip
SHORT_WEEKDAYS: dict[str, int] = {
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "weds": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5,
    "sun": 6,
}  # fmt: skip
RISKY_WEEKDAYS = frozenset({"sat", "sun", "wed", "mon"})
MONTHS: dict[str, int] = {
    "january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8,
    "september": 9, "october": 10, "november": 11, "december": 12, "jan": 1, "feb": 2, "mar": 3, "apr": 4,
    "jun": 6, "jul": 7, "aug": 8, "sep": 9, "sept": 9, "oct": 10, "nov": 11, "dec": 12,
}  # fmt: skip
RISKY_MONTHS = frozenset({"may", "march", "mar", "jan", "dec", "sep", "jun", "april", "june", "august"})
SEASONS: dict[str, str] = {
    "spring": "spring", "springtime": "spring", "summer": "summer", "summertime": "summer",
    "autumn": "autumn", "fall": "autumn", "winter": "winter", "wintertime": "winter",
}  # fmt: skip
UNITS: dict[str, tuple[Precision, int, int, int]] = {  # unit, months, days, minutes
    "second": ("day", 0, 0, 0), "sec": ("day", 0, 0, 0), "minute": ("day", 0, 0, 1), "min": ("day", 0, 0, 1),
    "hour": ("day", 0, 0, 60), "hr": ("day", 0, 0, 60), "day": ("day", 0, 1, 0), "night": ("day", 0, 1, 0),
    "week": ("week", 0, 7, 0), "wk": ("week", 0, 7, 0), "weekend": ("week", 0, 7, 0),
    "fortnight": ("week", 0, 14, 0), "month": ("month", 1, 0, 0), "mth": ("month", 1, 0, 0),
    "mo": ("month", 1, 0, 0), "mnth": ("month", 1, 0, 0), "year": ("year", 12, 0, 0), "yr": ("year", 12, 0,
    0),
    "decade": ("year", 120, 0, 0), "century": ("year", 1200, 0, 0), "evening": ("day", 0, 1, 0),
    "morning": ("day", 0, 1, 0),
}  # fmt: skip
GLUED_UNITS: dict[str, str] = {
    "d": "day",
    "w": "week",
    "y": "year",
    "h": "hour",
    "m": "minute",
    "day": "day",
}
NUMBERS: dict[str, int] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
    "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40,
    "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
}  # fmt: skip
ORDINALS: dict[str, int] = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8,
    "ninth": 9, "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14,
    "fifteenth": 15, "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20,
    "thirtieth": 30, "last": -1,
}  # fmt: skip
VAGUE_NUMBERS: tuple[tuple[str, ...], ...] = (
    ("a", "good", "few"), ("quite", "a", "few"), ("a", "few"), ("few",), ("several",), ("some",), ("many",),
    ("a", "number", "of"), ("countless",),
)  # fmt: skip
HEDGES = frozenset({
    "about", "around", "roughly", "approximately", "approx", "over", "almost", "nearly", "maybe", "perhaps",
    "like", "probably", "only", "just", "good", "under", "well", "at", "least", "most", "more", "less",
    "than",
    "up", "to", "circa", "ca", "~", "exactly", "another", "further", "solid", "full", "whole", "somewhere",
    "something", "possibly", "already", "now",
})  # fmt: skip
PARTS: dict[str, int] = {  # a part of the day and the hour by which it has begun
    "morning": 6, "afternoon": 12, "evening": 17, "night": 20, "noon": 12, "midday": 12, "lunchtime": 12,
    "lunch": 12, "am": 6, "pm": 12, "dawn": 5, "dusk": 17, "breakfast": 6, "dinner": 17, "dinnertime": 17,
    "bedtime": 19, "teatime": 16, "supper": 17, "morn": 6, "eve": 17, "sunrise": 5, "sunset": 17,
}  # fmt: skip
MEALS = frozenset({
    "breakfast", "lunch", "dinner", "supper", "tea", "lunchtime", "teatime", "dinnertime", "noon", "midday",
    "brunch", "sunrise", "dawn",
})  # fmt: skip
HOLIDAYS: dict[tuple[str, ...], str] = {
    ("christmas", "eve"): "christmas_eve", ("xmas", "eve"): "christmas_eve", ("christmas",
    "day"): "christmas",
    ("christmas",): "christmas", ("xmas",): "christmas", ("xmas", "day"): "christmas",
    ("boxing", "day"): "boxing", ("new", "years", "eve"): "new_year_eve", ("new", "year",
    "eve"): "new_year_eve",
    ("nye",): "new_year_eve", ("new", "years", "day"): "new_year", ("new", "year", "day"): "new_year",
    ("new", "years"): "new_year", ("new", "year"): "new_year", ("valentines", "day"): "valentine",
    ("valentine", "day"): "valentine", ("valentines",): "valentine", ("st", "patricks", "day"): "patrick",
    ("saint", "patricks", "day"): "patrick", ("st", "paddys", "day"): "patrick",
    ("april", "fools", "day"): "april_fools", ("april", "fools"): "april_fools", ("earth", "day"): "earth",
    ("may", "day"): "labour", ("cinco", "de", "mayo"): "cinco", ("juneteenth",): "juneteenth",
    ("independence", "day"): "independence", ("halloween",): "halloween", ("halloween", "day"): "halloween",
    ("all", "hallows", "eve"): "halloween", ("guy", "fawkes", "night"): "guy_fawkes",
    ("guy", "fawkes"): "guy_fawkes", ("bonfire", "night"): "guy_fawkes", ("veterans", "day"): "veterans",
    ("remembrance", "day"): "veterans", ("thanksgiving",): "thanksgiving", ("thanksgiving",
    "day"): "thanksgiving",
    ("thanks", "giving"): "thanksgiving", ("thanks", "giving", "day"): "thanksgiving",
    ("black", "friday"): "black_friday", ("cyber", "monday"): "cyber_monday", ("labor", "day"): "labor",
    ("memorial", "day"): "memorial", ("martin", "luther", "king", "day"): "king", ("mlk", "day"): "king",
    ("martin", "luther", "king", "jr", "day"): "king", ("presidents", "day"): "presidents",
    ("columbus", "day"): "columbus", ("mothers", "day"): "mothers", ("fathers", "day"): "fathers",
    ("mother", "day"): "mothers", ("father", "day"): "fathers", ("womens", "day"): "women",
    ("easter",): "easter", ("easter", "sunday"): "easter", ("easter", "day"): "easter",
    ("easter", "monday"): "easter_monday", ("good", "friday"): "good_friday", ("palm",
    "sunday"): "palm_sunday",
    ("ash", "wednesday"): "ash_wednesday", ("shrove", "tuesday"): "shrove_tuesday",
    ("pancake", "day"): "shrove_tuesday", ("pentecost",): "pentecost", ("whit", "sunday"): "pentecost",
    ("eid", "al", "fitr"): "eid_fitr", ("eid", "ul", "fitr"): "eid_fitr", ("eid", "al", "adha"): "eid_adha",
    ("eid", "ul", "adha"): "eid_adha", ("ramadan",): "ramadan", ("groundhog", "day"): "groundhog",
    ("chinese", "new", "year"): "lunar_new_year", ("lunar", "new", "year"): "lunar_new_year",
    ("chinese", "new", "years"): "lunar_new_year", ("epiphany",): "epiphany", ("twelfth",
    "night"): "epiphany",
    ("nowruz",): "newroz", ("arbor", "day"): "arbor", ("white", "lover", "day"): "white_day",
    ("white", "day"): "white_day", ("youth", "day"): "youth_china", ("all", "saints", "day"): "all_saints",
    ("all", "souls", "day"): "all_souls", ("day", "of", "the", "dead"): "all_souls", ("pi", "day"): "pi",
    ("flag", "day"): "flag", ("tax", "day"): "tax", ("bastille", "day"): "bastille", ("canada",
    "day"): "canada",
    ("australia", "day"): "australia", ("anzac", "day"): "anzac", ("inauguration", "day"): "inauguration",
    ("kings", "day"): "kings", ("singles", "day"): "veterans", ("burns", "night"): "burns",
    ("st", "georges", "day"): "george", ("st", "davids", "day"): "david", ("st", "andrews", "day"): "andrew",
    ("st", "nicholas", "day"): "nicholas", ("santa", "lucia"): "lucia", ("st", "stephens", "day"): "boxing",
    ("earth", "hour"): "earth_hour", ("super", "bowl", "sunday"): "super_bowl", ("super",
    "bowl"): "super_bowl",
    ("super", "sunday"): "super_bowl", ("election", "day"): "election", ("teachers", "day"): "teachers_world",
    ("childrens", "day"): "children_world", ("girls", "day"): "girls", ("international", "womens",
    "day"): "women",
    ("workers", "day"): "labour", ("international", "workers", "day"): "labour", ("labour", "day"): "labour",
    ("orthodox", "easter"): "orthodox_easter", ("greek", "easter"): "orthodox_easter",
    ("maundy", "thursday"): "maundy_thursday", ("holy", "thursday"): "maundy_thursday",
    ("ascension", "day"): "ascension", ("ascension",): "ascension", ("whit", "monday"): "whit_monday",
    ("corpus", "christi"): "corpus_christi", ("mardi", "gras"): "shrove_tuesday",
    ("shrove", "monday"): "shrove_monday", ("fat", "tuesday"): "shrove_tuesday", ("lent",): "ash_wednesday",
    ("holy", "saturday"): "holy_saturday", ("easter", "saturday"): "holy_saturday",
    ("grandparents", "day"): "grandparents", ("boss", "day"): "boss", ("bosss", "day"): "boss",
    ("indigenous", "peoples", "day"): "columbus", ("washingtons", "birthday"): "presidents",
    ("eid",): "eid_fitr", ("diwali",): "diwali", ("deepavali",): "diwali", ("holi",): "holi",
    ("hanukkah",): "hanukkah", ("chanukah",): "hanukkah", ("hannukah",): "hanukkah",
    ("passover",): "passover",
    ("rosh", "hashanah"): "rosh_hashanah", ("yom", "kippur"): "yom_kippur", ("purim",): "purim",
    ("kwanzaa",): "boxing", ("armistice", "day"): "veterans", ("advent",): "advent",
    ("spring", "festival"): "lunar_new_year",
}  # fmt: skip
YOUNG: dict[str, tuple[int, int]] = {
    "kitten": (0, 6), "kitty": (0, 6), "puppy": (0, 12), "pup": (0, 12), "pups": (0, 12), "baby": (0, 12),
    "newborn": (0, 1), "infant": (0, 12), "toddler": (12, 35), "bunny": (0, 6), "chick": (0, 3),
    "kit": (0, 6), "teenager": (156, 239), "teen": (156, 239), "preschooler": (36, 71),
}  # fmt: skip
YOUNG_TIMES: dict[str, tuple[int, int]] = {
    "kittenhood": (0, 6), "puppyhood": (0, 12), "infancy": (0, 12), "babyhood": (0, 12),
    "toddlerhood": (12, 35),
}  # fmt: skip
VAGUE_YOUTH = frozenset({"little", "young", "small", "younger", "smaller", "tiny", "kid", "child", "wee"})
PRONOUNS = frozenset({"he", "she", "it", "they", "i", "we", "you", "hes", "shes", "its"})

# Phrases with one fixed meaning: role, has a phrase onset, today, rule name; then the phrases.
PhraseGroup = tuple[Role, bool, Today | None, str, str]
PHRASE_GROUPS: tuple[PhraseGroup, ...] = (
    ("now", False, "yes", "now",
    "now|right now|at the moment|currently|at present|presently|anymore|any more|"
     "atm|as we speak|by now|any longer|nowdays|for now"),
    ("now", False, "yes", "still", "still|again|yet again|once again|once more|as always|as ever"),
    ("vague", True, "yes", "these days", "lately|these days|nowadays|of late|as of late|these past days"),
    ("vague", True, "unknown", "recently",
    "recently|most recently|more recently|at some point|at some stage|"
     "some time|sometime|some point|some day|one day|one time|another time"),
    ("vague", True, "no", "used to",
    "formerly|previously|in the past|back then|back in the day|at a young age|at an early age|when little|"
    "when young|when small|"
     "once upon a time|in those days|historically|years before|in the olden days|before now"),
    ("vague", True, "no", "a while ago", "a while ago|a while back|awhile ago|awhile back|some time ago|"
     "some time back|sometime ago|ages ago|long ago|a long time ago|long time ago|not long ago|ages back|"
     "way back|way back when|not that long ago|not so long ago|years ago|months ago|weeks ago|days ago|"
     "years back|months back|weeks back|days back|hours ago|quite a while ago|quite a while back|"
     "the other day|the other night|the other week|the other month|the other morning|the other evening|"
     "the other afternoon|the other weekend|a long while ago|a little while ago|"
     "a little while back|a short while ago|decades ago|donkeys years ago"),
    ("vague", True, "yes", "for a while", "for ages|for a while|for a while now|for some time|"
     "for some time now|for a long time|for a long while|for years|for months|for weeks|for days|"
     "for quite a while|for quite some time|for yonks|for a bit|for awhile|for years now|for months now|"
     "for weeks now|for days now|for ages now|for so long|for a long time now|for hours|"
     "for the longest time|"
     "in ages|in a while|in years|in weeks|in months|in days|in a long time|all along|all my life|"
     "from a young age|from an early age|since a young age"),
    ("frequency", False, None, "how often",
    "sometimes|often|usually|occasionally|now and then|now and again|"
     "every now and then|every now and again|from time to time|on and off|off and on|once in a while|"
     "every once in a while|at times|regularly|frequently|rarely|seldom|most days|most nights|"
     "most mornings|"
     "some days|some nights|some mornings|all the time|constantly|always|daily|nightly|weekly|monthly|"
     "yearly|"
     "annually|hourly|fortnightly|biweekly|at night|at nights|at night time|in the mornings|in the evenings|"
     "in the afternoons|mornings|evenings|weekends|weekdays|at weekends|on weekends|on weekdays|"
     "weeknights|"
     "at the weekends|school days|on school days|day and night|day after day|night after night|"
     "week after week|day in day out|time after time|time and again|periodically|intermittently|"
     "a lot of the time|most of the time|half the time|each time|every time|whenever|semiannually|"
     "biannually|bimonthly|quarterly|day to day|round the clock|around the clock"),
    ("future", False, None, "later",
    "tomorrow|tmrw|tmr|tmrrw|tomoro|tomorow|tommorow|tommorrow|2moro|2morrow|"
     "the day after tomorrow|day after tomorrow|later today|later tonight|later this morning|"
     "later this afternoon|later this evening|later this week|later this month|later this year|later on|"
     "soon|some day soon|one day soon|shortly|in a bit|in a while from now|in the future|in future|"
     "any day now|from now on|tomorrows|in due course|later in the week|later in the month|"
     "later in the year|rest of the week|rest of the month|rest of the year|the rest of the day|"
     "rest of the day|rest of today|rest of this week|rest of this month|rest of this year|"
     "the following week|the following day|the following month|the following year|the next day|"
     "the next morning|the day after|the week after"),
)  # fmt: skip
SET_PHRASES: dict[tuple[str, ...], tuple[Role, bool, Today | None, str]] = {
    tuple(words.split()): (role, phrase, today, why)
    for role, phrase, today, why, group in PHRASE_GROUPS
    for words in group.split("|")
}
# "that weekend" points at a time named elsewhere.
ANAPHORS: frozenset[tuple[str, ...]] = frozenset(
    tuple(words.split())
    for words in [
        "then",
        "that day",
        "that week",
        "that weekend",
        "that month",
        "that year",
        "that night",
        "that morning",
        "that evening",
        "that afternoon",
        "that time",
        "that point",
        "that summer",
        "that winter",
        "that spring",
        "that autumn",
    ]
)
FUTURE_WORDS = frozenset({
    "will", "wont", "shall", "gonna", "booked", "appointment", "appt", "due", "scheduled", "plan", "planning",
    "plans", "hope", "hoping", "intend", "lets", "upcoming",
})  # fmt: skip
NEVER_FUZZY = frozenset({
    "recent", "decent", "latest", "lastly", "nearly",
    "mounting", "moaning", "mourning", "warning", "weekends", "sunny", "money", "evenings", "mornings",
    "monkey", "friendly", "marches", "augusta", "sundae", "sundays", "mondays", "tuesdays", "wednesdays",
    "thursdays", "fridays", "saturdays", "afternoons", "nights", "thirsty", "thirdly", "evening",
    "yesterdays", "fried", "friday", "fryday", "tonights",
})  # fmt: skip
SPELLINGS: dict[str, str] = {
    "2day": "today", "tday": "today", "toady": "today", "todya": "today", "tody": "today", "2nite": "tonight",
    "tonite": "tonight", "2night": "tonight", "yday": "yesterday", "yest": "yesterday", "mornin": "morning",
    "nite": "night", "wknd": "weekend", "wkend": "weekend", "ystday": "yesterday", "yestday": "yesterday",
    "yesterdy": "yesterday", "ystrdy": "yesterday", "nighttime": "night", "mnday": "monday",
    "teusday": "tuesday", "wednsday": "wednesday", "fryday": "friday", "thirsday": "thursday",
    "thursty": "thursday", "afternon": "afternoon", "arvo": "afternoon", "todays": "today",
    "yesterdays": "yesterday", "sence": "since", "scince": "since", "sinse": "since", "snice": "since",
    "yesturday": "yesterday", "wensday": "wednesday", "wendsday": "wednesday", "feburary": "february",
    "thisafternoon": "afternoon", "untill": "until", "till": "until", "til": "until", "agao": "ago",
    "agoo": "ago",
    "tonights": "tonight",
}  # fmt: skip
FUZZY_WORDS = (
    "yesterday", "tomorrow", "tonight", "morning", "afternoon", "evening", "weekend", "overnight",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "january", "february",
    "september", "october", "november", "december", "recently", "lately",
)  # fmt: skip
FUZZY: dict[str, tuple[str, ...]] = {
    letter: tuple(word for word in FUZZY_WORDS if word[0] == letter) for letter in {w[0] for w in FUZZY_WORDS}
}
# Words whose possessive is still the word: "yesterday's walk", "last month's check".
POSSESSIVES = frozenset({
    *WEEKDAYS, *MONTHS, "week", "month", "year", "weekend", "night", "today", "yesterday", "morning",
    "evening",
    "afternoon", "spring", "summer", "autumn", "winter", "tomorrow", "christmas", "easter",
})  # fmt: skip
