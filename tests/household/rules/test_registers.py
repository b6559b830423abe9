"""Registers converge whatever the order, and are written only by those who may."""

from functools import reduce
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from household.rules.canonical import canonical
from household.rules.registers import (
    COMPANION_WRITES,
    PER_CHILD,
    Register,
    Writer,
    accept,
    by_address,
    may_write,
    merge,
    merge_all,
    read,
    row,
    shown_character,
    take_over,
    voice_of,
)
from household.rules.settings import CHECKS, InvalidSetting, check, is_pin, is_valid, reading

HASH = "pbkdf2_sha256$1000000$aGVhcnRoYm9vaw$3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w3q2+7w0="
ARGON = "argon2$argon2id$v=19$m=102400,t=2,p=8$c2FsdHNhbHQ$dGhpcyBpcyBhIGRpZ2VzdCBvZiBzb21l"

GOOD = {
    "daily_minutes": [0, 45, 1440, None],
    "quiet": [{"from": "20:00", "to": "07:00"}, None],
    "tokens_per_window": [0, 200_000, None],
    "token_window_hours": [1, 24, None],
    "keep_mic_open": [True, False, None],
    "voice_daily_chars": [0, 5000, None],
    "pin": [HASH, ARGON, None],
    "child": ["3f0c7a52-0000-4000-8000-000000000001", None],
    "cat_theme": ["tabby", None],
    "character": ["fox", None],
    "character_voice:fox": ["en_US-lessac-medium", None],
    "utc_offset_minutes": [-840, -15, 0, 180, 345, 840, None],
    "log_retention_days": [1, 365, None],
}
BAD = {
    "daily_minutes": [-1, 1441, True, 45.5, "45"],
    "quiet": [{"from": "20:00"}, {"from": "24:00", "to": "07:00"}, "20-7", {"from": 20, "to": 7}, []],
    "tokens_per_window": [-1, False],
    "token_window_hours": [0, -1],
    "keep_mic_open": [1, "yes"],
    "voice_daily_chars": [-1],
    "pin": ["1234", "0000000", "sha256$abc$def", "md5$salt$0123456789abcdef0123456789abcdef", 1234, ""],
    "child": ["", "x" * 65, "a b", 7],
    "cat_theme": ["<b>", 3],
    "character": ["", {}],
    "character_voice:fox": [5, ""],
    "utc_offset_minutes": [7, 855, -855, "180", True, 60.0],
    "log_retention_days": [0, -1, "all"],
}


def pairs(table):
    return [(key, value) for key, values in table.items() for value in values]


@pytest.mark.parametrize(("key", "value"), pairs(GOOD))
def test_a_setting_takes_what_it_may_hold(key, value):
    check(key, value)
    assert reading(key, value) == value


@pytest.mark.parametrize(("key", "value"), pairs(BAD))
def test_a_setting_reads_as_none_where_it_holds_what_it_may_not(key, value):
    assert not is_valid(key, value)
    assert reading(key, value) is None


@pytest.mark.parametrize(("key", "value"), [p for p in pairs(BAD) if p[0] != "utc_offset_minutes"])
def test_what_a_setting_may_not_hold_is_refused_without_quoting_it(key, value):
    with pytest.raises(InvalidSetting) as refused:
        check(key, value)
    assert str(refused.value) == f"registers.{key}"


def test_every_setting_has_examples():
    assert {key.split(":")[0] for key in GOOD} == {key.split(":")[0] for key in BAD}
    assert CHECKS.keys() <= GOOD.keys()


@pytest.mark.parametrize("key", ["", "colour", "character_voice:", "character_voice:a b", "PIN"])
def test_an_unknown_setting_is_refused(key):
    with pytest.raises(InvalidSetting):
        check(key, None)


@pytest.mark.parametrize(
    ("digits", "is_one"),
    [
        ("1234", True),
        ("12345678", True),
        ("123", False),
        ("123456789", False),
        ("12a4", False),
        ("١٢٣٤", False),
    ],
)
def test_a_pin_is_four_to_eight_digits(digits, is_one):
    assert is_pin(digits) is is_one


VALUES = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["fox", "owl"]) | st.floats(0, 2)


def registers(keys=("character", "daily_minutes", "keep_mic_open")):
    one = st.builds(
        Register, st.sampled_from(keys), VALUES, st.integers(0, 4), st.sampled_from(["", "leo", "mia"])
    )
    return st.lists(one, max_size=8).map(by_address)


def spelled(settings):
    return {at: (r.at_ms, canonical(r.value)) for at, r in settings.items()}


@given(registers(), registers())
def test_merge_is_commutative(a, b):
    assert spelled(merge_all(a, b)) == spelled(merge_all(b, a))


@given(registers(), registers(), registers())
def test_merge_is_associative(a, b, c):
    assert spelled(merge_all(merge_all(a, b), c)) == spelled(merge_all(a, merge_all(b, c)))


@given(registers(), registers())
def test_merge_is_idempotent_and_merging_what_was_kept_is_no_change(a, b):
    kept = merge_all(a, b)
    assert spelled(merge_all(a, a)) == spelled(a)
    assert spelled(merge_all(kept, a)) == spelled(merge_all(kept, kept)) == spelled(kept)


@given(st.lists(registers(), min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_every_order_and_repetition_ends_the_same(holders, random):
    shuffled = holders + holders[:2]
    random.shuffle(shuffled)
    assert spelled(reduce(merge_all, shuffled)) == spelled(reduce(merge_all, holders))


def test_the_later_stamp_wins_and_on_a_tie_the_greater_canonical_json():
    assert merge(Register("character", "owl", 5), Register("character", "fox", 6)).value == "fox"
    assert merge(Register("character", "owl", 5), Register("character", "fox", 5)).value == "owl"
    # "9" is greater than "10" as JSON text, and a text less than any number
    assert merge(Register("daily_minutes", 9, 5), Register("daily_minutes", 10, 5)).value == 9
    assert merge(Register("character", None, 5), Register("character", "fox", 5)).value is None


def test_two_settings_do_not_merge():
    with pytest.raises(ValueError):
        merge(Register("character", "fox", 1), Register("character", "fox", 1, "leo"))


def test_a_childs_own_register_comes_before_the_households():
    settings = by_address([Register("daily_minutes", 60, 9), Register("daily_minutes", 30, 1, "leo")])
    assert read(settings, "daily_minutes", "leo") == 30
    assert read(settings, "daily_minutes", "mia") == 60
    assert read(settings, "quiet", "leo") is None


def test_a_childs_null_does_not_fall_back_to_the_household():
    settings = by_address([Register("daily_minutes", 60, 1), Register("daily_minutes", None, 2, "leo")])
    assert read(settings, "daily_minutes", "leo") is None


def test_a_setting_of_the_household_has_no_row_for_a_child():
    settings = by_address([Register("keep_mic_open", True, 2, "leo"), Register("keep_mic_open", False, 1)])
    assert row(settings, "keep_mic_open", "leo").value is False


@pytest.mark.parametrize(
    ("theme", "character", "shown"),
    [
        (None, None, None),
        (("tabby", 5), None, ("cat_theme", "tabby")),
        (("tabby", 5), (None, 9), ("cat_theme", "tabby")),
        (("tabby", 5), ("fox", 4), ("cat_theme", "tabby")),
        (("tabby", 5), ("fox", 6), ("character", "fox")),
        (("tabby", 5), ("fox", 5), ("character", "fox")),
        ((None, 9), ("fox", 6), ("character", "fox")),
        (None, ("fox", 6), ("character", "fox")),
        (None, ("<b>", 6), None),
    ],
)
def test_the_later_written_of_theme_and_character_shows(theme, character, shown):
    written = [("cat_theme", theme), ("character", character)]
    settings = by_address(Register(key, *value) for key, value in written if value)
    assert shown_character(settings) == shown


def test_a_character_without_a_voice_speaks_in_the_base_voice():
    settings = by_address([Register("character_voice:fox", "deep", 1)])
    assert voice_of(settings, "fox") == "deep"
    assert voice_of(settings, "owl") is None


@pytest.mark.parametrize(("key", "writer"), list(product(GOOD, Writer)))
def test_who_may_write_which_setting(key, writer):
    expected = writer in {"parent", "house", "pin"} or (writer == "companion" and key in COMPANION_WRITES)
    assert may_write(key, writer) is expected


@pytest.mark.parametrize("writer", [Writer.COMPANION, Writer.PIN])
def test_a_companion_writes_no_other_childs_character(writer):
    assert may_write("character", writer, child="leo", own_child="leo")
    assert not may_write("character", writer, child="mia", own_child="leo")
    assert may_write("character", Writer.PARENT, child="mia")


def test_a_push_sorts_what_stands_from_what_is_refused():
    held = by_address([Register("character", "fox", 100), Register("daily_minutes", 30, 100)])
    pushed = [
        Register("character", "owl", 200),
        Register("cat_theme", "tabby", 1_000_000),
        Register("daily_minutes", 600, 200),
        Register("pin", "1234", 200),
        Register("keep_mic_open", True, 200, "leo"),
    ]
    plan = accept(held, pushed, writer=Writer.COMPANION, now_ms=300, own_child="leo")
    assert plan.to_store == (pushed[0],)
    assert plan.skewed == (("", "cat_theme"),)
    assert plan.forbidden == (("", "daily_minutes"),)
    assert plan.invalid == (("", "pin"), ("leo", "keep_mic_open"))
    assert take_over(by_address(pushed[:3]), held, plan.forbidden)["", "daily_minutes"].value == 30


def test_sending_the_houses_copy_back_is_no_write_whoever_sends_it():
    held = by_address([Register("pin", HASH, 100), Register("utc_offset_minutes", 7, 50)])
    plan = accept(held, held.values(), writer=Writer.COMPANION, now_ms=0)
    assert plan == accept(held, [], writer=Writer.COMPANION, now_ms=0)


@given(registers(), registers(("character", "cat_theme")))
def test_an_accepted_push_leaves_the_merge_of_both(held, pushed):
    plan = accept(held, pushed.values(), writer=Writer.PARENT, now_ms=10)
    standing = {at: r for at, r in pushed.items() if at not in plan.invalid}
    assert spelled(merge_all(held, by_address(plan.to_store))) == spelled(merge_all(held, standing))


def test_the_per_child_settings_are_settings():
    assert CHECKS.keys() >= PER_CHILD
