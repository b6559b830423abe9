"""The table-to-resource map is complete for the design's tables and closed to all others."""

import pytest

from household.rules import resources
from household.rules.permissions import Resource
from household.rules.resources import TABLES, UnmappedTable, resource_of, unmapped

EXAMPLES = {
    "twin.Statement": "observation",
    "twin.LedgerEntry": "observation",
    "twin.Record": "observation",
    "twin.Dose": "observation",
    "twin.TrackableEntry": "observation",
    "twin.Subject": "profile",
    "twin.Assessment": "profile",
    "memory.SettledFact": "memory",
    "memory.MemoryRevision": "memory",
    "memory.Passage": "document",
    "memory.JournalWords": "conversation",
    "memory.ChatTurn": "conversation",
}


@pytest.mark.parametrize(("label", "resource"), EXAMPLES.items())
def test_a_table_is_the_resource_of_the_design(label, resource):
    assert resource_of(label) == resource


def test_no_table_stands_in_two_resources():
    listed = [
        *resources.OBSERVATION_TABLES,
        *resources.PROFILE_TABLES,
        *resources.MEMORY_TABLES,
        *resources.DOCUMENT_TABLES,
        *resources.CONVERSATION_TABLES,
    ]
    assert len(listed) == len(set(listed)) == len(TABLES)
    assert set(TABLES.values()) == set(Resource)


def test_an_unknown_table_is_refused():
    with pytest.raises(UnmappedTable, match=r"twin\.Secret"):
        resource_of("twin.Secret")
    assert unmapped(frozenset({"twin.Secret", "twin.Record"})) == {"twin.Secret"}
