"""Pictures over the wire: kept once, drawn anew, gone with what showed them."""

from __future__ import annotations

import io

import pytest
from django.core.files.storage import default_storage
from PIL import Image

from household.models import ForgetOwed
from memory.models import FileOwed, Picture
from memory.rules.merge import Memory, PictureLink, Tombstone
from tests.makers import a_child, a_person
from tests.wire import Wire, a_device

pytestmark = pytest.mark.django_db
AT = 1_700_000_000_000


@pytest.fixture
def tablet() -> Wire:
    ana = a_person("Ana")
    wire = a_device(ana, a_child(ana))
    wire.memory(Memory("m-1", "the red boat", AT, pictures=(PictureLink(0, "p-1"),)))
    return wire


def a_picture(form: str = "JPEG", place: bool = True) -> bytes:
    picture = Image.new("RGB", (40, 20), (200, 30, 30))
    exif = Image.Exif()
    if place:
        exif[0x010F] = "Camera of the family"
        exif.get_ifd(0x8825)[1] = "N"
        exif[0x0112] = 6  # turned by a quarter
    out = io.BytesIO()
    picture.save(out, form, **({"exif": exif} if form in {"JPEG", "WEBP"} else {}))
    return out.getvalue()


def put(wire: Wire, data: bytes, name: str = "p-1") -> tuple[int, str]:
    response = wire.ask("PUT", f"pictures/{name}", data)
    found = response.json()
    return response.status_code, found.get("state") or found["code"]


def test_a_picture_is_kept_upright_and_without_its_place(tablet: Wire) -> None:
    sent = a_picture()
    assert b"Camera of the family" in sent
    assert put(tablet, sent) == (200, "kept")
    shown = tablet.get("pictures/p-1")
    assert shown["Content-Type"] == "image/jpeg"
    with Image.open(io.BytesIO(shown.content)) as kept:
        assert kept.size == (20, 40)
        assert not kept.getexif()
    assert b"Camera" not in shown.content
    assert put(tablet, a_picture("PNG")) == (200, "held")  # never replaced


@pytest.mark.parametrize("form", ["PNG", "WEBP", "GIF"])
def test_other_kinds_are_kept_too(tablet: Wire, form: str) -> None:
    assert put(tablet, a_picture(form)) == (200, "kept")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"no picture at all",
        a_picture()[:200],
        a_picture("PNG")[:60],
        b"\xff\xd8\xff\xe0" + b"\0" * 400,
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        b"%PDF-1.7 lying",
    ],
    ids=["empty", "words", "cut JPEG", "cut PNG", "JPEG in name", "SVG", "PDF"],
)
def test_what_is_no_whole_picture_is_refused(tablet: Wire, data: bytes) -> None:
    assert put(tablet, data) == (422, "invalid")
    assert not Picture.objects.exists()


def test_more_than_ten_megabytes_are_refused(tablet: Wire) -> None:
    assert put(tablet, b"\xff\xd8" + b"x" * (10 * 1024 * 1024)) == (413, "too_large")


def test_a_picture_nothing_shows_is_not_kept(tablet: Wire) -> None:
    assert put(tablet, a_picture(), "p-9") == (409, "conflict")


def test_a_forgotten_picture_is_done_and_dropped(tablet: Wire) -> None:
    tablet.memory(tombstones=[Tombstone("m-1", "memory", AT, tablet.gid)])
    assert put(tablet, a_picture()) == (200, "dropped")
    assert not Picture.objects.exists()


def test_a_picture_goes_with_the_last_that_showed_it(tablet: Wire) -> None:
    line = {"event": "Heard", "at_ms": AT, "turn": "turn-1", "text": "look", "pictures": ["p-1", "p-2"]}
    pushed = tablet.told("journal", {"from_seq": 0, "lines": [line]})
    assert pushed["need_pictures"] == ["p-1", "p-2"]
    put(tablet, a_picture())
    file = Picture.objects.get().file
    tablet.memory(tombstones=[Tombstone("m-1", "memory")])  # a duplicate dropped: the line still shows it
    assert Picture.objects.filter(name="p-1").exists()
    tablet.memory(tombstones=[Tombstone("t-1", "turn", AT, tablet.gid, frozenset({"turn-1"}))])
    assert not Picture.objects.exists()
    owed = ForgetOwed.objects.latest("pk")  # written with the tombstone, by a device too
    assert owed.state == "owed" and owed.files == [file] and "memory_picture" in owed.relations
    assert not FileOwed.objects.exists()
    assert default_storage.exists(file)  # its bytes go after the commit


def test_another_familys_picture_is_not_there(tablet: Wire) -> None:
    put(tablet, a_picture())
    olga = a_person("Olga")
    foreign = a_device(olga, a_child(olga, "Zoe"))
    assert foreign.get("pictures/p-1").status_code == 404
    assert foreign.get("pictures/p-1").json()["code"] == foreign.get("pictures/p-8").json()["code"]
