"""Faults of one NIC: its settings, its slot, its addresses."""

from fabric_audit.simulator.fabric import CNP_DSCP, LOSSLESS, ROCE_DSCP, Nic
from fabric_audit.simulator.faults.model import Change, Fault, Plot, sets, sized


def _remapped(dscp: int, priority: int) -> Change:
    def change(nic: Nic, _plot: Plot) -> None:
        nic.dscp_to_priority[dscp] = priority

    return change


def _other_priority(nic: Nic, plot: Plot) -> None:
    nic.pfc = frozenset({plot.size})


def _next(nic: Nic, plot: Plot) -> Nic:
    """The NIC of the same rail on the next host."""
    hosts = list(plot.fabric.hosts)
    return plot.fabric.hosts[hosts[(hosts.index(nic.host) + 1) % len(hosts)]].nic(nic.rail)


def _same_address(nic: Nic, plot: Plot) -> None:
    nic.ip = _next(nic, plot).ip


def _same_mac(nic: Nic, plot: Plot) -> None:
    nic.mac = _next(nic, plot).mac


FAULTS = (
    Fault("nic-pfc-off", "NIC", "PFC is off on the NIC: it neither pauses nor can be paused", sets(pfc=frozenset())),
    Fault(
        "nic-wrong-priority",
        "NIC",
        "the NIC has PFC on another priority than the lossless one",
        _other_priority,
        (LOSSLESS + 1, 0),
    ),
    Fault("nic-pfc-everywhere", "NIC", "the NIC has PFC on every priority", sets(pfc=frozenset(range(8)))),
    Fault("trust-pcp", "NIC", "the NIC classifies by VLAN priority, not by DSCP", sets(trust="pcp")),
    Fault("nic-dscp-unmapped", "NIC", "the NIC puts the RoCE DSCP into a lossy priority", _remapped(ROCE_DSCP, 0)),
    Fault("nic-cnp-lossless", "NIC", "the NIC puts CNPs into the lossless priority", _remapped(CNP_DSCP, LOSSLESS)),
    Fault("dcqcn-off", "NIC", "neither notification nor reaction point", sets(np=False, rp=False)),
    Fault("notification-point-off", "NIC", "the NIC sends no CNPs for marks", sets(np=False)),
    Fault("reaction-point-off", "NIC", "the NIC does not slow down for CNPs", sets(rp=False)),
    Fault("cnp-dscp", "NIC", "the NIC sends CNPs with another DSCP", sized("cnp_dscp"), (0, 26, 46)),
    Fault(
        "traffic-class-override",
        "NIC",
        "the driver forces every QP into another traffic class",
        sized("traffic_class"),
        (0, 32, 184),
    ),
    Fault("nic-link-pause", "NIC", "802.3x pause of the whole link is on", sets(link_pause=True)),
    Fault("nic-mtu", "NIC", "the NIC's MTU is smaller than the fabric's", sized("mtu"), (1500, 2000, 4000)),
    Fault("slow-nic", "NIC", "the host gives the NIC less than its line rate", sized("factor"), (0.85, 0.7, 0.6, 0.5)),
    Fault("slow-sender", "NIC", "the host feeds the NIC too slowly", sized("sends"), (0.85, 0.7, 0.5)),
    Fault("slow-receiver", "NIC", "the NIC pauses its switch for long", sized("pauses"), (0.1, 0.3, 0.6)),
    Fault("pcie-narrow", "NIC", "the NIC runs on fewer PCIe lanes", sized("pci_width"), (8, 4, 1)),
    Fault("pcie-slow", "NIC", "the NIC's PCIe link is of an older generation", sized("pci_gts"), (16.0, 8.0)),
    Fault("read-request-small", "NIC", "MaxReadReq is small", sized("read_request"), (2048, 512, 128)),
    Fault("relaxed-ordering-off", "NIC", "the NIC must keep its PCIe writes in order", sets(relaxed=False)),
    Fault("address-missing", "NIC", "the interface has no IPv4 address, and so no GID of one", sets(ipv4=False)),
    Fault("roce-v1-only", "NIC", "the NIC has GIDs of RoCE v1 alone", sets(roce_v2=False)),
    Fault("gid-moved", "NIC", "other addresses come before the one of jobs", sized("more_addresses"), (1, 2)),
    Fault("route-rule-missing", "NIC", "a host address, and no rule that leads to its routes", sets(ruled=False)),
    Fault("duplicate-address", "NIC", "the NIC has the IP address of the next host's", _same_address),
    Fault("duplicate-mac", "NIC", "the NIC has the hardware address of the next host's", _same_mac),
    Fault("nic-of-another-kind", "NIC", "the card is of another generation", sized("part"), ("MT4125", "MT4123")),
    Fault("receiver-unready", "NIC", "no buffers are posted for what arrives", sized("unready"), (2_000, 100_000)),
)
