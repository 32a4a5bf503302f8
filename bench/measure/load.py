"""One run of the load generator, or of the bare sum of spawns, as one sample."""

import dataclasses
import pathlib
import re
import subprocess

from . import machine

REPORT = pathlib.Path(__file__).with_name("report.lua")
ERROR_KINDS = ("connect", "read", "write", "status", "timeout")


@dataclasses.dataclass(frozen=True)
class Sample:
    """What one run gave. Latencies in milliseconds, `busy` and `stolen` are shares of the server's
    CPU. `errors` is empty, or says in words what went wrong."""

    per_second: float
    p50: float | None
    p99: float | None
    busy: float
    stolen: float
    errors: str = ""


def _run(command: list[str], seconds: int) -> str:
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          timeout=seconds + 60, check=False)
    if done.returncode != 0:
        raise SystemExit(f"bench: {command[0]} failed: {done.stdout}{done.stderr}")
    return done.stdout


def _errors(totals: dict[str, int], body_bytes: int) -> str:
    errors = [f"{totals[kind]} {kind}" for kind in ERROR_KINDS if totals[kind]]
    if totals["requests"] == 0:
        errors.append("no answer")
    elif totals["bytes"] < totals["requests"] * body_bytes:
        errors.append("answers too short")
    return ", ".join(errors)


def wrk(port: int, path: str, clients: int, seconds: int, body_bytes: int) -> Sample:
    """`clients` keep-alive connections that ask for `path` without a pause."""
    clock = machine.CpuClock()
    output = _run(["wrk", "-t1", f"-c{clients}", f"-d{seconds}s", "--timeout", "10s",
                   "-s", str(REPORT), f"http://127.0.0.1:{port}{path}"], seconds)
    busy, stolen = clock.shares()
    line = re.search(r"^totals (.*)$", output, re.MULTILINE)
    if not line:
        raise SystemExit(f"bench: wrk printed no totals: {output}")
    totals = {name: int(value) for name, value in (f.split("=") for f in line[1].split())}
    return Sample(totals["requests"] * 1e6 / totals["microseconds"], totals["p50"] / 1000,
                  totals["p99"] / 1000, busy, stolen, _errors(totals, body_bytes))


def spawn_sum(program: pathlib.Path, islands: list[str], seconds: int) -> Sample:
    """Sets of bare spawns of `islands`, one after another on the server's CPU."""
    clock = machine.CpuClock()
    with machine.on_server_cpu():
        output = _run([str(program), str(seconds), *islands], seconds)
    busy, stolen = clock.shares()
    _, sets, _, elapsed = output.splitlines()[0].split()
    per_second = int(sets) / float(elapsed)
    return Sample(per_second, 1000 / per_second, None, busy, stolen)
