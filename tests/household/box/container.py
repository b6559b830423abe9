"""A built image run as compose.yaml runs it: nobody special, nothing writable but /data and /tmp, no rights.

Works from the image's files and its own configuration, without an engine: `buildah` mounts the one and
prints the other.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from household.box import places, process
from household.box.cluster import Cluster, binary
from tests.household.box.running import PATIENCE_S, free_port, until

ROOMS = """set -e
mount --bind "$ROOT" "$ROOT"
for name in proc dev tmp data; do [ -d "$ROOT/$name" ]; done
mount -o remount,ro,bind "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs -o mode=1777,size=512m tmpfs "$ROOT/tmp"
mount --bind "$DATA" "$ROOT/data"
exec "$@"
"""


class Image:
    """The files of an image, mounted, and what it says about itself."""

    def __init__(self, name: str) -> None:
        self.container = buildah("from", "--pull-never", name)
        self.root = Path(buildah("mount", self.container))
        said = json.loads(buildah("inspect", "--type", "image", name))
        self.config: dict[str, Any] = said["Docker"]["config"]

    def remove(self) -> None:
        """Unmount it; the image itself stays."""
        buildah("rm", self.container)

    def ids(self) -> tuple[int, int]:
        """The user and the group it runs as, from its own password file."""
        lines = (self.root / "etc" / "passwd").read_text().splitlines()
        user, group = next(
            line.split(":")[2:4] for line in lines if line.startswith(self.config["User"] + ":")
        )
        return int(user), int(group)


def buildah(*words: str) -> str:
    """What one command of buildah prints."""
    done = subprocess.run(["buildah", *words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def make_roles(cluster: Cluster, *, owner: str, web: str) -> None:
    """What the database container of compose.yaml does at its first start, with these passwords."""
    env = {
        "PGHOST": str(places.socket_folder(cluster.house)),
        "PGPORT": str(places.SOCKET_PORT),
        "PATH": f"{binary('psql').parent}:{os.environ['PATH']}",
        "OWNER_PASSWORD": owner,
        "WEB_PASSWORD": web,
    }
    script = places.CHECKOUT / "docker" / "roles.sh"
    subprocess.run(["sh", str(script)], env=os.environ | env, check=True, capture_output=True)


class Container:
    """One start of the image's own command on a data folder."""

    def __init__(self, image: Image, data: Path, env: Mapping[str, str]) -> None:
        self.image, self.data, self.port = image, data, free_port()
        ours = {"PORT": str(self.port), **env}
        self.env = [*image.config["Env"], *(f"{name}={value}" for name, value in ours.items())]
        self.output = data.with_suffix(".output")
        argv = [*image.config["Entrypoint"], *image.config["Cmd"]]
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", ROOMS, "sh"]
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [*command, *self.inside(argv)],
                env={"PATH": os.environ["PATH"], "ROOT": str(image.root), "DATA": str(data)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def inside(self, argv: Sequence[str]) -> list[str]:
        """A command as the image's user, in its folder, with its environment and no right beyond."""
        user, group = self.image.ids()
        bare = ["setpriv", f"--reuid={user}", f"--regid={group}", "--clear-groups", "--bounding-set=-all"]
        bare += [
            "--inh-caps=-all",
            "--no-new-privs",
            "env",
            "-i",
            f"--chdir={self.image.config['WorkingDir']}",
        ]
        return ["chroot", str(self.image.root), *bare, *self.env, *argv]

    def run(self, *argv: str) -> subprocess.CompletedProcess[str]:
        """Run another program in the container that runs."""
        enter = ["nsenter", f"--target={self.first()}", "--mount", "--pid"]
        return subprocess.run([*enter, *self.inside(argv)], capture_output=True, text=True, check=False)

    def first(self) -> int:
        """The number, seen from outside, of process number one inside, once it runs."""
        ours = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")

        def living() -> list[int]:
            return process.running(lambda folder: folder.name in ours.read_text().split())

        until(lambda: bool(living()), f"process number one: {self.output.read_text()}")
        return living()[0]

    def processes(self) -> list[Path]:
        """The /proc folder of everything that runs in it."""
        room = Path(f"/proc/{self.first()}/ns/pid").readlink()
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if (folder / "ns" / "pid").readlink() == room:
                    found.append(folder)
            except OSError:
                continue
        return found

    def get(self, path: str) -> tuple[int, str]:
        """Status and text of one page; 0 where nobody answers."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def is_well(self) -> bool:
        """What the image's own HEALTHCHECK says."""
        test = self.image.config["Healthcheck"]["Test"]
        assert test[0] == "CMD"
        return self.process.poll() is None and self.run(*test[1:]).returncode == 0

    def settle(self) -> None:
        """Wait until the pages answer well, or it has ended."""
        until(
            lambda: self.process.poll() is not None or self.get("/healthz")[0] == 200, "well", patience_s=600
        )

    def stop(self) -> int:
        """What `docker stop` does; the exit code."""
        if self.process.poll() is None:
            os.kill(self.first(), getattr(signal, self.image.config["StopSignal"]))
        return self.process.wait(PATIENCE_S)

    def clear(self) -> None:
        """End it whatever state it is in."""
        self.process.kill()
        self.process.wait()
