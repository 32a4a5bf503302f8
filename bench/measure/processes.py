"""Starting, watching and ending the processes of a server under test, each by its own id."""

import dataclasses
import os
import pathlib
import shutil
import signal
import subprocess
import time

from . import client, machine

# As root, servers run as this user, so that none pays for switching users and all can do the same.
NOBODY = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}

START_SECONDS = 10
STOP_SECONDS = 5


@dataclasses.dataclass(frozen=True)
class Process:
    """One running process. The start time tells it from a later one with the same id."""

    pid: int
    parent: int
    session: int
    started: int


def _read(pid: int) -> Process | None:
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    state, parent, _group, session, *rest = stat.rpartition(")")[2].split()
    if state in "ZX":
        return None
    return Process(pid, int(parent), int(session), int(rest[15]))


def _all_processes() -> list[Process]:
    found = (_read(int(entry)) for entry in os.listdir("/proc") if entry.isdigit())
    return [process for process in found if process]


def _memory_of(pid: int) -> tuple[int, int]:
    """(RSS, PSS) in bytes; zeros for a process that has just ended."""
    sizes = {"Rss": 0, "Pss": 0}
    try:
        rollup = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except (FileNotFoundError, ProcessLookupError):
        return 0, 0
    for line in rollup.splitlines():
        name, _, value = line.partition(":")
        if name in sizes:
            sizes[name] = int(value.split()[0]) * 1024
    return sizes["Rss"], sizes["Pss"]


class RunningServer:
    """The processes of one server, started on the server's CPU and reachable on `port`.

    Use it as a context: leaving ends every process that it started. `left_behind` then says how
    many had to be killed because they outlived the server's own end."""

    def __init__(self, name: str, commands: list[list[str]], port: int, log: pathlib.Path) -> None:
        self.name = name
        self.port = port
        self.left_behind = 0
        self._log = log
        self._commands = commands
        self._started: list[subprocess.Popen] = []

    def __enter__(self) -> "RunningServer":
        try:
            with machine.on_server_cpu(), open(self._log, "ab") as log:
                for command in self._commands:
                    self._started.append(self._start(command, log))
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_failure) -> None:
        self.stop()

    @staticmethod
    def _start(command: list[str], log) -> subprocess.Popen:
        program = shutil.which(command[0])  # Debian's servers are in sbin, outside their own PATH
        if not program:
            raise SystemExit(f"bench: {command[0]} is not installed.")
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C"}
        return subprocess.Popen([program, *command[1:]], stdin=subprocess.DEVNULL, stdout=log,
                                stderr=log, env=environment, cwd="/", start_new_session=True, **NOBODY)

    def wait_until_it_answers(self, path: str, pause: float = 0.01) -> None:
        """Returns once `path` is answered with 200."""
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline:
            self._check_alive()
            try:
                if client.get(self.port, path).status == 200:
                    return
            except OSError:
                pass
            time.sleep(pause)
        raise SystemExit(f"bench: {self.name} did not answer {path} in {START_SECONDS} s."
                         f"\n{self.log_tail()}")

    def _check_alive(self) -> None:
        for process in self._started:
            if process.poll() is not None:
                raise SystemExit(f"bench: {self.name} ended with status {process.returncode}."
                                 f"\n{self.log_tail()}")

    def log_tail(self) -> str:
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(f"    {line}" for line in lines[-15:])

    def family(self) -> list[Process]:
        """Every live process of this server: what it started, and what those started."""
        roots = {process.pid for process in self._started}
        everyone = _all_processes()
        members = {p.pid for p in everyone if p.pid in roots or p.session in roots}
        while True:
            grown = members | {p.pid for p in everyone if p.parent in members}
            if grown == members:
                return [p for p in everyone if p.pid in members]
            members = grown

    def memory(self) -> tuple[int, int]:
        """(RSS, PSS) in bytes, summed over the family."""
        sizes = [_memory_of(process.pid) for process in self.family()]
        return sum(rss for rss, _ in sizes), sum(pss for _, pss in sizes)

    def stop(self) -> None:
        """SIGTERM to what was started, in reverse order; SIGKILL to whatever is left."""
        family = self.family()
        for process in reversed(self._started):
            process.terminate()
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        remaining = {(p.pid, p.started): p for p in [*family, *self.family()]}
        for process in remaining.values():
            now = _read(process.pid)
            if now and now.started == process.started:
                os.kill(process.pid, signal.SIGKILL)
                self.left_behind += 1
        self._started = []
