"""Two ends of one cable, of two vendors: raw outputs in, one finding out, under either vendor's names of ports."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from fabric_audit.audit import audit_capture
from fabric_audit.capture.model import Entry, Manifest, Planned
from fabric_audit.capture.reader import Capture
from fabric_audit.checks.model import all_checks
from fabric_audit.findings import Audit, Finding, Origin, Verdict
from fabric_audit.inventory.model import Inventory, Login, Switch
from fabric_audit.policy.load import load_policy

ONE_INTENT = Path(__file__).parents[1] / "platforms" / "switches" / "one_intent"
CHECKS = ("pfc.same-on-both-ends", "pfc.enabled-on-lossless-priority", "links.mtu")
SONIC_LLDP = """Capability codes: (R) Router, (B) Bridge, (O) Other
LocalPort    RemoteDevice    RemotePortID    Capability    RemotePortDescr
-----------  --------------  --------------  ------------  -----------------
Ethernet0    spine1          Ethernet1/1     BR            to leaf1
--------------------------------------------------
Total entries displayed:  1
"""
EOS_LLDP = """Interface Ethernet1/1 detected 1 LLDP neighbors:

  Neighbor 0200.5e00.5380/"etp1", age 12 seconds
  - Chassis ID type: MAC address (4)
    Chassis ID     : 0200.5e00.5380
  - Port ID type: Locally assigned (7)
    Port ID     : "etp1"
  - System Name: "leaf1"
"""
CUMULUS_LLDP = """{"swp1": {"lldp": {"neighbor": {"spine1": {
  "chassis": {"chassis-id": "02:00:5e:30:00:02", "system-name": "spine1"},
  "port": {"name": "Ethernet1/1", "type": "ifname"}}}}}}
"""
NXOS_LLDP = """Capability codes:
  (R) Router, (B) Bridge, (T) Telephone, (C) DOCSIS Cable Device
Device ID            Local Intf      Hold-time  Capability  Port ID

Chassis id: 0200.5e00.5390
Port id: swp1
Local Port id: Eth1/1
Port Description: swp1
System Name: leaf1
Time remaining: 93 seconds

Total entries displayed: 1
"""
JUNOS_LLDP = """Local Interface    Parent Interface    Chassis Id          Port info          System Name
et-0/0/0           -                   02:00:5e:00:53:80   Eth1/1             spine1
"""
ONYX_LLDP = """{"Eth1/1": [{"Device ID": "02:00:5E:30:00:02", "Port ID": "515", "System Name": "leaf1"}]}
"""


@dataclass(frozen=True)
class End:
    """One switch: its configuration, and what it hears from the other."""

    platform: str
    port: str
    config: str
    lldp: str
    heard: str


SONIC = End("sonic", "Ethernet0", "config-db", "show-lldp-table", SONIC_LLDP)
EOS = End("arista_eos", "Ethernet1/1", "running-config", "show-lldp-neighbors-detail", EOS_LLDP)
CUMULUS = End("nvidia_cumulus", "swp1", "nv-config-show-commands", "nv-show-interface-lldp-detail-json", CUMULUS_LLDP)
NXOS = End("cisco_nxos", "Ethernet1/1", "running-config", "show-lldp-neighbors-detail", NXOS_LLDP)
JUNOS = End("juniper_junos", "et-0/0/0", "running-config", "show-lldp-neighbors", JUNOS_LLDP)
ONYX = End("nvidia_onyx", "Eth1/1", "running-config", "show-lldp-remote-json", ONYX_LLDP)
PAIRS = ((SONIC, EOS), (CUMULUS, NXOS), (JUNOS, ONYX))
OTHER_PRIORITY = {
    "arista_eos": ("priority 3 no-drop", "priority 4 no-drop"),
    "cisco_nxos": ("pause pfc-cos 3", "pause pfc-cos 4"),
    "nvidia_onyx": ("priority-flow-control priority 3 enable", "priority-flow-control priority 4 enable"),
}


def judged(leaf: End, spine: End, old: str = "", new: str = "") -> Audit:
    """The audit of both ends, with ``old`` in the spine's configuration as ``new``."""
    entries, texts = [], {}
    for name, end in (("leaf1", leaf), ("spine1", spine)):
        config = (ONE_INTENT / f"{end.platform}.txt").read_text("utf-8").replace("leaf1", name)
        outputs = {end.config: config.replace(old, new) if name == "spine1" else config, end.lldp: end.heard}
        for section, text in outputs.items():
            path = f"{name}/{section}"
            texts[path] = text.encode()
            entries.append(_entry(name, f"{end.platform}:{section}", path))
    manifest = Manifest(
        run="pair",
        tool_version="0",
        fabric="pair",
        origin=Origin.REAL,
        started=datetime(2026, 3, 1, tzinfo=UTC).isoformat(),
        planned=tuple(Planned(phase="baseline", targets=(e.target,), sections=(e.section,)) for e in entries),
    )
    login = Login(address="192.0.2.1")
    inventory = Inventory(
        fabric="pair",
        switches=(
            Switch(name="leaf1", login=login, platform=leaf.platform, role="leaf"),
            Switch(name="spine1", login=login, platform=spine.platform, role="spine"),
        ),
    )
    capture = Capture(Path(), manifest, tuple(entries), (), (), texts)
    checks = [check for check in all_checks() if check.id in CHECKS]
    return audit_capture(capture, inventory, load_policy("roce-lossless"), checks)


def _entry(target: str, section: str, path: str) -> Entry:
    return Entry(
        target=target,
        phase="baseline",
        command=section,
        section=section,
        text="",
        started=datetime(2026, 3, 1, tzinfo=UTC).isoformat(),
        duration_s=0.0,
        path=path,
        given=True,
    )


def failing(audit: Audit) -> dict[str, Finding]:
    return {finding.check: finding for finding in audit.findings if finding.verdict is Verdict.FAIL}


@pytest.mark.parametrize(("leaf", "spine"), PAIRS, ids=lambda end: end.platform)
def test_ends_of_two_vendors_that_agree_are_one_cable_without_a_fault(leaf: End, spine: End) -> None:
    audit = judged(leaf, spine)
    assert not failing(audit)
    (link,) = audit.tables["link"].itertuples()
    assert {(link.a_target, link.a_port), (link.b_target, link.b_port)} == {
        ("leaf1", leaf.port),
        ("spine1", spine.port),
    }
    assert {result.verdict for result in audit.results} == {Verdict.PASS}


@pytest.mark.parametrize(("leaf", "spine"), PAIRS, ids=lambda end: end.platform)
def test_another_priority_at_one_end_is_found_under_both_vendors_names(leaf: End, spine: End) -> None:
    found = failing(judged(leaf, spine, *OTHER_PRIORITY[spine.platform]))["pfc.same-on-both-ends"]
    assert found.subject == ("leaf1", leaf.port, "spine1", spine.port)
    assert found.observed == "priority 3 and priority 4"
    assert found.explained_by == f"pfc.enabled-on-lossless-priority:spine1/{spine.port}"
    assert {place.path for place in found.evidence} == {f"leaf1/{leaf.config}", f"spine1/{spine.config}"}
