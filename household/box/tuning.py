"""What the embedded PostgreSQL is told before its first word is stored."""

from __future__ import annotations

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
# A small computer that is rarely busy: little memory, few wake-ups, full durability.
SMALL_BOX = {
    "shared_buffers": "32MB",
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


def settings(*, durable: bool) -> dict[str, str]:
    """Every setting of the embedded server; without durability only for tests."""
    return FORGETTING | SMALL_BOX | LOCAL_ONLY | ({} if durable else THROWAWAY)


def as_conf(chosen: dict[str, str]) -> str:
    """The settings as the text of a PostgreSQL configuration file."""
    return "".join(f"{name} = {value}\n" for name, value in chosen.items())
