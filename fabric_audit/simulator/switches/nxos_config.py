"""How a simulated NX-OS switch is configured: `show running-config`.

A port that differs from the others has its own `priority-flow-control mode`, MTU or queuing policy; classification and
the lossless class are the switch's.
"""

from collections.abc import Iterator

from fabric_audit.simulator.fabric import LOSSLESS, Fabric, Port, Switch
from fabric_audit.simulator.switches.links import sessions
from fabric_audit.simulator.traffic import Traffic

VERSION = "10.3(4a)"
_CNP_GROUP = 6
_SHARES = {0: 50, LOSSLESS: 50}


def running_config(fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    """`show running-config`."""
    stamp = "Mon Mar  3 12:00:00 2031"
    head = ["", "!Command: show running-config", f"!Running configuration last done at: {stamp}", f"!Time: {stamp}", ""]
    parts = [_first(switch), _qos(switch), *map(_interface, switch.ports.values()), _loopback(switch)]
    lines = [line for part in (*parts, _bgp(fabric, switch)) for line in (*part, "")]
    return "\n".join([*head, *lines]) + "\n"


def _first(switch: Switch) -> Iterator[str]:
    yield f"version {VERSION} Bios:version 01.08 "
    yield f"hostname {switch.name}"
    yield "feature bgp"
    yield "feature lldp"
    yield ""
    yield "priority-flow-control watch-dog-interval on"
    yield "no ip domain-lookup"


def _qos(switch: Switch) -> Iterator[str]:
    classes = _classes(switch)
    for group, dscps in classes.items():
        yield f"class-map type qos match-all GROUP{group}"
        yield f"  match dscp {dscps}"
    yield "policy-map type qos CLASSIFY"
    for group in classes:
        yield f"  class GROUP{group}"
        yield f"    set qos-group {group}"
    yield "  class class-default"
    yield "    set qos-group 0"
    yield from _queuing("EGRESS", ecn=True)
    if any(not port.ecn for port in switch.ports.values()):
        yield from _queuing("EGRESS-UNMARKED", ecn=False)
    yield "policy-map type network-qos LOSSLESS"
    yield f"  class type network-qos c-8q-nq{LOSSLESS}"
    yield "    mtu 9216"
    yield f"    pause pfc-cos {LOSSLESS}"
    yield "  class type network-qos c-8q-nq-default"
    yield "    mtu 9216"
    yield "system qos"
    yield "  service-policy type network-qos LOSSLESS"
    yield "  service-policy type queuing output EGRESS"


def _classes(switch: Switch) -> dict[int, str]:
    """Group → `24-31`, or `24-25,27-31`; what is in none of them lands in group 0."""
    found: dict[int, str] = {}
    for group in range(1, 8):
        runs: list[list[int]] = []
        for dscp in sorted(dscp for dscp, lands in switch.dscp_to_tc.items() if lands == group):
            if runs and runs[-1][-1] == dscp - 1:
                runs[-1].append(dscp)
            else:
                runs.append([dscp])
        if runs:
            found[group] = ",".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)
    return found


def _queuing(name: str, *, ecn: bool) -> Iterator[str]:
    yield f"policy-map type queuing {name}"
    for group in range(7, -1, -1):
        yield f"  class type queuing c-out-8q-q{group or '-default'}"
        if group == _CNP_GROUP:
            yield "    priority level 1"
        else:
            yield f"    bandwidth remaining percent {_SHARES.get(group, 0)}"
        if group == LOSSLESS and ecn:
            limits = "minimum-threshold 150 kbytes maximum-threshold 1500 kbytes"
            yield f"    random-detect {limits} drop-probability 100 weight 0 ecn"


def _interface(port: Port) -> Iterator[str]:
    yield f"interface {port.name}"
    yield f"  description {' '.join(port.peer)}"
    yield "  no switchport"
    yield f"  priority-flow-control mode {'on' if port.pfc else 'off'}"
    if port.watchdog:
        yield "  priority-flow-control watch-dog-interval on"
    yield f"  mtu {port.mtu}"
    yield "  fec rs-fec"
    yield "  service-policy type qos input CLASSIFY"
    if not port.ecn:
        yield "  service-policy type queuing output EGRESS-UNMARKED"
    if port.ip:
        yield f"  ip address {port.ip}/31"
    yield "  no shutdown"


def _loopback(switch: Switch) -> Iterator[str]:
    yield "interface loopback0"
    yield f"  ip address {switch.loopback}/32"


def _bgp(fabric: Fabric, switch: Switch) -> Iterator[str]:
    yield f"router bgp {switch.asn}"
    yield f"  router-id {switch.loopback}"
    yield "  address-family ipv4 unicast"
    yield "    maximum-paths 64"
    for _, far, _ in sessions(fabric, switch):
        yield f"  neighbor {far.ip}"
        yield f"    remote-as {fabric.switches[far.switch].asn}"
        yield f"    description {far.switch} {far.name}"
        yield "    address-family ipv4 unicast"
