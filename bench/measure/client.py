"""A small HTTP client: checks answers, and stamps the moments in which parts of a page arrive."""

import contextlib
import dataclasses
import http.client
import resource
import socket
import time

TIMEOUT_SECONDS = 10
WRONG_ANYWHERE = ("<!--#", "[an error occurred")


@dataclasses.dataclass(frozen=True)
class Answer:
    status: int
    body: str


@dataclasses.dataclass(frozen=True)
class Moments:
    """Seconds from sending the request: first byte, the page's first text, last byte."""

    first_byte: float
    head: float
    complete: float


def get(port: int, path: str) -> Answer:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_SECONDS)
    with contextlib.closing(connection):
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return Answer(response.status, response.read().decode("utf-8", errors="replace"))
        except http.client.HTTPException as error:
            raise OSError(f"not HTTP: {error!r}") from error


def check(name: str, port: int, path: str, markers: tuple[str, ...]) -> int:
    """The length of the body of `path`. Ends the program unless the answer is 200 and holds all
    `markers` in this order and nothing that a composed page must not hold."""
    answer = get(port, path)
    problem = None
    if answer.status != 200:
        problem = f"status {answer.status}"
    position = 0
    for marker in markers:
        position = answer.body.find(marker, position)
        if position < 0:
            problem = problem or f"'{marker}' is missing or out of order"
            break
    problem = problem or next((f"holds '{w}'" for w in WRONG_ANYWHERE if w in answer.body), None)
    if problem:
        raise SystemExit(f"bench: {name} answers {path} wrongly: {problem}\n{answer.body[:2000]}")
    return len(answer.body.encode())


def timed_get(port: int, path: str, head_marker: str) -> Moments:
    """Gets `path` on a connection of its own. `head_marker` is text of the page's head."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()
    with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = time.perf_counter()
        connection.sendall(request)
        received, first, head, last = b"", None, None, None
        while chunk := connection.recv(65536):
            last = time.perf_counter() - start
            received += chunk
            first = last if first is None else first
            if head is None and head_marker.encode() in received:
                head = last
    if head is None:
        raise SystemExit(f"bench: '{head_marker}' never came in the answer to {path}")
    return Moments(first, head, last)


def raise_descriptor_limit() -> int:
    """Lets this program, and the servers it starts, open all the files they may; returns how many."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return hard


@contextlib.contextmanager
def idle_connections(port: int, path: str, count: int):
    """Holds `count` keep-alive connections open, each after one answered request."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
    with contextlib.ExitStack() as held:
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_SECONDS)
            held.enter_context(connection)
            connection.sendall(request)
            if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
                raise SystemExit(f"bench: a keep-alive connection to port {port} was not answered")
        yield
