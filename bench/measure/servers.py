"""The servers that are compared: how each is set up in a run directory and started."""

import contextlib
import dataclasses
import os
import pathlib
import shutil
import socket
from collections.abc import Callable, Iterable

from .processes import NOBODY, RunningServer

PEERS = pathlib.Path(__file__).parent.parent / "peers"
APACHE_MODULES = "/usr/lib/apache2/modules"

# Enough that four islands run at once for several pages; more only adds switches on one CPU.
FCGIWRAP_PROCESSES = 8


# As in Debian's own nginx.conf; and the quickest combination found for files of a few KB, which
# takes half the CPU time.
NGINX_AS_PACKAGED = "sendfile on; tcp_nopush on;"
NGINX_TUNED_FILES = "sendfile off; open_file_cache max=1000 inactive=60s;"


@dataclasses.dataclass(frozen=True)
class Place:
    """Where one server finds the site and the limits' programs, and keeps its own files."""

    site: pathlib.Path
    programs: pathlib.Path
    run: pathlib.Path
    port: int


@dataclasses.dataclass(frozen=True)
class Server:
    """`commands` writes the configuration and returns what to start in the foreground, in order."""

    name: str
    label: str
    commands: Callable[[Place], list[list[str]]]


def _free_port() -> int:
    with contextlib.closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _configure(template: str, target: pathlib.Path, place: Place, **more: str) -> str:
    values = {"SITE": place.site, "RUN": place.run, "PORT": place.port, **more}
    text = (PEERS / template).read_text(encoding="utf-8")
    for name, value in values.items():
        text = text.replace(f"@{name}@", str(value))
    target.write_text(text, encoding="utf-8")
    return str(target)


def _nginx(sending_files: str) -> Callable[[Place], list[list[str]]]:
    def commands(place: Place) -> list[list[str]]:
        config = _configure("nginx.conf", place.run / "nginx.conf", place,
                            SENDING_FILES=sending_files)
        return [
            ["fcgiwrap", "-c", str(FCGIWRAP_PROCESSES), "-s", f"unix:{place.run}/fcgiwrap.sock"],
            ["nginx", "-e", f"{place.run}/nginx.log", "-c", config],
        ]

    return commands


def _apache(place: Place) -> list[list[str]]:
    config = _configure("apache.conf", place.run / "apache.conf", place, MODULES=APACHE_MODULES)
    return [["apache2", "-DFOREGROUND", "-f", config]]


def _lighttpd(place: Place) -> list[list[str]]:
    config = _configure("lighttpd.conf", place.run / "lighttpd.conf", place)
    return [["lighttpd", "-D", "-f", config]]


def _caddy(place: Place) -> list[list[str]]:
    config = _configure("Caddyfile", place.run / "Caddyfile", place)
    return [["env", "GOMAXPROCS=1", f"HOME={place.run}", "caddy", "run", "--config", config,
             "--adapter", "caddyfile"]]


def _atoll(pageviews: str = "false", warm: str = "false") -> Callable[[Place], list[list[str]]]:
    def commands(place: Place) -> list[list[str]]:
        home = place.run / "site"
        shutil.copytree(place.site, home)
        _configure("atoll.toml", home / "atoll.toml", place, PANEL_PORT=str(_free_port()),
                   PAGEVIEWS=pageviews, WARM=warm)
        _own(home)
        return [[str(place.programs / "atoll"), "serve", str(home)]]

    return commands


def _epoll_limit(place: Place) -> list[list[str]]:
    program = place.programs / "epoll_limit"
    return [[str(program), str(place.port), str(place.site / "www/small.html")]]


def _spawn_limit(island: str) -> Callable[[Place], list[list[str]]]:
    def commands(place: Place) -> list[list[str]]:
        program = place.programs / "spawn_limit"
        return [[str(program), str(place.port), str(place.site / "cgi-bin" / island)]]

    return commands


ATOLL = Server("atoll", "Atoll", _atoll())
ATOLL_COUNTING = Server("atoll-counting", "Atoll, counting pageviews", _atoll(pageviews="true"))
ATOLL_WARM = Server("atoll-warm", "Atoll, warm islands", _atoll(warm="true"))
NGINX = Server("nginx", "nginx + fcgiwrap", _nginx(NGINX_AS_PACKAGED))
NGINX_TUNED = Server("nginx-tuned", "nginx, tuned for small files", _nginx(NGINX_TUNED_FILES))
APACHE = Server("apache", "Apache", _apache)
LIGHTTPD = Server("lighttpd", "lighttpd", _lighttpd)
CADDY = Server("caddy", "Caddy", _caddy)
EPOLL_LIMIT = Server("epoll-limit", "bare epoll loop", _epoll_limit)
SPAWN_C = Server("spawn-limit-c", "bare spawn loop", _spawn_limit("hello"))
SPAWN_SHELL = Server("spawn-limit-sh", "bare spawn loop", _spawn_limit("hello.sh"))


def _own(directory: pathlib.Path) -> None:
    if NOBODY:
        shutil.chown(directory, NOBODY["user"], NOBODY["group"])


def is_atoll(server: Server) -> bool:
    return server in (ATOLL, ATOLL_COUNTING, ATOLL_WARM)


def prepare(server: Server, scratch: pathlib.Path) -> RunningServer:
    """Sets `server` up in a fresh run directory under `scratch`; enter the result to start it."""
    run = scratch / "run" / f"{server.name}-{len(os.listdir(scratch / 'run'))}"
    run.mkdir()
    _own(run)
    place = Place(scratch / "site", scratch / "bin", run, _free_port())
    return RunningServer(server.label, server.commands(place), place.port, run / "output.log")


@contextlib.contextmanager
def running(servers: Iterable[Server], scratch: pathlib.Path, path: str):
    """All of `servers`, started and answering `path`, as a dictionary from name to process."""
    with contextlib.ExitStack() as stack:
        started = {s.name: stack.enter_context(prepare(s, scratch)) for s in servers}
        for process in started.values():
            process.wait_until_it_answers(path)
        yield started
