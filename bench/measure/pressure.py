"""How long a visitor waits while others hold connections: slow heads, half-open requests, and every
descriptor of the server taken."""

import contextlib
import dataclasses
import pathlib
import shutil
import socket
import statistics
import threading

from . import client, servers
from .servers import ATOLL_COUNTING, LIGHTTPD, NGINX, Server
from .singles import SMALL_MARKERS, SMALL_PAGE, Limit, Table

VISITS = 300  # one after another, each on a connection of its own
HALF_A_HEAD = b"GET /small.html HTTP/1.1\r\nHost: 127.0.0.1\r\nX-"
DESCRIPTORS = 512
DRIP_SECONDS = 0.2


@contextlib.contextmanager
def half_open(port: int, count: int):
    """`count` clients that have sent half a head, as a list of their sockets."""
    with contextlib.ExitStack() as held:
        sockets = []
        for _ in range(count):
            connection = socket.socket()
            held.enter_context(connection)
            connection.setblocking(False)
            connection.connect_ex(("127.0.0.1", port))
            sockets.append(connection)
        for connection in sockets:
            _send(connection, HALF_A_HEAD)
        yield sockets


def _send(connection: socket.socket, data: bytes) -> None:
    with contextlib.suppress(OSError):  # the server may have let it go: that is its defence
        connection.send(data)


@contextlib.contextmanager
def dripping(port: int, count: int):
    """`count` clients that go on with their heads, a byte at a time."""
    over = threading.Event()

    def drip(sockets: list[socket.socket]) -> None:
        while not over.wait(DRIP_SECONDS):
            for connection in sockets:
                _send(connection, b"a")

    with half_open(port, count) as sockets:
        thread = threading.Thread(target=drip, args=(sockets,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()


def _visits(port: int) -> tuple[float, float, float]:
    """(p50, p99, worst) in milliseconds. A visit that fails counts as one that waited to the end."""
    times = []
    for _ in range(VISITS):
        try:
            times.append(client.timed_get(port, SMALL_PAGE, SMALL_MARKERS[0]).complete * 1000)
        except OSError:
            times.append(client.TIMEOUT_SECONDS * 1000)
            if times.count(client.TIMEOUT_SECONDS * 1000) == 3:
                break  # it is clear by now
    return statistics.median(times), sorted(times)[int(len(times) * 0.99)], max(times)


def _with_few_descriptors(server: Server) -> Server:
    def commands(place: servers.Place) -> list[list[str]]:
        return [["prlimit", f"--nofile={DESCRIPTORS}:{DESCRIPTORS}",
                 shutil.which(program) or program, *arguments]
                for program, *arguments in server.commands(place)]

    return dataclasses.replace(server, commands=commands)


def table(scratch: pathlib.Path, skipped: set[str]) -> Table:
    columns = ("alone, p50 ms", "alone, p99 ms", "200 slow heads, p99 ms",
               "1,000 half-open requests, p99 ms", f"{DESCRIPTORS} descriptors all taken, p99 ms", "then worst, ms")
    rows = {}
    for server in (ATOLL_COUNTING, NGINX, LIGHTTPD):
        if server.name in skipped:
            continue
        with servers.running([server], scratch, SMALL_PAGE) as processes:
            port = processes[server.name].port
            figures = [*_visits(port)[:2]]
            with dripping(port, 200):
                figures.append(_visits(port)[1])
            with half_open(port, 1000):
                figures.append(_visits(port)[1])
        with servers.running([_with_few_descriptors(server)], scratch, SMALL_PAGE) as processes:
            port = processes[server.name].port
            with half_open(port, DESCRIPTORS + 200):
                figures += _visits(port)[1:]
        rows[server.label] = tuple(figures)
    return Table("pressure", "A visitor among hostile clients", columns, rows,
                 (Limit(columns[2], 10), Limit(columns[3], 10), Limit(columns[5], 2000)))
