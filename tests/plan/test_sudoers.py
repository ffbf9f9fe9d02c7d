"""The lines of sudoers: every command that a host script runs through sudo is allowed by one, and no line is idle."""

import re
import subprocess
from pathlib import Path

import pytest

from fabric_audit.errors import UsageError
from fabric_audit.plan.script import preamble, verbs
from fabric_audit.plan.sudoers import sudoers
from fabric_audit.platforms.registry import all_sections

ROOT = Path(__file__).parents[2]
HOSTS = [s for s in all_sections().values() if s.kind != "switches" and s.ask is not None]
LINE = re.compile(r"audit ALL=\(root\) NOPASSWD: /usr/\*bin/(\S+) (?:\^(.*)\$|\"\")")
DEVICES = "rdma_devices() { echo mlx5_0; }; rdma_netdevs() { echo eth0; echo ens1f0np0; }; netdevs() { echo eno1; }\n"
WALKS = f"{DEVICES}rdma_pci() {{ echo 0000:1a:00.0; }}\n"


def asked(folder: Path) -> set[str]:
    """What sudo is asked for when a host is asked everything: the words behind ``sudo -n``."""
    log = folder / "log"
    fake = folder / "sudo"
    fake.write_text(f'#!/bin/sh\nshift\nprintf "%s\\n" "$*" >>{log}\n', "utf-8")
    fake.chmod(0o700)
    body = "\n".join(verbs(HOSTS))
    script = f"mark=@@x become='{fake} -n'\n{preamble(traffic=False)}\n{WALKS}main() {{\nsetup\n{body}\n}}\nmain\n"
    subprocess.run(["/bin/sh", "-s"], input=script, text=True, capture_output=True, check=False, timeout=60)
    return set(log.read_text("utf-8").splitlines())


def test_everything_that_is_run_through_sudo_is_allowed_and_nothing_else(tmp_path: Path) -> None:
    _, *lines = sudoers("audit", HOSTS)
    allowed = [found for line in lines if (found := LINE.fullmatch(line))]
    assert len(allowed) == len(lines) > 10
    used = set()
    for command in asked(tmp_path):
        program, _, arguments = command.partition(" ")
        fitting = [one[0] for one in allowed if one[1] == program and re.fullmatch(one[2] or "", arguments)]
        assert len(fitting) == 1, command
        used.update(fitting)
    assert used == set(lines)


@pytest.mark.parametrize(
    "command",
    [
        "ethtool -m eth0 raw on",
        "ethtool -s eth0 speed 10",
        "ethtool -m -s",
        "dmesg -C",
        "iblinkinfo -R",
        "perfquery -x -C mlx5_0 -R",
        "mlxconfig -d 0000:1a:00.0 -e query; reset",
        "mlxconfig -d 0000:1a:00.0 set SRIOV_EN=1",
        "sh -c id",
        "sh -c grep -H '' /etc/shadow",
        "sh -c grep -H '' /sys/kernel/debug/mlx5/*/cc_params/* ; id",
        "tail -n 5000 /etc/shadow",
        "tail -n 5000 /var/log/fabricmanager_log",
    ],
)
def test_relatives_of_what_is_allowed_are_not(command: str) -> None:
    program, _, arguments = command.partition(" ")
    allowed = [found for line in sudoers("audit", HOSTS) if (found := LINE.fullmatch(line))]
    assert not [one[0] for one in allowed if one[1] == program and re.fullmatch(one[2] or "", arguments)]


def test_the_page_on_security_has_these_lines() -> None:
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    block = page.partition("```sudoers\n")[2].partition("```")[0]
    assert block == "\n".join(sudoers("fabric-audit", HOSTS)) + "\n", "fabric-audit commands --sudoers fabric-audit"


def test_a_user_that_would_say_more_is_refused() -> None:
    with pytest.raises(UsageError, match="is no name of a user"):
        next(sudoers("audit ALL=(ALL) NOPASSWD: ALL\n", HOSTS))
