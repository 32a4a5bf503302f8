"""The command line: chooses what to measure, measures, prints, and records if asked to."""

import argparse
import datetime
import os
import pathlib
import signal
import sys

from . import client, machine, pressure, report, singles
from .rounds import Effort, Runner
from .scratch import BENCH, scratch
from .servers import ATOLL, ATOLL_COUNTING, ATOLL_WARM
from .works import WORKS

SECTIONS = ("static", "connections", "ssi", "cgi", "warm", "islands", "latency", "size", "pressure")
BUSY_LOAD = 0.3


def _clients(text: str) -> tuple[int, ...]:
    numbers = tuple(int(part) for part in text.split(","))
    if not all(1 <= number <= 10_000 for number in numbers):
        raise ValueError
    return numbers


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench/run.sh", description="Measures Atoll, its peers "
                                     "and bare limits; bench/README.md says how.")
    parser.add_argument("--atoll", metavar="BINARY", type=pathlib.Path,
                        help="the binary (default: build/musl/atoll, then build/release/atoll)")
    parser.add_argument("--only", choices=SECTIONS, action="append", metavar="SECTION",
                        help=f"measure only this, repeatable: {', '.join(SECTIONS)}")
    parser.add_argument("--clients", type=_clients, default=(), metavar="N,N...",
                        help="other numbers of clients than each work's own")
    parser.add_argument("--rounds", type=int, help="rounds to take the median of (default 5)")
    parser.add_argument("--seconds", type=int, help="seconds of load per round (default 3)")
    parser.add_argument("--quick", action="store_true", help="3 rounds of 1 s: a look, no result")
    parser.add_argument("--without-atoll", action="store_true", help="only peers and limits")
    parser.add_argument("--record", action="store_true", help="write bench/RESULTS.md")
    return parser.parse_args()


def _find_atoll(named: pathlib.Path | None) -> pathlib.Path:
    root = BENCH.parent
    candidates = [named] if named else [root / "build/musl/atoll", root / "build/release/atoll"]
    for candidate in candidates:
        if os.access(candidate, os.X_OK) and candidate.is_file():
            return candidate
    tried = " nor at ".join(str(candidate) for candidate in candidates)
    raise SystemExit(f"bench: there is no Atoll binary at {tried}: build it with `make`, name it "
                     "with --atoll BINARY, or measure only the others with --without-atoll.")


def _effort(options: argparse.Namespace) -> Effort:
    rounds = options.rounds or (3 if options.quick else 5)
    seconds = options.seconds or (1 if options.quick else 3)
    if not (1 <= rounds <= 50 and 1 <= seconds <= 60):
        raise SystemExit("bench: --rounds takes 1 to 50, --seconds 1 to 60.")
    return Effort(rounds, seconds)


def _measured(effort: Effort, load_before: float) -> str:
    now = datetime.datetime.now(datetime.timezone.utc)
    return (f"Measured {now:%Y-%m-%d %H:%M} UTC, median of {effort.rounds} rounds of "
            f"{effort.seconds} s, load average before {load_before:.2f}.")


def _interrupt(_signal, _frame):
    raise KeyboardInterrupt


def _measure(options: argparse.Namespace, effort: Effort, directory: pathlib.Path):
    """Yields each section of the report as soon as it is measured."""
    sections = set(options.only or SECTIONS)
    client.raise_descriptor_limit()
    skipped = {ATOLL.name, ATOLL_COUNTING.name, ATOLL_WARM.name} if options.without_atoll else set()
    notes = (directory / "site/notes").read_text(encoding="utf-8").splitlines()
    runner = Runner(directory, effort, skipped)
    for work in WORKS:
        if work.section in sections:
            for outcome in runner.run(work, options.clients):
                yield report.of_outcome(outcome, notes)
    for table in singles.run(directory, sections, effort.rounds, skipped):
        yield report.of_table(table)
    if "pressure" in sections:
        yield report.of_table(pressure.table(directory, skipped))


def _summary(sections: list[report.Section]) -> str:
    reached, missed, *unjudged = (sum(len(s.verdicts(kind)) for s in sections) for kind in
                                  ("reached", "MISSED", "not measured", "not judged"))
    text = f"{reached} of {reached + missed} goals reached"
    return text + (f", {sum(unjudged)} not judged." if sum(unjudged) else ".")


def main() -> None:
    options = _arguments()
    signal.signal(signal.SIGTERM, _interrupt)
    machine.require_two_cpus()
    effort = _effort(options)
    atoll = None if options.without_atoll else _find_atoll(options.atoll)
    load_before = machine.load_average()
    if load_before > BUSY_LOAD:
        print(f"bench: this machine is busy (load average {load_before:.2f}): the figures below "
              "are not to be trusted.", file=sys.stderr)

    sections = []
    with scratch(atoll) as directory:
        client.raise_descriptor_limit()
        machine.stay_on_load_cpu()
        for section in _measure(options, effort, directory):
            print(f"## {section.title}\n\n{section.text}\n", flush=True)
            sections.append(section)
    print(_summary(sections))
    if options.record:
        facts = machine.describe(str(atoll) if atoll else None, str(BENCH.parent))
        report.record(BENCH / "RESULTS.md", sections, facts, _measured(effort, load_before))
        print(f"recorded in {BENCH / 'RESULTS.md'}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("bench: interrupted; every server it started has been ended.")
