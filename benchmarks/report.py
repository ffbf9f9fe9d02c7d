"""How large and how slow reports are: every pair of hosts tested on every rail, one NIC slow.

python -m benchmarks.report [128 1024]
"""

import resource
import sys
import tempfile
import time
from pathlib import Path

from fabric_audit.findings import Audit
from fabric_audit.report import RENDERERS
from tests.report.audits import Lines, audit, checks
from tests.report.browser import chromium, program
from tests.report.frames import Pod, tables

RAILS, TOOLS = 8, 2
FORMATS = ("html", "json")
PAINTED = """(() => {
  const paint = performance.getEntriesByName("first-contentful-paint")[0];
  return paint ? paint.startTime / 1000 : performance.now() / 1000;
})()"""


def pod_audit(hosts: int) -> Audit:
    pod = Pod(hosts=hosts, rails=RAILS, leaves=max(2, hosts // 32))
    slow = {("gpu003", peer, 1): 0.45 for peer in pod.host_names if peer != "gpu003"} if hosts <= 128 else None
    return audit(pod, checks(pod), tables=tables(pod, slow=slow))


def painted_s(path: Path) -> float | None:
    """Seconds to the first paint with content in a headless Chromium; None where there is none."""
    binary = program()
    if binary is None:
        return None
    with chromium(binary) as page:
        page.size(1400)
        page.open(path)
        return float(page.value(PAINTED))


def measure(hosts: int) -> None:
    told = pod_audit(hosts)
    folder = Path(tempfile.mkdtemp())
    for name in FORMATS:
        began, cpu = time.perf_counter(), time.process_time()
        data = RENDERERS[name].render(told, Lines())
        wall, used = time.perf_counter() - began, time.process_time() - cpu
        path = folder / RENDERERS[name].file_name
        path.write_bytes(data)
        painted = painted_s(path) if name == "html" else None
        shown = f"{painted:.2f} s" if painted is not None else ""
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        size = len(data) / 1e6
        print(f"| {hosts} x {RAILS} | {name} | {size:.2f} MB | {used:.1f} s | {wall:.1f} s | {shown} | {peak:.2f} GB |")


if __name__ == "__main__":
    print("| hosts x rails | format | size | built, CPU | built, wall | painted | peak memory |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for wanted in map(int, sys.argv[1:] or ("128", "1024")):
        measure(wanted)
