"""Rounds of one work: server after server, again and again, so that drift meets all alike."""

import dataclasses
import pathlib
import statistics
import sys

from . import client, load, machine, servers
from .load import Sample
from .works import ISLANDS, SPAWN_SUM, Work

WARM_UP_SECONDS = 1


@dataclasses.dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: int


@dataclasses.dataclass(frozen=True)
class Series:
    """The samples of one contender, one for each round."""

    samples: list[Sample]

    def median(self, field: str) -> float | None:
        values = [getattr(sample, field) for sample in self.samples]
        return None if None in values else statistics.median(values)

    @property
    def spread(self) -> float:
        """Distance of the best and the worst round, as a share of the median."""
        rates = [sample.per_second for sample in self.samples]
        return (max(rates) - min(rates)) / (statistics.median(rates) or 1)

    @property
    def errors(self) -> str:
        return "; ".join(sample.errors for sample in self.samples if sample.errors)


def titled(work: Work, clients: int) -> str:
    return f"{work.title}, {clients} {'client' if clients == 1 else 'clients'}"


@dataclasses.dataclass(frozen=True)
class Outcome:
    """All series of one work at one number of clients, by contender's name."""

    work: Work
    clients: int
    series: dict[str, Series]
    left_behind: int = 0

    @property
    def title(self) -> str:
        return titled(self.work, self.clients)

    def ratio(self, subject: str, over: str) -> float | None:
        """The median of the rounds' own ratios, or None where one of the two gave no answer."""
        if subject not in self.series or over not in self.series:
            return None
        pairs = list(zip(self.series[subject].samples, self.series[over].samples))
        if any(o.per_second == 0 for _, o in pairs):
            return None
        return statistics.median(s.per_second / o.per_second for s, o in pairs)


class Runner:
    """Runs works in the scratch directory, with `skipped` servers left out."""

    def __init__(self, scratch: pathlib.Path, effort: Effort, skipped: set[str]) -> None:
        self._scratch = scratch
        self._effort = effort
        self._skipped = skipped

    def run(self, work: Work, clients_override: tuple[int, ...]) -> list[Outcome]:
        chosen = [server for server in work.servers if server.name not in self._skipped]
        with servers.running(chosen, self._scratch, work.path) as processes:
            outcomes = [self._rounds(work, clients, processes)
                        for clients in clients_override or work.clients]
        left = sum(processes[s.name].left_behind for s in chosen if servers.is_atoll(s))
        return [dataclasses.replace(outcome, left_behind=left) for outcome in outcomes]

    def _rounds(self, work: Work, clients: int, processes: dict) -> Outcome:
        contenders = {name: self._measure_server(work, clients, name, process)
                      for name, process in processes.items()}
        if work.spawn_sum:
            contenders[SPAWN_SUM] = self._measure_spawn_sum
        for measure in contenders.values():
            machine.wait_until_idle()
            measure(WARM_UP_SECONDS)
        samples = {name: [] for name in contenders}
        for number in range(1, self._effort.rounds + 1):
            print(f"  {titled(work, clients)}: round {number} of {self._effort.rounds}",
                  file=sys.stderr, flush=True)
            for name, measure in contenders.items():
                machine.wait_until_idle()
                samples[name].append(measure(self._effort.seconds))
        for name, process in processes.items():
            client.check(process.name, process.port, work.path, work.markers)
        return Outcome(work, clients, {name: Series(taken) for name, taken in samples.items()})

    @staticmethod
    def _measure_server(work: Work, clients: int, name: str, process):
        body_bytes = client.check(process.name, process.port, work.path, work.markers)
        return lambda seconds: load.wrk(process.port, work.path, clients, seconds, body_bytes)

    def _measure_spawn_sum(self, seconds: int) -> Sample:
        programs = [str(self._scratch / "site/cgi-bin" / island) for island in ISLANDS]
        return load.spawn_sum(self._scratch / "bin/spawn_sum", programs, seconds)
