"""Backups: made while everybody writes, proved in a scratch database, restored on this box or a new one."""
