"""The demonstration: audit a simulated pod with three planted faults, and hold the findings against what was planted.

python -m tests.demo .venv/bin/fabric-audit
"""

import json
import subprocess
import sys
from pathlib import Path

PLANTED = {
    ("gpu003", "rail1"): "PFC is off on one NIC",
    ("leaf02",): "a leaf does not mark ECN on the lossless queue",
    ("gpu006", "rail 0"): "a NIC does not reach its line rate",
}
FINDINGS = 1
"""Exit code of a run that finds something at or above major."""


def main(program: str) -> int:
    """Run the audit; 0 only if it exits 1 and names exactly the planted faults."""
    print("A simulated pod: 8 hosts, 2 leaves, 2 spines, three faults planted. The audit runs over real SSH.\n")
    argv = [program, "run", "inventories/demo.yaml", "--yes"]
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    print(done.stdout)
    report = Path(done.stdout.strip().splitlines()[-1]) if done.stdout.strip() else Path()
    if done.returncode != FINDINGS:
        print(f"NOT as it should be: exit code {done.returncode} where {FINDINGS} was expected.")
        return 1
    found = json.loads((report.parent / "findings.json").read_text("utf-8"))
    findings = [finding for result in found["results"] for finding in result["findings"]]
    named = {tuple(f["subject"]) for f in findings if f["verdict"] == "FAIL" and not f["explained_by"]}
    for subject, words in PLANTED.items():
        print(f"{'found ' if subject in named else 'MISSED'}  {' '.join(subject):16} {words}")
    for subject in sorted(named - set(PLANTED)):
        print(f"NOT PLANTED  {' '.join(subject)}")
    if named != set(PLANTED):
        return 1
    print("\nExactly the three planted faults were named, each at the right component: the demonstration succeeded.")
    print(f"Open the report in a browser: {report}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
