"""Turns what was measured into Markdown: printed as it is, and kept in RESULTS.md with --record."""

import dataclasses
import pathlib
import re

from .rounds import Outcome
from .servers import ATOLL, ATOLL_COUNTING
from .singles import Table
from .works import LABELS, Goal

PREAMBLE = """\
# Results

Written by `bench/run.sh --record`; [README.md](README.md) says what is measured and how. Each
section says when, with how many rounds and under what other load it was measured; a section that a
later run left out keeps its older figures. Compare ratios, not requests per second: they come from
the same rounds on the same machine.
"""


WORTH_TELLING = 0.02


@dataclasses.dataclass(frozen=True)
class Section:
    """One heading of the record. Verdict lines begin with "- reached", "- MISSED" or "- not"."""

    title: str
    text: str

    def verdicts(self, kind: str) -> list[str]:
        return re.findall(rf"^- {kind}: (.*)$", self.text, re.MULTILINE)


def _number(value: float | None, digits: int = 2) -> str:
    return "–" if value is None else f"{value:,.{digits}f}"


def _markdown(rows: list[list[str]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]

    def line(cells: list[str]) -> str:
        padded = [cell.ljust(w) if i == 0 else cell.rjust(w)
                  for i, (cell, w) in enumerate(zip(cells, widths))]
        return "| " + " | ".join(padded) + " |"

    rule = ["-" * w if i == 0 else "-" * (w - 1) + ":" for i, w in enumerate(widths)]
    return "\n".join([line(rows[0]), line(rule), *(line(row) for row in rows[1:])])


def _load_verdict(outcome: Outcome, goal: Goal) -> str:
    wanted = f"{LABELS[goal.subject]} ≥ {goal.ratio:.2f} × {LABELS[goal.over]}"
    ratio = outcome.ratio(goal.subject, goal.over)
    if ratio is None:
        return f"- not measured: {wanted}"
    failed = [n for n in (goal.subject, goal.over) if outcome.series[n].errors]
    if failed:
        return f"- not judged: {wanted}: errors under load of {LABELS[failed[0]]}"
    return f"- {'reached' if ratio >= goal.ratio else 'MISSED'}: {wanted}: {ratio:.2f}"


def _load_rows(outcome: Outcome) -> list[list[str]]:
    rows = [["server", "req/s", "spread", "p50 ms", "p99 ms", "its CPU", "Atoll ÷ it"]]
    for name, series in outcome.series.items():
        ratio = None if name == ATOLL.name else outcome.ratio(ATOLL.name, name)
        rate = series.median("per_second")
        rows.append([LABELS[name], _number(rate, 0 if rate >= 1000 else 1),
                     f"{series.spread:.0%}", _number(series.median("p50")),
                     _number(series.median("p99")), f"{series.median('busy'):.0%}",
                     _number(ratio)])
    return rows


def of_outcome(outcome: Outcome, notes: list[str]) -> Section:
    lines = [_load_verdict(outcome, goal) for goal in outcome.work.goals
             if goal.applies_at(outcome.clients)]
    lines += [f"- errors of {LABELS[name]}: {series.errors}"
              for name, series in outcome.series.items() if series.errors]
    stolen = max(series.median("stolen") for series in outcome.series.values())
    if stolen >= WORTH_TELLING:
        lines.append(f"- the hypervisor took up to {stolen:.0%} of the server's CPU")
    if outcome.left_behind:
        lines.append(f"- Atoll left {outcome.left_behind} processes behind at its end")
    if outcome.work.spawn_sum:
        lines += [f"- {note}" for note in notes]
    text = _markdown(_load_rows(outcome)) + "\n\n" + "\n".join(lines)
    return Section(outcome.title, text.rstrip())


def of_table(table: Table) -> Section:
    rows = [["server", *table.columns]]
    rows += [[label, *(_number(f) for f in figures)] for label, figures in table.rows.items()]
    lines = []
    for limit in table.limits:
        wanted = f"Atoll's {limit.column} ≤ {limit.most:g}"
        figures = table.rows.get(ATOLL_COUNTING.label)
        value = figures and figures[table.columns.index(limit.column)]
        if value is None:
            lines.append(f"- not measured: {wanted}")
        else:
            verdict = "reached" if value <= limit.most else "MISSED"
            lines.append(f"- {verdict}: {wanted}: {value:.2f}")
    return Section(table.title, _markdown(rows) + "\n\n" + "\n".join(lines))


def _read(path: pathlib.Path) -> dict[str, str]:
    """The sections of an earlier record, by title."""
    if not path.exists():
        return {}
    parts = re.split(r"^## (.+)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2])))


def record(path: pathlib.Path, sections: list[Section], machine: list[tuple[str, str]],
           measured: str) -> None:
    """Replaces `sections` in the record at `path` and keeps its others."""
    kept = {t: text for t, text in _read(path).items() if t not in ("Machine", "What fell short")}
    for section in sections:
        kept[section.title] = f"{measured}\n\n{section.text}"
    everything = [Section(title, text) for title, text in kept.items()]
    missed = [f"- {s.title}: {verdict}" for s in everything for verdict in s.verdicts("MISSED")]
    parts = [PREAMBLE,
             "## Machine\n\n" + "\n".join(f"- {what}: {which}" for what, which in machine),
             "## What fell short\n\n" + ("\n".join(missed) or "Nothing that was measured.")]
    parts += [f"## {section.title}\n\n{section.text}" for section in everything]
    path.write_text("\n\n".join(part.strip() for part in parts) + "\n", encoding="utf-8")
