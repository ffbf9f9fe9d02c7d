"""The MTU is the same at both ends of every cable, and large enough for the RoCE MTU with its headers.

Why: a port with a smaller MTU drops every full packet that it receives, or makes the NIC choose a smaller RoCE MTU:
ping works, small messages work, large ones crawl.

Fix: set the same jumbo MTU on both ports. SONiC: `config interface mtu`; EOS: `mtu 9214`; NX-OS: also the no-drop class
of the network-qos policy; hosts: 9000.

Source: vendors write the same frame as 9000 (IP), 9214 and 9216 (switch ports), so that ends within 22 bytes (Ethernet
header, VLAN tag, FCS) of each other are equal and a switch may be larger than a host; RoCE v2 adds 58 bytes of IPv4,
UDP, BTH, RETH and ICRC to its payload (InfiniBand Architecture 1.3 annex A17).
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from fabric_audit.checks.model import Scope
from fabric_audit.checks.rows import evidence, rows
from fabric_audit.findings import Finding, Verdict

if TYPE_CHECKING:
    import pandas as pd

    from fabric_audit.policy.model import Designs

ON = Scope.LINKS
ROCE_HEADERS = 78
"""IPv6 40, UDP 8, BTH 12, RETH 16 and ICRC 4 bytes, less 2: an IPv4 path needs 20 fewer."""
HEADER_SLACK = 22


def check(interface: "pd.DataFrame", link: "pd.DataFrame", design: "Designs") -> Iterator[Finding]:
    """One finding a cable."""
    ports = {(row.target, row.port): row for row in rows(interface)}
    for cable in rows(link):
        a, b = ports.get((cable.a_target, cable.a_port)), ports.get((cable.b_target, cable.b_port))
        payload = max(design.of(end).roce_mtu_bytes for end in (cable.a_target, cable.b_target))
        yield _judged(cable, a, b, payload + ROCE_HEADERS)


def _judged(cable: Any, a: Any, b: Any, needed: int) -> Finding:
    subject = (cable.a_target, cable.a_port, cable.b_target, cable.b_port)
    if a is None or b is None or a.mtu_bytes is None or b.mtu_bytes is None:
        words = "the MTU of an end is not known"
        return Finding(verdict=Verdict.UNKNOWN, subject=subject, message=words, evidence=evidence(a, b))
    small = min((a, b), key=lambda end: int(end.mtu_bytes))
    large = b if small is a else a
    wrong = _wrong(cable, small, large, needed)
    return Finding(
        verdict=Verdict.FAIL if wrong else Verdict.PASS,
        subject=subject if not wrong else (small.target, small.port),
        message=wrong or f"MTU {a.mtu_bytes} and {b.mtu_bytes}",
        expected=f"equal at both ends and at least {needed}",
        observed=f"{cable.a_target} {a.mtu_bytes}, {cable.b_target} {b.mtu_bytes}",
        remedy="set the same jumbo MTU on both ports" if wrong else "",
        evidence=evidence(a, b),
    )


def _wrong(cable: Any, small: Any, large: Any, needed: int) -> str:
    where = f"MTU {small.mtu_bytes} on {small.target} {small.port}"
    if small.mtu_bytes < needed:
        return f"{where} does not hold a RoCE packet of {needed} bytes"
    is_host = cable.role == "host" and str(small.port) in (cable.a_port, cable.b_port)
    host_smaller = is_host and large.mtu_bytes > small.mtu_bytes and _is_jumbo(small.mtu_bytes)
    if large.mtu_bytes - small.mtu_bytes > HEADER_SLACK and not host_smaller:
        return f"{where}, {large.mtu_bytes} at the other end"
    return ""


def _is_jumbo(mtu: int) -> bool:
    return mtu >= 9000  # noqa: PLR2004 - what a host calls jumbo
