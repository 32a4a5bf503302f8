"""What is measured under load, and which ratios are to be reached (the table of DESIGN)."""

import dataclasses

from .servers import (APACHE, ATOLL, ATOLL_COUNTING, ATOLL_WARM, CADDY, EPOLL_LIMIT, LIGHTTPD,
                      NGINX, NGINX_TUNED, SPAWN_C, SPAWN_SHELL, Server)

# Not a server: `spawn_sum` runs the islands themselves, so it takes part in the rounds by itself.
SPAWN_SUM = "spawn-sum"
SPAWN_SUM_LABEL = "sum of bare spawns"
ISLANDS = ("bash-island", "go-island", "perl-island", "rust-island")


@dataclasses.dataclass(frozen=True)
class Goal:
    """`subject` answers at least `ratio` times as many requests as `over`."""

    over: str
    ratio: float
    subject: str = ATOLL.name
    clients: tuple[int, ...] = ()  # empty: at every number of clients

    def applies_at(self, clients: int) -> bool:
        return not self.clients or clients in self.clients


@dataclasses.dataclass(frozen=True)
class Work:
    """One page asked for without a pause. `markers` are texts of its body, in order."""

    section: str
    title: str
    path: str
    markers: tuple[str, ...]
    servers: tuple[Server, ...]
    goals: tuple[Goal, ...] = ()
    clients: tuple[int, ...] = (50,)
    spawn_sum: bool = False


WORKS = (
    Work("static", "Small static file (1 KB)", "/small.html", ("small file",),
         (ATOLL, ATOLL_COUNTING, NGINX, NGINX_TUNED, LIGHTTPD, APACHE, CADDY, EPOLL_LIMIT),
         (Goal(LIGHTTPD.name, 1.0), Goal(NGINX.name, 1.8), Goal(EPOLL_LIMIT.name, 0.92),
          Goal(ATOLL.name, 0.95, subject=ATOLL_COUNTING.name))),
    Work("static", "Static file of 100 KB", "/large.html", ("large file",),
         (ATOLL, NGINX, NGINX_TUNED, LIGHTTPD, APACHE, CADDY)),
    # Apache is set up for 50 clients.
    Work("connections", "Small static file (1 KB)", "/small.html", ("small file",),
         (ATOLL, NGINX, NGINX_TUNED, LIGHTTPD, CADDY),
         (Goal(LIGHTTPD.name, 1.0), Goal(NGINX.name, 1.8)),
         clients=(1, 100, 1_000, 10_000)),
    Work("ssi", "Page of four static includes", "/includes.shtml",
         ("Four static includes", "Part one", "Part two", "Part three", "Part four",
          "end of includes"),
         (ATOLL, NGINX, NGINX_TUNED, APACHE, LIGHTTPD),
         (Goal(NGINX.name, 2.0), Goal(APACHE.name, 8.0))),
    Work("cgi", "CGI, static C hello", "/cgi-bin/hello", ("hello from C",),
         (ATOLL, NGINX, LIGHTTPD, APACHE, SPAWN_C),
         (Goal(LIGHTTPD.name, 1.8), Goal(SPAWN_C.name, 0.65))),
    Work("cgi", "CGI, shell hello", "/cgi-bin/hello.sh", ("hello from the shell",),
         (ATOLL, NGINX, LIGHTTPD, APACHE, SPAWN_SHELL),
         (Goal(LIGHTTPD.name, 1.3), Goal(SPAWN_SHELL.name, 0.9))),
    Work("warm", "Perl hello, warm and as plain CGI", "/cgi-bin/perl-island", ("Perl", "method GET"),
         (ATOLL_WARM, ATOLL, APACHE), (Goal(ATOLL.name, 4.0, subject=ATOLL_WARM.name),),
         clients=(1, 50)),
    Work("warm", "Python hello, warm and as plain CGI", "/cgi-bin/python-island",
         ("Python", "method GET, reader"), (ATOLL_WARM, ATOLL, APACHE),
         (Goal(ATOLL.name, 4.0, subject=ATOLL_WARM.name),), clients=(1, 50)),
    Work("islands", "The islands page (Bash, Go, Perl, Rust)", "/islands.shtml",
         ("Four islands", "Bash", "method GET", "Go", "method GET", "Perl", "method GET", "Rust",
          "method GET", "end of islands"),
         (ATOLL, ATOLL_WARM, NGINX, APACHE),
         (Goal(NGINX.name, 1.3), Goal(APACHE.name, 2.5, clients=(1,)), Goal(SPAWN_SUM, 0.85),
          Goal(APACHE.name, 3.0, subject=ATOLL_WARM.name)),
         clients=(1, 5, 25), spawn_sum=True),
)

LABELS = {server.name: server.label for work in WORKS for server in work.servers}
LABELS[SPAWN_SUM] = SPAWN_SUM_LABEL
