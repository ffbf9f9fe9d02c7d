"""Aggregates, BGP sessions and next hops of NX-OS."""

import re
from collections.abc import Iterator

from fabric_audit.facts.routing import BgpNeighbor, EcmpGroup, Lag, LagMember
from fabric_audit.platforms.as_numbers import as_number
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Cli, Missing, Output, Provenance, Why, section
from fabric_audit.platforms.switches.cisco_nxos.names import canonical
from fabric_audit.platforms.switches.cisco_nxos.rows import rows

_STATES = {
    "established": "established",
    "idle": "idle",
    "active": "active",
    "connect": "connect",
    "opensent": "open_sent",
    "openconfirm": "open_confirm",
    "shut": "idle",
}
_AGE = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?")
_SECONDS = (31_536_000, 2_592_000, 604_800, 86_400, 3_600, 60, 1)
_BUNDLED = "P"


def seconds(text: str) -> float | None:
    """Seconds of an ISO 8601 duration such as ``P1DT4H28M45S``; None where it is none."""
    found = _AGE.fullmatch(text)
    if not found or not any(found.groups()):
        return None
    return float(sum(int(part or 0) * unit for part, unit in zip(found.groups(), _SECONDS, strict=True)))


@section(
    "show-bgp-ipv4-unicast-summary-json",
    Cli("show bgp ipv4 unicast summary vrf all | json"),
    yields=(BgpNeighbor,),
    proven=Provenance.DOCUMENT,
)
def parse_bgp_json(output: Output) -> Iterator[Answer]:
    """``show bgp ipv4 unicast summary vrf all | json``: tables of VRF, address family and neighbour.

    ``time`` is how long the state lasts. ``neighborid`` is an address, or an interface on links without addresses.

    Source: the model as Cisco's nxapi tools show and read it.
    """
    top = document(output.stdout)
    found = False
    for vrf in rows(top, "vrf"):
        for family in rows(vrf, "af", "saf"):
            for peer in rows(family, "neighbor"):
                found = True
                yield _session(vrf, family, peer)
    if not found:
        top.need("TABLE_vrf")
        yield Missing(BgpNeighbor.TABLE, Why.ABSENT, "no BGP neighbour in any VRF")


def _session(vrf: Node, family: Node, peer: Node) -> BgpNeighbor:
    state = re.sub(r"[^a-z]", "", (peer.need("state").text() or "").lower().partition("(")[0])
    if state not in _STATES:
        raise peer.get("state").wrong("Established, Idle, Active, Connect, OpenSent or OpenConfirm")
    neighbor = peer.need("neighborid").text() or ""
    port = canonical(neighbor) if re.fullmatch(r"[A-Za-z][A-Za-z-]*\d[\d/.]*", neighbor) else None
    return BgpNeighbor(
        vrf=vrf.need("vrf-name-out").text() or "",
        neighbor=neighbor,
        family=(family.get("af-name").text() or "").lower(),
        port=port,
        remote_as=as_number(peer.get("neighboras").text() or ""),
        local_as=as_number(vrf.get("vrf-local-as").text() or ""),
        state=_STATES[state],
        prefixes_received=peer.get("prefixreceived").integer(),
        uptime_s=seconds(peer.get("time").text() or ""),
        line=peer.line,
    )


@section(
    "show-ip-route-json",
    Cli("show ip route vrf all | json", heavy=True),
    yields=(EcmpGroup,),
    proven=Provenance.DOCUMENT,
    timeout_s=120.0,
)
def parse_routes_json(output: Output) -> Iterator[Answer]:
    """``show ip route vrf all | json``: tables of VRF, address family, prefix and path.

    Only paths that are used (``ubest``) and lead over an interface count; attached prefixes have no next hop.

    Source: the keys as pyATS and NAPALM read them.
    """
    top = document(output.stdout)
    found = False
    for vrf in rows(top, "vrf"):
        name = vrf.need("vrf-name-out").text() or ""
        for prefix in rows(vrf, "addrf", "prefix"):
            group = _group(name, prefix)
            if group:
                found = True
                yield group
    if not found:
        top.need("TABLE_vrf")
        yield Missing(EcmpGroup.TABLE, Why.ABSENT, "no route with a next hop")


def _group(vrf: str, prefix: Node) -> EcmpGroup | None:
    paths = list(rows(prefix, "path"))
    used = [path for path in paths if _true(path.get("ubest")) and path.get("ifname").there]
    if _true(prefix.get("attached")) or not used:
        return None
    client = (used[0].get("clientname").text() or "").partition("-")[0]
    return EcmpGroup(
        vrf=vrf,
        prefix=prefix.need("ipprefix").text() or "",
        protocol={"bgp": "bgp", "ospf": "ospf", "isis": "isis", "static": "static"}.get(client),
        ways=len(used),
        ports=",".join(canonical(path.get("ifname").text() or "") for path in used),
        gateways=",".join(path.get("ipnexthop").text() or "" for path in used),
        line=prefix.line,
    )


def _true(node: Node) -> bool:
    return str(node.value).lower() == "true"


@section(
    "show-port-channel-summary-json",
    Cli("show port-channel summary | json"),
    yields=(Lag, LagMember),
    proven=Provenance.DOCUMENT,
)
def parse_port_channels_json(output: Output) -> Iterator[Answer]:
    """``show port-channel summary | json``: one row per aggregate, with its members in ``TABLE_member``.

    ``status`` U is up. A member is bundled with ``port-status`` P; D is down, I individual, s suspended, H hot
    standby: letters of the legend above the text form.

    Source: the keys as pyATS and Cisco's nxapi tools read them.
    """
    top = document(output.stdout)
    found = False
    for node in rows(top, "channel"):
        found = True
        name = canonical(node.need("port-channel").text() or "")
        protocol = (node.get("prtcl").text() or "").lower()
        yield Lag(
            lag=name,
            protocol={"lacp": "lacp", "none": "static"}.get(protocol),
            oper_up="U" in (node.need("status").text() or ""),
            line=node.line,
        )
        for member in rows(node, "member"):
            letter = member.need("port-status").text() or ""
            bundled = letter == _BUNDLED
            yield LagMember(
                lag=name,
                port=canonical(member.need("port").text() or ""),
                bundled=bundled,
                reason=None if bundled else letter,
                line=member.line,
            )
    if not found:
        top.need("TABLE_channel")
        yield Missing(Lag.TABLE, Why.ABSENT, "no port-channel")
