"""Faults of one switch or one of its ports."""

from collections.abc import Callable

from fabric_audit.simulator.fabric import CNP_DSCP, LOSSLESS, ROCE_DSCP, Port, Switch
from fabric_audit.simulator.faults.model import Fault, Plot, Uplink, sets, sized


def _ecn_off(thing: Switch | Port, _plot: Plot) -> None:
    for port in thing.ports.values() if isinstance(thing, Switch) else [thing]:
        port.ecn = False


def _maps(name: str, key: int, value: int) -> Callable[[Switch, Plot], None]:
    def change(switch: Switch, _plot: Plot) -> None:
        getattr(switch, name)[key] = value

    return change


def _ecn_late(switch: Switch, plot: Plot) -> None:
    switch.ecn_bytes = plot.size, 2 * plot.size


def _little_headroom(switch: Switch, plot: Plot) -> None:
    switch.headroom_bytes, switch.shared_headroom_bytes = plot.size, 0


def _no_session(cable: Uplink, _plot: Plot) -> None:
    cable.near.session = cable.far.session = False


def _not_peered(cable: Uplink, plot: Plot) -> None:
    cable.near.peered = False
    _no_session(cable, plot)
    cable.near.routed = cable.far.routed = False


def _not_routed(cable: Uplink, _plot: Plot) -> None:
    cable.near.routed = False


def only(*platforms: str) -> Callable[[Switch | Port | Uplink], str]:
    """For what other platforms do not have, or do not show."""

    def lacks(thing: Switch | Port | Uplink) -> str:
        near = thing.near if isinstance(thing, Uplink) else thing
        platform = near.platform
        return "" if platform in platforms else f"{platform} has no such setting, or does not show it"

    return lacks


_SONIC, _EOS = only("sonic"), only("arista_eos")
_BOTH = only("sonic", "arista_eos")

FAULTS = (
    Fault("switch-pfc-off", "port", "PFC is off on one switch port", sets(pfc=frozenset())),
    Fault(
        "wrong-priority",
        "port",
        "PFC is on for the priority beside the lossless one",
        sets(pfc=frozenset({LOSSLESS + 1})),
    ),
    Fault("switch-pfc-everywhere", "port", "PFC is on for every priority", sets(pfc=frozenset(range(8)))),
    Fault("ecn-off", "switch or port", "the lossless queue does not mark", _ecn_off),
    Fault(
        "ecn-swapped",
        "switch",
        "marking is certain before it begins",
        sets(ecn_bytes=(1_500_000, 150_000)),
        (),
        _BOTH,
    ),
    Fault(
        "ecn-late",
        "switch",
        "marking begins after pause",
        _ecn_late,
        (45_000_000, 60_000_000),
        _BOTH,
    ),
    Fault("ecn-drops", "switch", "random detection drops instead of marking", sets(ecn_marks=False), (), _BOTH),
    Fault("dscp-unmapped", "switch", "the RoCE DSCP lands in a lossy queue", _maps("dscp_to_tc", ROCE_DSCP, 0)),
    Fault(
        "class-in-wrong-queue",
        "switch",
        "RoCE leaves by another queue",
        _maps("tc_to_queue", 3, 4),
        (),
        _BOTH,
    ),
    Fault(
        "class-in-lossy-group",
        "switch",
        "RoCE arrives in a lossy group",
        _maps("tc_to_group", 3, 0),
        (),
        _SONIC,
    ),
    Fault("cnp-in-lossless", "switch", "CNPs land in the lossless queue", _maps("dscp_to_tc", CNP_DSCP, LOSSLESS)),
    Fault("cnp-not-strict", "switch", "the queue of CNPs waits its turn", sets(cnp_strict=False), (), _BOTH),
    Fault("port-trust-pcp", "port", "the port classifies by VLAN priority", sets(trust="pcp"), (), _BOTH),
    Fault(
        "headroom-small",
        "switch",
        "too little headroom, and none shared",
        _little_headroom,
        (20_000, 60_000),
        _SONIC,
    ),
    Fault("buffer-lossy", "port", "the lossless group has no headroom", sets(lossless_buffer=False), (), _SONIC),
    Fault("alpha-differs", "switch", "the lossless group shares the buffer otherwise", sized("alpha"), (-6, 3), _SONIC),
    Fault("profile-missing", "switch", "the ECN profile of its queues does not exist", sets(defined=False), (), _SONIC),
    Fault("watchdog-off", "port", "no PFC watchdog on one port", sets(watchdog=False)),
    Fault("watchdog-slow", "switch", "the watchdog fires late", sized("watchdog_ms"), (1000, 5000), _BOTH),
    Fault(
        "watchdog-shuts-port",
        "switch",
        "its watchdog shuts ports",
        sets(watchdog_action="errdisable"),
        (),
        _EOS,
    ),
    Fault(
        "watchdog-fires",
        "port",
        "the watchdog fires in every test",
        sets(storms=True),
        (),
        only("sonic", "arista_eos", "cisco_nxos"),
    ),
    Fault("mtu-mismatch", "port", "the port's MTU is too small", sized("mtu"), (1500, 4000)),
    Fault("switch-link-pause", "port", "802.3x pause of the whole link is on", sets(link_pause=True), (), _EOS),
    Fault("lossless-drops", "port", "the port has no buffer for some packets", sized("drops"), (1e-3, 1e-5)),
    Fault("session-down", "uplink", "the BGP session over the link is down", _no_session),
    Fault("uplink-without-session", "uplink", "no BGP session is configured over the link", _not_peered),
    Fault("route-missing", "uplink", "nothing is routed over the link", _not_routed, (), _EOS),
    Fault("sprays", "switch", "packets of one flow take all equal links", sets(sprays=True), (), _EOS),
)
