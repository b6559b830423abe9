"""The everyday of a house whose web process really is the web role, behind both walls."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Iterator

import pytest
from django.contrib.auth.hashers import make_password

from tests.household.box.running import Box, a_running_box
from tests.housemate import PASSPHRASE, Housemate


@pytest.fixture(scope="module")
def box() -> Iterator[Box]:
    with a_running_box() as made:
        yield made


def a_sitter(box: Box) -> Housemate:
    """Somebody of the family who may add to the cat's book and view nothing of it, signed in."""
    with box.database() as owner:
        person = owner.execute(
            "INSERT INTO household_person (password, gid, name, name_key, language, theme, is_active)"
            " VALUES (%s, %s, 'Ben', 'ben', 'en', 'auto', true) RETURNING id",
            [make_password(PASSPHRASE), uuid.uuid4()],
        ).fetchone()
        assert person
        owner.execute(
            "INSERT INTO household_membership (person_id, subject_id, role, overrides, starts_at)"
            " VALUES (%s, 1, 'family', '{\"observation:view\": false}', now() - interval '1 hour')",
            [person[0]],
        )
    mate = Housemate(box)
    mate.get("/accounts/login/")
    assert mate.post("/accounts/login/", login="Ben", password=PASSPHRASE).status_code == 302
    return mate


def test_a_house_lives_behind_both_walls(box: Box) -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "household.settings")
    ana = Housemate(box)
    ana.set_up(box)
    ana.add_cat()
    users = box.rows("SELECT usename FROM pg_stat_activity WHERE datname = current_database()")
    assert ("web",) in users

    # tell, and the page of the turn
    assert ana.tell("she is limping on the left hind leg", "one")
    ((turn,),) = box.rows("SELECT turn FROM twin_statement")
    assert ana.get(f"/turns/{turn}").status_code == 200
    ((record,),) = box.rows("SELECT id FROM twin_record")
    assert box.rows("SELECT count(*) FROM memory_journalline") == [(2,)]

    # the tap form
    form = ana.get("/book/1/form")
    field, level = _a_tap(form.text)
    assert ana.post("/book/1/form/tap", client_id="fill", note="a note", **{field: level}).status_code == 302
    assert box.rows("SELECT note FROM twin_formfill") == [("a note",)]

    # correcting, changing, settings, one's own account
    page = ana.get(f"/r/rec_{record:06d}/correct")
    assert page.status_code == 200
    done = ana.post(f"/r/rec_{record:06d}/correct", **_fields(page.text))
    assert done.status_code == 302, done.text
    assert box.rows("SELECT count(*) FROM twin_record WHERE superseded_by_id IS NOT NULL") == [(1,)]
    change = ana.get("/book/1/change")
    assert ana.post("/book/1/change", **{**_fields(change.text), "name": "Mavi Blue"}).status_code == 302
    assert box.rows("SELECT name FROM twin_subject") == [("Mavi Blue",)]
    home = {"card": "home", "home-name": "The Nest", "home-time_zone": "UTC", "home-language": "en"}
    assert ana.post("/household", **home).status_code == 302
    assert box.rows("SELECT name FROM household_household") == [("The Nest",)]
    assert ana.post("/account", language="tr", theme="dark").status_code == 302
    for path in ("/", "/book", "/book/1", f"/r/rec_{record:06d}", "/household/matrix", "/household"):
        assert ana.get(path).status_code == 200, path


def test_who_may_add_and_not_view_adds_to_the_same_day(box: Box) -> None:
    ben = a_sitter(box)
    before = box.rows("SELECT count(*) FROM twin_record")
    assert ben.tell("she is limping on the left hind leg a lot", "two")
    ((turn, is_read),) = box.rows(
        "SELECT turn, read_at IS NOT NULL FROM twin_statement WHERE text LIKE %s", "%a lot%"
    )
    assert is_read
    assert ben.get(f"/turns/{turn}").status_code == 200
    assert box.rows("SELECT state FROM twin_ledgerentry WHERE turn = %s", turn) == [("filed",)]
    assert box.rows("SELECT count(*) FROM twin_record") == before
    for (number,) in box.rows("SELECT id FROM twin_record"):
        assert ben.get(f"/r/rec_{number:06d}").status_code == 404
    assert ben.post(f"/turns/{turn}/undo").status_code == 200
    assert box.rows("SELECT state FROM twin_ledgerentry WHERE turn = %s", turn) == [("undone",)]
    assert ben.get("/household").status_code == 404
    assert ben.post("/book/add?kind=cat", name="Another", client_id=str(uuid.uuid4())).status_code == 404


def _a_tap(page: str) -> tuple[str, str]:
    """The first level of the first field of a tap form."""
    found = re.search(r'<(?:button|input)[^>]*name="([a-z_]+)"[^>]*value="([a-z_0-9]+)"', page)
    assert found, page
    return found[1], found[2]


def _fields(page: str) -> dict[str, str]:
    """A form as the page holds it: inputs with a value, chosen options, words in boxes."""
    form = page[page.rindex("<form") :]
    fields = {}
    for tag in re.findall(r"<input[^>]*>", page):
        name, value = _attribute(tag, "name"), _attribute(tag, "value")
        is_choice = re.search(r'type="(?:radio|checkbox)"', tag)
        if name and name != "csrfmiddlewaretoken" and (not is_choice or " checked" in tag):
            fields[name] = value
    for name, inside in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', page, re.S):
        chosen = re.search(r'<option value="([^"]*)"[^>]* selected', inside)
        fields[name] = chosen[1] if chosen else ""
    for name, words in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>(.*?)</textarea>', form, re.S):
        fields[name] = words.strip()
    return fields


def _attribute(tag: str, name: str) -> str:
    found = re.search(rf'\s{name}="([^"]*)"', tag)
    return found[1] if found else ""
