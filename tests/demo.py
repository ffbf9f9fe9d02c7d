"""The demonstrations: audit a simulated pod with planted faults, and hold its report against what was planted.

python -m tests.demo .venv/bin/fabric-audit [CASE]
"""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FINDINGS = 1
"""Exit code of a run that finds something at or above major."""
Subject = tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class Case:
    """One demonstration: ``planted`` is component → what is wrong with it; the first is the case itself."""

    inventory: str
    pod: str
    planted: Mapping[Subject, str]
    first: str
    """Check whose finding the report begins with."""


CASES = {
    "": Case(
        inventory="inventories/demo.yaml",
        pod="8 hosts, 2 leaves, 2 spines, three faults planted",
        planted={
            ("leaf02",): "a leaf does not mark ECN on the lossless queue",
            ("gpu003", "rail1"): "PFC is off on one NIC",
            ("gpu006", "rail 0"): "a NIC does not reach its line rate",
        },
        first="performance.slow-nic",
    ),
    "nvlink": Case(
        inventory="inventories/demo-nvlink.yaml",
        pod="8 hosts; two GPUs of one of them talk over PCIe where NVLink belongs",
        planted={("gpu005", "GPU0", "GPU1"): "GPU-to-GPU traffic on PCIe instead of NVLink"},
        first="gpu.nvlink-map",
    ),
    "gdr": Case(
        inventory="inventories/demo-gdr.yaml",
        pod="8 hosts; one of them stages RDMA through host memory",
        planted={("gpu004",): "GPUDirect RDMA is not in effect"},
        first="gdr.possible",
    ),
    "pfc": Case(
        inventory="inventories/demo-pfc.yaml",
        pod="8 hosts; one uplink has PFC on the priority beside the lossless one, and nothing drops",
        planted={("leaf01", "Ethernet64"): "PFC is on for the wrong priority at one hop"},
        first="pfc.enabled-on-lossless-priority",
    ),
    "mixed": Case(
        inventory="inventories/demo-mixed.yaml",
        pod="8 hosts; jobs on one of them pick a NIC of another generation",
        planted={("gpu006",): "compute NICs of mixed generations"},
        first="topology.one-generation",
    ),
}


def main(program: str, name: str = "") -> int:
    """Run the audit; 0 only if it exits 1, names exactly the planted faults and begins with the case itself."""
    case = CASES[name]
    print(f"A simulated pod: {case.pod}. The audit runs over real SSH.\n")
    argv = [program, "run", case.inventory, "--yes"]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    report = Path(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else Path()
    if done.returncode != FINDINGS:
        print(f"NOT as it should be: exit code {done.returncode} where {FINDINGS} was expected.")
        return 1
    found = json.loads((report.parent / "findings.json").read_text("utf-8"))
    findings = [finding for result in found["results"] for finding in result["findings"]]
    named = {tuple(f["subject"]) for f in findings if f["verdict"] == "FAIL" and not f["explained_by"]}
    for subject, words in case.planted.items():
        print(f"{'found ' if subject in named else 'MISSED'}  {' '.join(subject):16} {words}")
    for subject in sorted(named - set(case.planted)):
        print(f"NOT PLANTED  {' '.join(subject)}")
    check, headline = begins_with(report.read_text("utf-8"))
    print(f"\nThe report begins with: {headline} ({check})")
    if named != set(case.planted) or check != case.first:
        print(f"NOT as it should be: it ought to begin with {case.first}.")
        return 1
    print("Exactly what was planted was named, each at the right component: the demonstration succeeded.")
    print(f"Open the report in a browser: {report}")
    return 0


def begins_with(page: str) -> tuple[str, str]:
    """Check and headline of the first finding that a report shows."""
    card = re.search(r'<article class="finding .*?href="#check-([^"]+)".*?<h3>(.*?)</h3>', page, re.DOTALL)
    return (card[1], re.sub(r"<[^>]+>", "", card[2])) if card else ("nothing", "")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
