"""Routes of a host and the rules that choose among its routing tables."""

from collections.abc import Iterator, Mapping
from typing import Any

from fabric_audit.errors import ParseError
from fabric_audit.facts.ports import Route, RouteRule
from fabric_audit.platforms.hosts.linux.iproute import answers, tells_json
from fabric_audit.platforms.hosts.linux.iproute_text import answers_of_text, routes, rules
from fabric_audit.platforms.model import Answer, Output, Provenance, Run, section

_OWN = frozenset({"local", "broadcast", "anycast", "multicast"})
"""Types of routes the kernel makes for each address it has."""
_DEAD = frozenset({"dead", "linkdown"})


@section("ip-route", Run("ip", "-j", "route", "show", "table", "all"), yields=(Route,), proven=Provenance.DOCUMENT)
def parse_ip_route(output: Output) -> Iterator[Answer]:
    """``ip -j route show table all``: IPv4 and IPv6 routes of every table, one row a next hop.

    Routes to own addresses (types local, broadcast, anycast, multicast) are left out: they say what ``ip addr``
    says. A route that refuses (``unreachable``, ``blackhole``, ``prohibit``) has no interface: its type stands
    there. Before iproute2 4.16 this is plain text. Source: iproute2 ``ip/iproute.c``, ``print_route``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _routes, "routes", Route)
    else:
        yield from answers_of_text(output, routes, _routes, Route)


def _routes(one: Mapping[str, Any]) -> Iterator[Answer]:
    if one.get("type") in _OWN:
        return
    hops = one.get("nexthops")
    for hop in hops if isinstance(hops, list) else [one]:
        if not isinstance(hop, dict):
            raise ParseError(0, str(hop), "a next hop")
        yield _route(one, hop)


def _route(one: Mapping[str, Any], hop: Mapping[str, Any]) -> Route:
    destination, port, flags = one.get("dst"), hop.get("dev", one.get("type")), hop.get("flags")
    if not isinstance(destination, str) or not isinstance(port, str):
        raise ParseError(0, str(dict(one)), "a route with dst and dev")
    via, metric = hop.get("via"), one.get("metric")
    gateway = hop.get("gateway") or (via.get("host") if isinstance(via, dict) else None)
    return Route(
        destination=destination,
        port=port,
        table_id=str(one.get("table", "main")),
        gateway=str(gateway) if gateway else None,
        source=str(one["prefsrc"]) if one.get("prefsrc") else None,
        metric=metric if type(metric) is int else None,
        usable=_DEAD.isdisjoint(map(str, flags)) if isinstance(flags, list) else None,
    )


@section("ip-rule", Run("ip", "-j", "rule", "show"), yields=(RouteRule,), proven=Provenance.DOCUMENT)
@section("ip-rule-6", Run("ip", "-j", "-6", "rule", "show"), yields=(RouteRule,), proven=Provenance.DOCUMENT)
def parse_ip_rule(output: Output) -> Iterator[Answer]:
    """``ip -j rule`` and ``ip -j -6 rule``: which table a packet is looked up in.

    The length of a prefix stands apart (``srclen``), and only where it is not that of a host. A rule without a
    table does something else with the packet: its action stands there. Before iproute2 4.17 this is plain text.
    Source: iproute2 ``ip/iprule.c``.
    """
    if tells_json(output.stdout) or not output.stdout.strip():
        yield from answers(output, _rule, "routing rules", RouteRule)
    else:
        yield from answers_of_text(output, rules, _rule, RouteRule)


def _rule(one: Mapping[str, Any]) -> Iterator[Answer]:
    priority = one.get("priority")
    target = one.get("table") or one.get("action")
    if type(priority) is not int or not target:
        raise ParseError(0, str(dict(one)), "a rule with priority and table")

    def word(name: str) -> str | None:
        return str(one[name]) if one.get(name) is not None else None

    destination = _prefix(one, "dst", "dstlen")
    yield RouteRule(
        priority=priority,
        source=_prefix(one, "src", "srclen") or "all",
        table_id=str(target),
        destination=None if destination == "all" else destination,
        iif=word("iif"),
        oif=word("oif"),
        fwmark=word("fwmark"),
        negated="not" in one,
    )


def _prefix(one: Mapping[str, Any], address: str, length: str) -> str | None:
    if one.get(address) is None:
        return None
    return f"{one[address]}/{one[length]}" if one.get(length) else str(one[address])
