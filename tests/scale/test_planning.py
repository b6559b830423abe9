"""The arithmetic of many households on one server."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.scale.planning import Household, Server, fits, most, needs

ONE = Household(
    rows_a_year=30_000,
    bytes_a_year=60e6,
    media_bytes_a_year=200e6,
    schema_bytes=20e6,
    schema_files=600,
    night_cpu_s=0.5,
    request_cpu_s=0.05,
    requests_a_day=200,
    busy_hour_share=0.2,
    request_s=0.06,
    processes_mb=150,
    processes_idle_cpu=0.005,
    connections_open=11,
)
SERVER = Server(
    cores=32,
    memory_mb=128_000,
    disk_bytes=8e12,
    connections=500,
    night_hours=4,
    files_in_folder=20_000_000,
)


def test_the_needs_of_ten_thousand_are_those_of_one_ten_thousand_times() -> None:
    alone = {need.what: need.wanted for need in needs(1, ONE, SERVER, years=3)}
    many = {need.what: need.wanted for need in needs(10_000, ONE, SERVER, years=3)}
    assert many.keys() == alone.keys()
    assert all(abs(many[what] / wanted - 10_000) < 1e-6 for what, wanted in alone.items())


def test_connections_kept_open_for_each_household_are_what_runs_out_first() -> None:
    assert needs(10_000, ONE, SERVER, years=3)[0].what.startswith("connections held open")
    assert most(ONE, SERVER, years=3) == SERVER.connections // ONE.connections_open


@given(st.integers(1, 64), st.floats(1, 1e6), st.integers(8, 5_000), st.floats(0.1, 20))
def test_the_most_that_fits_fits_and_one_more_does_not(cores, memory, connections, years) -> None:
    server = replace(SERVER, cores=cores, memory_mb=memory, connections=connections)
    count = most(ONE, server, years=years)
    assert fits(count, ONE, server, years=years)
    assert not fits(count + 2, ONE, server, years=years)
