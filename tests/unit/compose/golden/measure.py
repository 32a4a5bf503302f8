#!/usr/bin/env python3
"""Runs the golden pages of the three dialects on the real servers, and reports where these answer otherwise.

    measure.py                     all goldens, against Apache httpd (mod_include) and nginx
    measure.py nginx/if_regex ...  some of them
    measure.py --print DIALECT < PAGE
                                   what the real server makes of a page: where a new golden comes from

Needs `apache2` and `nginx` (packaging/packages/bench); those that are missing are left out, and said so. Both run
on loopback, as the caller, out of a temporary directory that is removed at the end.

A golden is DIALECT/NAME.txt beside this file: the page, a line of dashes, what comes out of it, and perhaps another
line of dashes and what Atoll logs. The page is put at /dir/page.shtml among the files of site/, all modified at
2023-11-14 22:13:20 GMT, and asked for as /dir/page.shtml?q=1. differences.txt names the goldens on which Atoll means
to differ, each with the reason; a golden named there that does not differ is reported too.

Exit status: 0 all as expected, 1 not.
"""

import http.client
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
DIALECTS = ("apache", "apache-legacy", "nginx")
DASHES = "\n----------\n"
MODIFIED = 1_700_000_000
APACHE_MODULES = "/usr/lib/apache2/modules"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RealServer:
    """One server, running on a copy of site/."""

    def __init__(self, directory):
        self.directory = directory
        self.documents = directory / "www"
        shutil.copytree(HERE / "site", self.documents)
        self.port = free_port()
        self.process = None

    def start(self, command, configuration):
        (self.directory / "server.conf").write_text(configuration)
        self.process = subprocess.Popen(command, env={**os.environ, "TZ": "UTC"})
        for _ in range(100):
            if self.process.poll() is not None:
                raise SystemExit(f"{command[0]} ended with status {self.process.returncode}")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise SystemExit(f"{command[0]} does not answer")

    def stop(self):
        if self.process is not None:
            self.process.terminate()
            self.process.wait()

    def compose(self, page):
        path = self.documents / "dir" / "page.shtml"
        path.write_bytes(page)
        for file in self.documents.rglob("*"):
            os.utime(file, (MODIFIED, MODIFIED))
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        connection.request("GET", "/dir/page.shtml?q=1", headers={"Host": "site.example"})
        answer = connection.getresponse()
        body = answer.read()
        connection.close()
        if answer.status != 200:
            return f"status {answer.status}\n".encode() + body
        return body


def start_apache(directory, legacy):
    server = RealServer(directory)
    modules = ["mpm_event", "authz_core", "mime", "dir", "include"]
    lines = [f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so" for name in modules]
    lines += [
        f"ServerRoot {directory}",
        f"Listen 127.0.0.1:{server.port}",
        f"PidFile {directory}/pid",
        f"ErrorLog {directory}/error.log",
        "ServerName site.example",
        "TypesConfig /dev/null",
        f"DocumentRoot {server.documents}",
        "AddType text/html .html .shtml",
        "AddOutputFilter INCLUDES .shtml",
        f"<Directory {server.documents}>",
        "Options +Includes",
        "Require all granted",
        f"SSILegacyExprParser {'on' if legacy else 'off'}",
        "</Directory>",
    ]
    binary = shutil.which("apache2") or shutil.which("httpd")
    server.start([binary, "-DFOREGROUND", "-f", f"{directory}/server.conf"], "\n".join(lines) + "\n")
    return server


def start_nginx(directory):
    server = RealServer(directory)
    configuration = f"""
        daemon off; master_process off; pid {directory}/pid; error_log {directory}/error.log;
        events {{ }}
        http {{
          access_log off; types {{ text/html html shtml; }}
          client_body_temp_path {directory}/a; proxy_temp_path {directory}/b; fastcgi_temp_path {directory}/c;
          uwsgi_temp_path {directory}/d; scgi_temp_path {directory}/e;
          server {{ listen 127.0.0.1:{server.port}; server_name site.example; root {server.documents};
                    location ~ shtml$ {{ ssi on; }} }}
        }}
        """
    server.start([shutil.which("nginx"), "-c", f"{directory}/server.conf", "-e", f"{directory}/error.log"],
                 configuration)
    return server


class RealServers:
    def __init__(self, directory):
        self.directory = directory
        self.servers = {}

    def get(self, dialect):
        """The server of a dialect, or None when it is not installed."""
        if dialect not in self.servers:
            self.servers[dialect] = self.start(dialect)
        return self.servers[dialect]

    def start(self, dialect):
        directory = self.directory / dialect
        directory.mkdir()
        if dialect == "nginx":
            return start_nginx(directory) if shutil.which("nginx") else None
        installed = shutil.which("apache2") or shutil.which("httpd")
        return start_apache(directory, dialect == "apache-legacy") if installed else None

    def stop(self):
        for server in self.servers.values():
            if server is not None:
                server.stop()


def read_golden(path):
    content = path.read_text(encoding="latin-1")
    if content.endswith("\n"):
        content = content[:-1]
    parts = content.split(DASHES)
    return parts[0].encode("latin-1"), parts[1].encode("latin-1") if len(parts) > 1 else b""


def read_differences():
    differences = {}
    for line in (HERE / "differences.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, reason = line.split(None, 1)
            differences[name] = reason
    return differences


def measure(servers, names):
    differences = read_differences()
    missing = set()
    faults = measured = 0
    for path in sorted(HERE.glob("*/*.txt")):
        name = f"{path.parent.name}/{path.stem}"
        if path.parent.name not in DIALECTS or (names and name not in names):
            continue
        server = servers.get(path.parent.name)
        if server is None:
            missing.add(path.parent.name)
            continue
        page, expected = read_golden(path)
        real = server.compose(page)
        measured += 1
        if (real == expected) == (name not in differences):
            continue
        faults += 1
        if real == expected:
            print(f"== {name}: no longer differs; take it out of differences.txt")
        else:
            print(f"== {name}: expected\n{expected.decode('latin-1')}\n-- real\n{real.decode('latin-1')}")
    for dialect in sorted(missing):
        print(f"{dialect}: its server is not installed; not measured")
    print(f"{measured} goldens measured, {faults} faults, {len(differences)} known differences")
    return 1 if faults else 0


def main(arguments):
    with tempfile.TemporaryDirectory() as directory:
        servers = RealServers(pathlib.Path(directory))
        try:
            if arguments[:1] == ["--print"]:
                sys.stdout.buffer.write(servers.get(arguments[1]).compose(sys.stdin.buffer.read()))
                return 0
            return measure(servers, arguments)
        finally:
            servers.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
