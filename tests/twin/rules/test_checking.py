"""Nothing outside the schemas is stored, and nothing goes silently."""

from twin.rules.checking import checked
from twin.rules.entries import Entry, Reading

KINDS = frozenset({"observation"})


def test_a_category_outside_the_nineteen_is_dropped_and_counted():
    reading = checked(Reading(KINDS, (Entry("ear_infection"), Entry("ears", signs={"redness": True}))))
    assert [entry.category for entry in reading.entries] == ["ears"]
    assert reading.dropped == ("category_unknown",)


def test_a_sign_outside_its_schema_is_dropped_and_the_others_stay():
    entry = Entry("ears", signs={"redness": True, "mites": True, "side": "above", "odour": "bad"})
    reading = checked(Reading(KINDS, (entry,)))
    assert reading.entries[0].signs == {"redness": True}
    assert len(reading.dropped) == 3
    assert all(code.startswith("sign_") for code in reading.dropped)


def test_checking_twice_is_checking_once():
    once = checked(Reading(KINDS, (Entry("ears", signs={"mites": True, "pain": False}),)))
    assert checked(once) == once
