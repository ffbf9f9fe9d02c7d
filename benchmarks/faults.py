"""Plants faults in simulated pods, audits them, and counts what was found, missed and blamed wrongly.

python -m benchmarks.faults --healthy 100 --faulty 300 --rows rows.jsonl --page docs/fault-benchmark.md

Rows of seeds that are in the file already are not made again, so that a run can be interrupted, and shared among
processes with ``--part 1/2`` and ``--part 2/2``.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from benchmarks.fault_page import page
from benchmarks.fault_pods import FAULTY, HEALTHY, Drawn, draw
from benchmarks.fault_truth import said, unfolded, unplanted
from fabric_audit.findings import Audit, Finding, Severity, Verdict
from fabric_audit.inventory.model import Traffic
from fabric_audit.simulator.fabric import Fabric
from fabric_audit.simulator.pod import SimulatedPod
from tests.simulated import audited, bench, inventory_of


def audit_of(drawn: Drawn, folder: Path) -> tuple[Audit, Fabric]:
    """Collect from a drawn pod and audit what was collected."""
    written = (*(fault.written for fault in drawn.faults), *drawn.harmless)
    pod = SimulatedPod(drawn.pod, seed=drawn.seed, faults=written, scale=0.0, platforms=drawn.platforms)
    traffic = Traffic(mode=drawn.mode, tools=("ib_write_bw",), memory=("host", "gpu"), duration_s=5.0)
    with bench(folder, pod, inventory_of(drawn.pod, folder, drawn.platforms), traffic) as ready:
        capture = ready.collect()
        design = replace(ready.policy.design, reordering_possible=drawn.reordering)
    return audited(capture, design=design), pod.fabric


def row_of(drawn: Drawn) -> dict[str, Any]:
    """What became of one pod."""
    began = time.process_time()
    with tempfile.TemporaryDirectory(prefix="fault-benchmark-") as folder:
        audit, fabric = audit_of(drawn, Path(folder))
    findings = audit.findings
    wrong = unplanted(findings, drawn.faults, fabric)
    return {
        "seed": drawn.seed,
        "pod": drawn.pod,
        "platforms": dict(drawn.platforms),
        "harmless": sorted({one.partition("@")[0] for one in drawn.harmless}),
        "faults": [{"fault": f.written, "name": f.name} | asdict(said(findings, f, fabric)) for f in drawn.faults],
        "unplanted": [_told(finding) for finding in wrong],
        "major": sum(finding.severity.at_least(Severity.MAJOR) for finding in wrong),
        "unfolded": [_told(finding) for finding in unfolded(findings, drawn.faults, fabric)],
        "errors": [result.check for result in audit.results if result.verdict is Verdict.ERROR],
        "cpu_s": round(time.process_time() - began, 1),
    }


def _told(finding: Finding) -> str:
    return f"{finding.severity} {finding.id}: {finding.message}"[:240]


def main(words: list[str] | None = None) -> None:
    """Make the rows that are missing, then the page of all of them."""
    parser = argparse.ArgumentParser(description="Plant faults in simulated pods, and count what is found.")
    parser.add_argument("--healthy", type=int, default=len(HEALTHY))
    parser.add_argument("--faulty", type=int, default=len(FAULTY))
    parser.add_argument("--seeds", type=int, nargs="*", help="these pods alone")
    parser.add_argument("--part", default="1/1", help="which part of the pods, such as 1/2")
    parser.add_argument("--rows", type=Path, default=Path("fault-benchmark.jsonl"))
    parser.add_argument("--page", type=Path, help="write the table there")
    asked = parser.parse_args(words)
    seeds = asked.seeds or [*HEALTHY[: asked.healthy], *FAULTY[: asked.faulty]]
    done = {row["seed"] for row in _rows(asked.rows)}
    part, _, parts = asked.part.partition("/")
    for number, seed in enumerate(seeds):
        if seed not in done and number % int(parts) == int(part) - 1:
            row = row_of(draw(seed))
            with asked.rows.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
            print(_line(row), flush=True)
    if asked.page:
        asked.page.write_text(page(list(_rows(asked.rows))), "utf-8")


def _rows(path: Path) -> Iterable[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()] if path.exists() else []


def _word(fault: dict[str, Any]) -> str:
    return next((word for word in ("blamed", "found", "abstained") if fault[word]), "MISSED")


def _line(row: dict[str, Any]) -> str:
    faults = ", ".join(f"{one['fault']} {_word(one)}" for one in row["faults"])
    wrong = "; ".join((*row["unplanted"], *(f"error {check}" for check in row["errors"])))
    return (
        f"{row['seed']} {row['pod']} {row['cpu_s']} s: {faults or 'healthy'}{f'  UNPLANTED {wrong}' if wrong else ''}"
    )


if __name__ == "__main__":
    main()
