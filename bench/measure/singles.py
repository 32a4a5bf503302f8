"""What is measured without load: times of one page, start-up, memory, size of the binary."""

import dataclasses
import pathlib
import statistics
import time

from . import client, servers
from .servers import APACHE, ATOLL_COUNTING, EPOLL_LIMIT, LIGHTTPD, NGINX, Server

SLEEP_PAGE = "/sleep.shtml"
SLEEP_MARKERS = ("head of sleep", "slept", "slept", "slept", "slept", "end of sleep")
SMALL_PAGE = "/small.html"
SMALL_MARKERS = ("small file",)
IDLE_CONNECTIONS = 10_000
SETTLE_SECONDS = 1.0

# Apache is set up for 50 clients, and lighttpd takes half of the usual descriptor limit at most.
HOLDS_IDLE_CONNECTIONS = (ATOLL_COUNTING, NGINX)


@dataclasses.dataclass(frozen=True)
class Limit:
    """A goal in absolute terms: Atoll's `column` is at most `most`."""

    column: str
    most: float


@dataclasses.dataclass(frozen=True)
class Table:
    """Rows of figures by server's label. A missing figure is None."""

    section: str
    title: str
    columns: tuple[str, ...]
    rows: dict[str, tuple[float | None, ...]]
    limits: tuple[Limit, ...]


def _medians(rows: list[tuple[float, ...]]) -> tuple[float, ...]:
    return tuple(statistics.median(column) for column in zip(*rows))


def sleep_page(scratch: pathlib.Path, chosen: list[Server], rounds: int) -> Table:
    """The page of four islands that each sleep half a second, one request at a time."""
    taken = {server.name: [] for server in chosen}
    with servers.running(chosen, scratch, SMALL_PAGE) as processes:
        for process in processes.values():
            client.check(process.name, process.port, SLEEP_PAGE, SLEEP_MARKERS)
        for _ in range(rounds):
            for name, process in processes.items():
                moments = client.timed_get(process.port, SLEEP_PAGE, SLEEP_MARKERS[0])
                taken[name].append((moments.first_byte * 1000, moments.head * 1000,
                                    moments.complete * 1000))
    return Table("latency", "Four islands that each sleep 0.5 s",
                 ("first byte, ms", "head of page, ms", "complete, ms"),
                 {server.label: _medians(taken[server.name]) for server in chosen},
                 (Limit("head of page, ms", 5), Limit("complete, ms", 520)))


def start(scratch: pathlib.Path, chosen: list[Server], rounds: int) -> Table:
    """From the start of the first process to the first answer, on a site made a moment before."""
    taken = {server.label: [] for server in chosen}
    for _ in range(rounds):
        for server in chosen:
            process = servers.prepare(server, scratch)
            before = time.perf_counter()
            with process:
                process.wait_until_it_answers(SMALL_PAGE, pause=0.0002)
                taken[server.label].append(((time.perf_counter() - before) * 1000,))
    return Table("latency", "Start to first answer", ("start, ms",),
                 {label: _medians(times) for label, times in taken.items()},
                 (Limit("start, ms", 30),))


def memory(scratch: pathlib.Path, chosen: list[Server]) -> Table:
    """All processes of each server: idle, and holding idle keep-alive connections."""
    room = client.raise_descriptor_limit() - 100
    count = min(IDLE_CONNECTIONS, room)
    rows = {}
    for server in chosen:
        with servers.running([server], scratch, SMALL_PAGE) as processes:
            process = processes[server.name]
            client.check(process.name, process.port, SMALL_PAGE, SMALL_MARKERS)
            time.sleep(SETTLE_SECONDS)
            rss, pss = process.memory()
            loaded = (None, None)
            if server in HOLDS_IDLE_CONNECTIONS:
                with client.idle_connections(process.port, SMALL_PAGE, count):
                    loaded = process.memory()
            rows[server.label] = tuple(b and b / 1e6 for b in (rss, pss, *loaded))
    columns = ("idle RSS, MB", "idle PSS, MB", f"RSS with {count} idle connections, MB",
               f"PSS with {count} idle connections, MB")
    limits = [Limit(columns[0], 12)]
    if count == IDLE_CONNECTIONS:
        limits.append(Limit(columns[2], 60))
    return Table("size", "Memory of all processes", columns, rows, tuple(limits))


def binary(path: pathlib.Path) -> Table:
    megabytes = path.stat().st_size / 1e6
    return Table("size", "Binary", ("size, MB",), {ATOLL_COUNTING.label: (megabytes,)},
                 (Limit("size, MB", 10),))


def run(scratch: pathlib.Path, sections: set[str], rounds: int, skipped: set[str]):
    """Yields every table of `sections`. Atoll runs as a newcomer runs it, counting pageviews."""
    def chosen(*wanted: Server) -> list[Server]:
        return [server for server in wanted if server.name not in skipped]

    if "latency" in sections:
        yield sleep_page(scratch, chosen(ATOLL_COUNTING, NGINX, APACHE), rounds)
        yield start(scratch, chosen(ATOLL_COUNTING, NGINX, APACHE, LIGHTTPD, EPOLL_LIMIT), rounds)
    if "size" in sections:
        yield memory(scratch, chosen(ATOLL_COUNTING, NGINX, APACHE, LIGHTTPD))
        if ATOLL_COUNTING.name not in skipped:
            yield binary(scratch / "bin/atoll")
