"""Write what the parsers say of golden texts beside them, for an author to read and correct.

    python -m tests.platforms.write_golden tests/platforms/hosts/linux/rdma-link/healthy.txt ...

An existing JSON keeps its ``rc`` and ``item``.
"""

import json
import sys
from pathlib import Path

from fabric_audit.testing import parse_golden


def write(text: Path) -> None:
    expected = text.with_suffix(".json")
    if not expected.exists():
        expected.write_text("{}", "utf-8")
    told = parse_golden(text.resolve()).told
    ordered = {name: told[name] for name in ("rc", "item") if name in told} | told
    expected.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        write(Path(argument))
