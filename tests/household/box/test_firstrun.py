"""The first-run code: works once, however it is typed, and cannot be guessed at leisure."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from household.box import firstrun


def test_the_code_is_two_groups_of_four_unmistakable_letters(tmp_path: Path) -> None:
    code = firstrun.issue_code(tmp_path)
    first, dash, second = code[:4], code[4], code[5:]
    assert (len(first), dash, len(second)) == (4, "-", 4)
    assert set(first + second) <= set(firstrun.ALPHABET)
    assert not set("ILOU01") & set(firstrun.ALPHABET)


@pytest.mark.parametrize("spelling", ["{}", " {} ", "{}\n"])
def test_the_code_is_known_however_it_is_typed(tmp_path: Path, spelling: str) -> None:
    code = firstrun.issue_code(tmp_path)
    for typed in (code, code.lower(), code.replace("-", ""), code.replace("-", " ")):
        assert firstrun.check_code(spelling.format(typed), tmp_path)


@pytest.mark.parametrize("text", ["", "AAAA-AAAA", "AAAA", "şğüöçı", "A" * 10_000, "\x00\ud800"])
def test_any_other_text_is_refused(tmp_path: Path, text: str) -> None:
    firstrun.issue_code(tmp_path)
    assert not firstrun.check_code(text, tmp_path)


def test_without_an_issued_code_nothing_is_right(tmp_path: Path) -> None:
    assert not firstrun.is_waiting(tmp_path)
    assert not firstrun.check_code("", tmp_path)


def test_a_spent_code_is_void_and_spending_twice_is_no_mistake(tmp_path: Path) -> None:
    code = firstrun.issue_code(tmp_path)
    assert firstrun.is_waiting(tmp_path)
    firstrun.spend(tmp_path)
    firstrun.spend(tmp_path)
    assert not firstrun.check_code(code, tmp_path)
    assert not firstrun.is_waiting(tmp_path)


def test_a_new_code_voids_the_old_one(tmp_path: Path) -> None:
    old, new = firstrun.issue_code(tmp_path), firstrun.issue_code(tmp_path)
    assert not firstrun.check_code(old, tmp_path)
    assert firstrun.check_code(new, tmp_path)


def test_after_ten_wrong_tries_even_the_code_is_refused_and_a_restart_helps(tmp_path: Path) -> None:
    code = firstrun.issue_code(tmp_path)
    assert firstrun.check_code(code, tmp_path)
    for _ in range(firstrun.TRIES):
        assert not firstrun.check_code("AAAA-AAAA", tmp_path)
    assert not firstrun.check_code(code, tmp_path)
    assert firstrun.check_code(firstrun.issue_code(tmp_path), tmp_path)


def test_wrong_tries_are_forgiven_after_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = firstrun.issue_code(tmp_path)
    for _ in range(firstrun.TRIES):
        firstrun.check_code("AAAA-AAAA", tmp_path)
    later = time.time() + firstrun.WINDOW_S + 1
    monkeypatch.setattr(time, "time", lambda: later)
    assert firstrun.check_code(code, tmp_path)


def test_the_file_holds_no_code_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    code = firstrun.issue_code(tmp_path)
    (kept,) = tmp_path.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert code.replace("-", "") not in kept.read_text().upper().replace("-", "")
