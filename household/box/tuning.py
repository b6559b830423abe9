"""What a box takes of its machine: the settings of the embedded PostgreSQL, and threads. Pure."""

from __future__ import annotations

from dataclasses import dataclass

# Forgetting has to reach every byte: no recycled log files, no compression, no user text in logs.
FORGETTING = {
    "wal_recycle": "off",
    "min_wal_size": "32MB",
    "wal_compression": "off",
    "wal_keep_size": "0",
    "archive_mode": "off",
    "max_prepared_transactions": "0",
    "log_min_messages": "log",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "log_parameter_max_length": "0",
    "log_parameter_max_length_on_error": "0",
    "log_statement": "none",
    "log_min_duration_statement": "-1",
    "maintenance_work_mem": "256MB",
}
# A computer at home that is rarely busy: few wake-ups, full durability.
CALM = {
    "max_connections": "30",
    "max_worker_processes": "2",
    "max_parallel_workers": "0",
    "max_parallel_workers_per_gather": "0",
    "max_parallel_maintenance_workers": "0",
    "max_logical_replication_workers": "0",
    "max_wal_size": "256MB",
    "io_method": "sync",
    "jit": "off",
    "bgwriter_delay": "10s",
    "wal_writer_delay": "1s",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
}
LOCAL_ONLY = {
    "listen_addresses": "''",
    "unix_socket_permissions": "0700",
    "timezone": "'UTC'",
    "log_timezone": "'UTC'",
    "lc_messages": "'C'",
}
# A cluster thrown away after the tests need not survive a power cut.
THROWAWAY = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "200",
    "max_wal_size": "1GB",
}


@dataclass(frozen=True)
class Machine:
    """What there is: megabytes of memory that we may use, and processors."""

    memory_mb: int
    cores: int


@dataclass(frozen=True)
class Threads:
    """How many requests the web answers at a time, and how many tasks the worker does."""

    web: int
    worker: int


# The smallest machine that all of it fits on with room to spare.
SMALL = Machine(2_048, 2)


def threads(machine: Machine) -> Threads:
    """More where there is room. Each thread of the web has a connection, which takes some megabytes.

    Two tasks at a time are the least, so that a long one does not hold up what was just told.
    """
    return Threads(web=_within(4, machine.memory_mb // 256, 12), worker=_within(2, machine.cores // 2, 4))


def sized(machine: Machine) -> dict[str, str]:
    """The settings that follow the machine: a sixty-fourth of its memory for pages, little for a sort."""
    return {
        "shared_buffers": f"{_within(32, machine.memory_mb // 64, 256)}MB",
        "effective_cache_size": f"{max(256, machine.memory_mb // 2)}MB",
        "work_mem": f"{_within(4, machine.memory_mb // 512, 32)}MB",
    }


def _within(least: int, wished: int, most: int) -> int:
    return max(least, min(wished, most))


def settings(*, durable: bool, machine: Machine = SMALL) -> dict[str, str]:
    """Every setting of the embedded server; without durability only for tests."""
    return FORGETTING | CALM | sized(machine) | LOCAL_ONLY | ({} if durable else THROWAWAY)


def as_conf(chosen: dict[str, str]) -> str:
    """The settings as the text of a PostgreSQL configuration file."""
    return "".join(f"{name} = {value}\n" for name, value in chosen.items())
