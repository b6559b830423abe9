"""Where the box listens, what it says of it, and that a missing network is no failure."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from household.box.greeting import greeting
from household.box.network import Announcement, Door, read_door, require_free
from household.box.trouble import Trouble


@pytest.mark.parametrize(
    ("host", "is_local", "is_wide", "own_url"),
    [
        ("0.0.0.0", False, True, "http://127.0.0.1:80/"),
        ("::", False, True, "http://127.0.0.1:80/"),
        ("127.0.0.1", True, False, "http://localhost:80/"),
        ("::1", True, False, "http://localhost:80/"),
        ("localhost", True, False, "http://localhost:80/"),
        ("192.168.1.5", False, False, "http://192.168.1.5:80/"),
        ("fd00::5", False, False, "http://[fd00::5]:80/"),
        ("box.home", False, False, "http://box.home:80/"),
    ],
)
def test_a_door_knows_who_can_reach_it(host: str, is_local: bool, is_wide: bool, own_url: str) -> None:
    door = Door(host, 80)
    assert (door.is_local, door.is_wide, door.own_url) == (is_local, is_wide, own_url)


@pytest.mark.parametrize("port", ["0", "-1", "65536", "80.5", "http", "８０", "1e3", " "])
def test_a_port_that_is_no_port_is_refused(port: str) -> None:
    with pytest.raises(Trouble, match="PORT and HTTPS_PORT must be"):
        read_door("", port)


def test_unset_variables_mean_every_address_and_the_usual_port() -> None:
    assert read_door("", "") == Door("0.0.0.0", 8000)
    assert read_door("::1", "65535") == Door("::1", 65535)


def test_a_taken_port_is_refused_and_a_free_one_left_free() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen(1)
        door = Door("127.0.0.1", taken.getsockname()[1])
        with pytest.raises(Trouble, match=f"Port {door.port} is in use"):
            require_free(door)
    require_free(door)
    require_free(door)


def test_an_address_of_another_machine_is_refused() -> None:
    with pytest.raises(Trouble, match=r"HOST 192\.0\.2\.77 cannot be listened on"):
        require_free(Door("192.0.2.77", 0))


def test_the_greeting_names_every_address_and_the_code() -> None:
    text = greeting(Door("0.0.0.0", 8123), lan="192.168.1.5", code="AB2C-DE3F")
    for part in ("localhost:8123", "192.168.1.5:8123", "hearthbook.local:8123", "AB2C-DE3F", "▀"):
        assert part in text


def test_the_greeting_of_a_lone_machine_promises_no_network() -> None:
    for door, lan in ((Door("127.0.0.1", 8123), "192.168.1.5"), (Door("0.0.0.0", 8123), None)):
        text = greeting(door, lan=lan, code=None)
        assert "localhost:8123" in text
        assert "hearthbook.local" not in text
        assert "192.168" not in text
        assert "First run" not in text


def test_announcing_on_an_address_we_do_not_have_is_borne() -> None:
    announcement = Announcement(Door("192.0.2.77", 8123))
    announcement.refresh()
    announcement.refresh()
    announcement.close()
    assert announcement.address is None


def test_a_door_only_this_machine_reaches_is_not_announced() -> None:
    announcement = Announcement(Door("127.0.0.1", 8123))
    announcement.refresh()
    assert announcement.responder is None


def test_who_keeps_the_box_running_loads_no_library_it_does_not_need() -> None:
    heavy = ("ssl", "http.client", "email", "asyncio", "django", "psycopg", "zeroconf", "cryptography")
    asked = f"import household.box.supervisor, sys; print([one for one in {heavy!r} if one in sys.modules])"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
