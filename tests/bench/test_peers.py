"""The peers beside us: their pipes, their locks, and what is said where one is missing."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.bench.figures import Figure, add
from tests.bench.measures import MEASURES, Measure, Verdict, line, lines
from tests.bench.peers import install
from tests.bench.peers.asking import CHECKOUT, Peer, peer
from tests.bench.peers.syncing import KINDS, exchanged
from tests.bench.tables import markdown
from tests.bench.test_figures import MACHINE, one

TOY = """
from tests.bench.peers.answering import answer
answer({"twice": lambda n: 2 * n, "loud": lambda: print("not an answer"), "end": lambda: exit(3)})
"""
PUSH = Measure("a.s", "b", "w", "lines/s", "peer.s", "Some peer", least=2, more_is_better=True, earlier=10.0)


@pytest.mark.parametrize(
    ("found", "verdict", "ratio", "is_earlier"),
    [
        ({"a.s": one(30), "peer.s": one(20)}, Verdict.MISSED, 1.5, False),
        ({"a.s": one(30), "peer.s": one(15)}, Verdict.MET, 2.0, False),
        ({"a.s": one(30)}, Verdict.MET, 3.0, True),
        ({"a.s": one(10)}, Verdict.MISSED, 1.0, True),
        ({"peer.s": one(15)}, Verdict.ABSENT, None, False),
        ({}, Verdict.ABSENT, None, True),
    ],
)
def test_a_peers_figure_of_another_day_stands_in_only_where_this_run_has_none(
    found, verdict, ratio, is_earlier
) -> None:
    judged = line(PUSH, found)
    assert (judged.verdict, judged.ratio, judged.is_earlier) == (verdict, ratio, is_earlier)


def test_the_table_names_the_peers_that_were_not_measured() -> None:
    without = markdown(lines({"a.s": one(30, n=1)}, measures=(PUSH,)), MACHINE)
    assert "| w | 30 lines/s | Some peer (earlier run): 10 | 3.00x | >= 2x | met |" in without
    assert without.endswith("figures of an earlier one in their place: Some peer.")
    both = markdown(lines({"a.s": one(30, n=1), "peer.s": Figure(9, 15, 14, 16)}, measures=(PUSH,)), MACHINE)
    assert "| w | 30 lines/s | Some peer: 15 | 2.00x | >= 2x | met |" in both
    assert "earlier" not in both


def test_a_figure_of_another_day_stands_beside_figures_of_this_run_only_by_name() -> None:
    for measure in MEASURES:
        assert measure.earlier is None or isinstance(measure.beside, str), measure.what
        assert isinstance(measure.beside, str) or measure.beside is None or "(earlier run)" in measure.floor


def test_a_peer_answers_in_lines_and_what_its_libraries_print_is_no_answer() -> None:
    argv = [sys.executable, "-c", TOY]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(argv, cwd=CHECKOUT, **pipes) as running:
        toy = Peer(running)
        assert toy.ask("twice", n=21) == 42
        assert toy.ask("loud") is None
        assert toy.ask("twice", n="ab") == "abab"
        with pytest.raises(EOFError, match="end"):
            toy.ask("end")


def test_a_peer_that_is_not_installed_is_named_and_gives_no_figures(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(install, "PLACE", tmp_path)
    with peer("anki") as anki:
        assert anki is None
        assert exchanged(anki, "push", 500) == {}
    assert "Anki is not measured" in capsys.readouterr().err


def test_an_environment_counts_only_with_the_very_lock_it_was_given(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(install, "PLACE", tmp_path)
    assert not install.is_installed("mem0")
    install.python("mem0").parent.mkdir(parents=True, exist_ok=True)
    install.python("mem0").touch()
    assert not install.is_installed("mem0")
    (tmp_path / "mem0" / ".lock.sha256").write_text(install.digest("mem0"))
    assert install.is_installed("mem0")
    (tmp_path / "mem0" / ".lock.sha256").write_text(install.digest("anki"))
    assert not install.is_installed("mem0")


def test_a_peer_that_cannot_be_installed_is_left_out_and_the_others_are_not(
    tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(install, "PLACE", tmp_path)

    def quietly(*command: str) -> bool:
        if "venv" in command:
            install.python(command[-1].rpartition("/")[2]).parent.mkdir(parents=True, exist_ok=True)
            install.python(command[-1].rpartition("/")[2]).touch()
        return "mem0" not in command[-1]

    monkeypatch.setattr(install, "quietly", quietly)
    install.main()
    assert [name for name in install.PEERS if install.is_installed(name)] == ["anki", "wyoming_piper"]
    assert "mem0 could not be installed" in capsys.readouterr().err
    install.main()
    assert "Anki" not in capsys.readouterr().out


@pytest.mark.parametrize("name", install.PEERS)
def test_every_lock_has_what_was_asked_for_with_hashes_alone(name: str) -> None:
    locked = dict(re.findall(r"^([\w.-]+)==([^\s]+)", (install.LOCKS / f"{name}.txt").read_text(), re.M))
    for wanted in (install.LOCKS / f"{name}.in").read_text().split():
        package, _, version = wanted.partition("==")
        assert locked[package.partition("[")[0]] == (version or locked[package.partition("[")[0]])
    blocks = re.split(r"\n(?=\S)", (install.LOCKS / f"{name}.txt").read_text().strip())
    assert all("--hash=sha256:" in block for block in blocks)


@pytest.mark.skipif(not install.is_installed("anki"), reason="Anki is not installed (make peers)")
def test_anki_pushes_and_pulls_every_row() -> None:
    found: dict[str, list[float]] = {}
    with peer("anki") as anki:
        for way in ("push", "pull", "push"):
            add(found, exchanged(anki, way, 20))
    names = {f"{name}.{way}.{what}" for name in KINDS.values() for way in ("push", "pull")
             for what in ("lines_s", "lines_cpu_s", "cpu_us")}  # fmt: skip
    assert found.keys() == names
    assert {name: len(values) for name, values in found.items() if "push" in name} == dict.fromkeys(
        [name for name in names if "push" in name], 2
    )
    assert all(value > 0 for values in found.values() for value in values)
