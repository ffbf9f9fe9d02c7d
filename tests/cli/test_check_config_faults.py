"""One fault planted in a good configuration of each OS is found: its line, its port, and what mends it there."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from fabric_audit.cli import ExitCode
from tests.cli.test_check_config import GOOD, failing, judged


@dataclass(frozen=True)
class Fault:
    """``old`` becomes ``new`` at its last occurrence; the finding cites the line that ``line`` is the last to be in."""

    platform: str
    old: str
    new: str
    check: str
    where: str
    line: str
    remedy: str
    source: str

    def __str__(self) -> str:
        return f"{self.platform} {self.check}"


FAULTS = (
    Fault(
        "sonic",
        '"pfc_enable": "3",',
        "",
        "pfc.enabled-on-lossless-priority",
        "leaf1 Ethernet8",
        '"Ethernet8": {\n            "dscp_to_tc_map"',
        '`PORT_QOS_MAP|Ethernet8`: `"pfc_enable": "3"`',
        "sonic-yang-models/doc/Configuration.md",
    ),
    Fault(
        "sonic",
        '"xoff": "340200"',
        '"xoff": "34020"',
        "buffers.headroom",
        "leaf1",
        '"Ethernet0|3": {\n            "profile"',
        "a profile of BUFFER_PG with a larger xoff",
        "Configuration.md",
    ),
    Fault(
        "dell_sonic",
        "priority-flow-control priority 3",
        "priority-flow-control priority 4",
        "pfc.only-on-lossless-priority",
        "leaf1 Eth1/2",
        "priority-flow-control priority 4",
        "interface Eth1/2: `no priority-flow-control priority N`",
        "Enterprise SONiC",
    ),
    Fault(
        "nvidia_cumulus",
        "nv set interface swp2 qos pfc-watchdog state enabled\n",
        "",
        "pfc.watchdog-enabled",
        "leaf1 swp2",
        "nv set interface swp2",
        "`nv set interface swp2 qos pfc-watchdog state enabled`",
        "Cumulus Linux 5.12 user guide",
    ),
    Fault(
        "arista_eos",
        "   service-profile ROCE\n",
        "   service-profile ROCE\n   !\n   uc-tx-queue 3\n      random-detect ecn minimum-threshold 1500 kbytes"
        " maximum-threshold 150 kbytes max-mark-probability 100\n",
        "ecn.marks-on-lossless-queue",
        "leaf1 Ethernet2/1",
        "minimum-threshold 1500 kbytes",
        "interface Ethernet2/1 or its qos profile, uc-tx-queue 3: `random-detect ecn minimum-threshold",
        "Arista EOS user manual",
    ),
    Fault(
        "cisco_nxos",
        "  mtu 9216\n  service",
        "  mtu 9216\n  flowcontrol receive on\n  service",
        "pfc.link-pause-off",
        "leaf1 Ethernet1/2",
        "interface Ethernet1/2",
        "interface Ethernet1/2: `no flowcontrol receive on`",
        "Cisco Nexus 9000",
    ),
    Fault(
        "juniper_junos",
        "        mtu 9216;\n",
        "",
        "links.switch-mtu",
        "leaf1 et-0/0/1",
        "et-0/0/1 {",
        "`set interfaces et-0/0/1 mtu 9216`",
        "Junos OS",
    ),
    Fault(
        "nvidia_onyx",
        "   traffic pool roce type",
        "   interface ethernet 1/2 qos map dscp 26 to switch-priority 5\n   traffic pool roce type",
        "qos.dscp-is-lossless",
        "leaf1 Eth1/2",
        "qos map dscp 26",
        "`interface Eth1/2 qos map dscp 26 to switch-priority 3`",
        "NVIDIA Onyx User Manual",
    ),
    Fault(
        "huawei_vrp",
        " qos queue 3 ecn\n",
        "",
        "ecn.marks-on-lossless-queue",
        "leaf1 100GE1/0/2",
        "qos queue 3 wred roce",
        "interface 100GE1/0/2: `qos queue 3 wred NAME`, `qos queue 3 ecn`",
        "Huawei CloudEngine",
    ),
    Fault(
        "h3c_comware",
        " priority-flow-control deadlock enable\n",
        "",
        "pfc.watchdog-enabled",
        "leaf1 FourHundredGigE1/0/2",
        "interface FourHundredGigE1/0/2",
        "interface FourHundredGigE1/0/2: `priority-flow-control deadlock enable`",
        "H3C S9825",
    ),
    Fault(
        "dell_os10",
        " class Q6\n  priority\n",
        " class Q6\n  bandwidth percent 10\n",
        "qos.cnp-strict",
        "leaf1",
        "bandwidth percent 10",
        "`policy-map type queuing NAME`, class with `match queue 6`: `priority`",
        "Dell SmartFabric OS10 User Guide",
    ),
)


def changed(text: str, old: str, new: str) -> str:
    assert old in text
    head, tail = text.rsplit(old, 1)
    return head + new + tail


@pytest.mark.parametrize("fault", FAULTS, ids=str)
def test_a_planted_fault_is_named_with_line_port_and_remedy(
    fault: Fault, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = changed((GOOD / f"{fault.platform}.txt").read_text("utf-8"), fault.old, fault.new)
    file = tmp_path / "leaf1.cfg"
    file.write_text(text, "utf-8")
    code, document = judged(capfd, "--platform", fault.platform, str(file))
    assert code == ExitCode.FINDINGS
    found = {str(f["id"]).partition(":")[0]: f for f in failing(document)}
    finding = found[fault.check]
    assert " ".join(finding["subject"]) == fault.where
    assert finding["remedy"].count(fault.remedy) == 1, finding["remedy"]
    assert fault.source in finding["remedy_source"]
    line = text[: text.rindex(fault.line)].count("\n") + 1
    assert {"path": str(file), "line": line} in finding["evidence"]
