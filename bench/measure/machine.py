"""This machine: its two CPUs, what else it is doing, and what stands in the record's header."""

import contextlib
import os
import platform
import re
import subprocess
import time

SERVER_CPU = 0
LOAD_CPU = 1


def require_two_cpus() -> None:
    """Ends the program unless server and load can have a CPU each."""
    if not {SERVER_CPU, LOAD_CPU} <= os.sched_getaffinity(0):
        raise SystemExit("bench: needs two CPUs, one for the server and one for the load.")


@contextlib.contextmanager
def on_server_cpu():
    """What is started inside, with all its children, runs on the server's CPU."""
    os.sched_setaffinity(0, {SERVER_CPU})
    try:
        yield
    finally:
        os.sched_setaffinity(0, {LOAD_CPU})


def stay_on_load_cpu() -> None:
    """From now on this program, and the load generator it starts, runs on the load's CPU."""
    os.sched_setaffinity(0, {LOAD_CPU})


class CpuClock:
    """Share of time since its creation that the server's CPU was busy, and that was stolen."""

    def __init__(self) -> None:
        self._before = self._ticks()

    @staticmethod
    def _ticks() -> list[int]:
        with open("/proc/stat", encoding="ascii") as stat:
            for line in stat:
                if line.startswith(f"cpu{SERVER_CPU} "):
                    return [int(field) for field in line.split()[1:9]]
        raise SystemExit("bench: /proc/stat does not list the server's CPU.")

    def shares(self) -> tuple[float, float]:
        """(busy, stolen), each from 0 to 1."""
        passed = [after - before for before, after in zip(self._before, self._ticks())]
        total = sum(passed) or 1
        _user, _nice, _system, idle, iowait, _irq, _softirq, steal = passed
        return 1 - (idle + iowait) / total, steal / total


def wait_until_idle() -> None:
    """Returns when the server's CPU has nothing to do, after three seconds in any case. A server that
    is still closing the connections of its own round must not take time from the next one's."""
    for _ in range(30):
        clock = CpuClock()
        time.sleep(0.1)
        if clock.shares()[0] < 0.1:
            return


def load_average() -> float:
    return os.getloadavg()[0]


def _first_line(command: list[str], pattern: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except OSError as error:
        return f"not started ({error.strerror})"
    found = re.search(pattern, done.stdout + done.stderr)
    return found.group(1) if found else "unknown"


def _cpu_model() -> str:
    with open("/proc/cpuinfo", encoding="utf-8") as info:
        for line in info:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return "unknown"


def describe(atoll: str | None, root: str) -> list[tuple[str, str]]:
    """(what, value) pairs for the record's header."""
    rows = [
        ("kernel", platform.release()),
        ("CPU", f"{_cpu_model()}, {os.cpu_count()} CPUs"),
        ("nginx", _first_line(["nginx", "-v"], r"nginx/(\S+)")),
        ("fcgiwrap", _first_line(["fcgiwrap", "-h"], r"fcgiwrap version (\S+)")),
        ("Apache", _first_line(["apache2", "-v"], r"Apache/(\S+)")),
        ("lighttpd", _first_line(["lighttpd", "-v"], r"lighttpd/(\S+)")),
        ("wrk", _first_line(["wrk", "-v"], r"wrk (\S+)")),
    ]
    commit = _first_line(["git", "-C", root, "describe", "--always", "--dirty"], r"(\S+)")
    if atoll:
        rows.insert(0, ("Atoll", f"{_first_line([atoll, 'version'], r'(.+)')} (tree at {commit})"))
    return rows
