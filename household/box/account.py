"""Which unprivileged account runs PostgreSQL, which refuses root, and whether it can reach its files."""

from __future__ import annotations

import os
import pwd
import stat
from dataclasses import dataclass
from pathlib import Path

from household.box.trouble import Trouble

# Ours alone when we are root: below the ranges of systemd and of user namespaces, in no password file.
BOX_ID = 47382


@dataclass(frozen=True)
class Account:
    """The numbers PostgreSQL runs under, and the named pair `initdb` borrows (it asks for a name)."""

    uid: int
    gid: int
    named_uid: int
    named_gid: int

    @property
    def ids(self) -> tuple[int, int]:
        """User and group number of the server."""
        return self.uid, self.gid

    @property
    def is_named(self) -> bool:
        """Whether the account stands in the password file."""
        return (self.uid, self.gid) == (self.named_uid, self.named_gid)


def server_account(*folders: Path) -> Account | None:
    """None unless we are root; then the owner of the first folder that is not root's, or our own."""
    if os.geteuid() != 0:
        return None
    for folder in folders:
        if folder.exists() and (found := folder.stat()).st_uid != 0:
            return _named(found.st_uid, found.st_gid)
    return _named(BOX_ID, BOX_ID)


def _named(uid: int, gid: int) -> Account:
    try:
        pwd.getpwuid(uid)
        return Account(uid, gid, uid, gid)
    except KeyError:
        lent = _unprivileged()
        return Account(uid, gid, lent.pw_uid, lent.pw_gid)


def _unprivileged() -> pwd.struct_passwd:
    entries = {entry.pw_name: entry for entry in pwd.getpwall() if entry.pw_uid != 0}
    if not entries:
        raise Trouble("PostgreSQL refuses to run as root and this machine has no other account: make one.")
    return entries.get("nobody") or next(iter(entries.values()))


def require_reach(folder: Path, account: Account) -> None:
    """Raise Trouble where a folder on the way is closed to the account. Nothing is changed."""
    for step in [*reversed(folder.parents), folder]:
        for uid, gid in {account.ids, (account.named_uid, account.named_gid)}:
            if not _may_enter(step.stat(), uid, gid):
                raise Trouble(
                    f"PostgreSQL refuses to run as root, and its own account may not enter {step}: "
                    "move the checkout and HEARTHBOOK_HOME where everybody may enter, or be an ordinary user."
                )


def _may_enter(found: os.stat_result, uid: int, gid: int) -> bool:
    if found.st_uid == uid:
        return bool(found.st_mode & stat.S_IXUSR)
    if found.st_gid == gid:
        return bool(found.st_mode & stat.S_IXGRP)
    return bool(found.st_mode & stat.S_IXOTH)


def give(folder: Path, account: Account) -> None:
    """Hand a folder of ours and all in it to the account."""
    for parent, names, files in os.walk(folder):
        for name in [*names, *files]:
            os.lchown(Path(parent) / name, *account.ids)
    os.chown(folder, *account.ids)
