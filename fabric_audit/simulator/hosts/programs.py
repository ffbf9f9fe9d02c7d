"""Programs of a simulated host: what each prints for the arguments it is asked with."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_network

from fabric_audit.simulator.fabric import Fabric, Host, Nic
from fabric_audit.simulator.hosts import files, module, nvidia, pci
from fabric_audit.simulator.hosts.perftest import TOOLS, help_text


@dataclass(frozen=True, slots=True)
class Printed:
    """What a program left behind."""

    stdout: str = ""
    stderr: str = ""
    rc: int = 0


Program = Callable[[Fabric, Host, tuple[str, ...]], Printed]


def run(fabric: Fabric, host: Host, argv: tuple[str, ...]) -> Printed:
    """Run a program; one that the host does not have ends with 127, as `timeout` reports it."""
    name = argv[0]
    known = programs(host)
    if name not in known:
        return Printed(stderr=f"timeout: failed to run command '{name}': No such file or directory\n", rc=127)
    return known[name](fabric, host, argv[1:])


def programs(host: Host) -> Mapping[str, Program]:
    """The programs a host has."""
    found: dict[str, Program] = {
        "ip": _ip,
        "rdma": _rdma,
        "ethtool": _ethtool,
        "mlnx_qos": _mlnx_qos,
        "nvidia-smi": lambda _fabric, there, arguments: Printed(*nvidia.smi(there, arguments)),
        "uname": lambda _fabric, there, _arguments: Printed(
            f"Linux {there.name} {there.kernel} #129-Ubuntu SMP Fri Aug 2 19:25:20 UTC 2024 x86_64 GNU/Linux\n"
        ),
        "cat": _cat,
        "sh": _sh,
        "mlxlink": _mlxlink,
        "lspci": lambda _fabric, there, _arguments: Printed(pci.lspci(there)),
        "dmesg": lambda _fabric, there, _arguments: Printed(_kernel_log(there)),
    }
    if host.perftest:
        found |= {tool: partial(_perftest, tool) for tool in TOOLS}
    return found


def _kernel_log(host: Host) -> str:
    """What the kernel says of a host that starts well, and what was added since."""
    lines = [
        f"[    0.000000] Linux version {host.kernel} (buildd@example) (gcc 11.4.0) #129-Ubuntu SMP",
        "[    0.512345] iommu: Default domain type: Passthrough (set via kernel command line)",
        *(f"[    9.00000{nic.rail % 10}] mlx5_core {nic.pci} {nic.netdev}: Link up" for nic in host.nics),
        f"[   12.000000] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  {host.driver}",
    ]
    return "".join(f"{line}\n" for line in (*lines, *host.kernel_log))


def _perftest(tool: str, _fabric: Fabric, _host: Host, arguments: tuple[str, ...]) -> Printed:
    return Printed(*help_text(tool, arguments))


def _cat(_fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    there = {
        "/proc/cmdline": "BOOT_IMAGE=/vmlinuz root=/dev/mapper/vg-root ro iommu=pt intel_iommu=on pci=realloc=off",
        "/proc/self/limits": (
            "Limit                     Soft Limit           Hard Limit           Units     \n"
            "Max open files            1048576              1048576              files     \n"
            f"Max locked memory         {host.memlock:<20} {host.memlock:<20} bytes     "
        ),
        **files.contents(host),
    }
    missing = [path for path in arguments if path not in there]
    words = "".join(f"cat: {path}: No such file or directory\n" for path in missing)
    return Printed("".join(f"{there[path]}\n" for path in arguments if path in there), words, int(bool(missing)))


def _mlxlink(_fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    nic = next((nic for nic in host.nics if nic.device in arguments), None)
    if nic is None:
        return Printed("-E- Device is not valid\n", rc=1)
    return Printed(module.mlxlink(nic))


def _sh(fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    """The few loops that host sections ask for: which tools there are, and what time it is."""
    text = arguments[-1]
    if "date -u" in text:
        now = time.gmtime(fabric.wall() + host.clock_off_s)
        return Printed(f"{host.name}\n{time.strftime('%Y-%m-%dT%H:%M:%SZ', now)}\n")
    if "for t in" in text:
        names = text.split("for t in", 1)[1].split(";", 1)[0].split()
        return Printed("".join(f"{name} /usr/bin/{name}\n" for name in names if name in programs(host)))
    return Printed("ip ip utility, iproute2-5.15.0\nethtool ethtool version 5.16\n")


def _ip(fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    words = [word for word in arguments if not word.startswith("-")]
    shows = {"link": _ip_link, "addr": _ip_addr, "neigh": _ip_neigh, "route": _ip_route, "rule": _ip_rule}
    if "-6" in arguments:
        return Printed(json.dumps([{"priority": 0, "src": "all", "table": "local"}]) + "\n")
    return Printed(json.dumps(shows[words[0]](fabric, host), separators=(",", ":")) + "\n")


def _ip_link(_fabric: Fabric, host: Host) -> list[dict[str, object]]:
    loopback = {"ifindex": 1, "ifname": "lo", "flags": ["LOOPBACK", "UP", "LOWER_UP"], "mtu": 65536}
    found: list[dict[str, object]] = [loopback | {"operstate": "UNKNOWN", "link_type": "loopback"}]
    for index, nic in enumerate(host.nics, 2):
        found.append(
            {
                "ifindex": index,
                "ifname": nic.netdev,
                **_link_state(nic),
                "mtu": nic.mtu,
                "link_type": "ether",
                "address": nic.mac,
                "parentbus": "pci",
                "parentdev": nic.pci,
            }
        )
    return found


def _link_state(nic: Nic) -> dict[str, object]:
    flags = ["BROADCAST", "MULTICAST", "UP", "LOWER_UP"] if nic.up else ["NO-CARRIER", "BROADCAST", "MULTICAST", "UP"]
    return {"flags": flags, "operstate": "UP" if nic.up else "DOWN"}


def _ip_addr(_fabric: Fabric, host: Host) -> list[dict[str, object]]:
    return [
        {
            "ifindex": index,
            "ifname": nic.netdev,
            **_link_state(nic),
            "mtu": nic.mtu,
            "link_type": "ether",
            "address": nic.mac,
            "addr_info": _addresses(host, nic),
        }
        for index, nic in enumerate(host.nics, 2)
    ]


def _addresses(host: Host, nic: Nic) -> list[dict[str, object]]:
    more = [f"fd00:0:0:{nic.rail:x}::{n:x}" for n in range(1, nic.more_addresses + 1)]
    found: list[dict[str, object]] = [
        {"family": "inet6", "local": address, "prefixlen": 64, "scope": "global"} for address in more
    ]
    length = host.prefix if nic.ruled else 32
    mine: dict[str, object] = {"family": "inet", "local": nic.ip, "prefixlen": length, "scope": "global"}
    return [*found, mine] if nic.ipv4 else found


def _ip_neigh(fabric: Fabric, host: Host) -> list[dict[str, object]]:
    return [
        {"dst": nic.gateway, "dev": nic.netdev, "lladdr": fabric.leaf_port(nic).mac, "state": ["REACHABLE"]}
        for nic in host.nics
        if nic.up
    ]


def _ip_route(_fabric: Fabric, host: Host) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for nic in host.nics:
        if not nic.ipv4:
            continue
        prefix = str(ip_network(f"{nic.ip}/{host.prefix}", strict=False))
        if nic.ruled:
            found.append({"dst": prefix, "dev": nic.netdev, "protocol": "kernel", "scope": "link", "prefsrc": nic.ip})
        found.append({"dst": "default", "gateway": nic.gateway, "dev": nic.netdev, "table": str(100 + nic.rail)})
    return found


def _ip_rule(_fabric: Fabric, host: Host) -> list[dict[str, object]]:
    found: list[dict[str, object]] = [{"priority": 0, "src": "all", "table": "local"}]
    found += [{"priority": 100, "src": nic.ip, "table": str(100 + nic.rail)} for nic in host.nics if nic.ruled]
    return [*found, {"priority": 32766, "src": "all", "table": "main"}]


def _rdma(_fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    if "system" in arguments:
        return Printed("netns shared copy-on-fork on\n")
    if "resource" in arguments:
        return Printed(_rdma_resource(host, queue_pairs="qp" in arguments))
    if "link" in arguments:
        shown: list[dict[str, object]] = [
            {
                "ifindex": index,
                "ifname": nic.device,
                "port": 1,
                "state": "ACTIVE" if nic.up else "DOWN",
                "physical_state": "LINK_UP" if nic.up else "POLLING",
                "netdev": nic.netdev,
                "netdev_index": index + 2,
            }
            for index, nic in enumerate(host.nics)
        ]
    else:
        shown = [
            {
                "ifindex": index,
                "ifname": nic.device,
                "node_type": "ca",
                "fw": host.firmware,
                "node_guid": files.guid(nic),
                "sys_image_guid": files.guid(nic),
            }
            for index, nic in enumerate(host.nics)
        ]
    return Printed(json.dumps(shown, separators=(",", ":")) + "\n")


def _rdma_resource(host: Host, *, queue_pairs: bool) -> str:
    """What the kernel holds on every device, and as many queue pairs of somebody else as the host is told to have."""
    shown: list[dict[str, object]] = []
    for index, nic in enumerate(host.nics):
        device: dict[str, object] = {"ifindex": index, "ifname": nic.device}
        if queue_pairs:
            shown.append(device | {"port": 1, "lqpn": 1, "type": "GSI", "state": "RTS", "sq-psn": 0, "comm": "ib_core"})
            for number in range(host.foreign_qps):
                mine = {"port": 1, "lqpn": 100 + number, "type": "RC", "state": "RTS", "pid": 4242, "comm": "python3"}
                shown.append(device | mine)
        else:
            users = int(host.foreign_qps > 0)
            shown.append(device | {"pd": 2, "cq": 2, "qp": 1 + host.foreign_qps, "cm_id": 0, "mr": 0, "ctx": users})
    return json.dumps(shown, separators=(",", ":")) + "\n"


def _ethtool(_fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    nic = _nic(host, arguments[-1])
    if nic is None:
        return Printed(stderr="netlink error: No such device\n", rc=75)
    if "-m" in arguments:
        return Printed(stderr="netlink error: Operation not supported\n", rc=1)
    shows: dict[str, Callable[[Nic], str]] = {
        "-S": _statistics,
        "-i": partial(_driver, host.firmware),
        "-a": _pause,
        "--show-fec": _fec,
    }
    show = next((shows[word] for word in arguments if word in shows), _settings)
    return Printed(show(nic))


def _pause(nic: Nic) -> str:
    word = "on" if nic.link_pause else "off"
    return f"Pause parameters for {nic.netdev}:\nAutonegotiate:\toff\nRX:\t\t{word}\nTX:\t\t{word}\n\n"


def _fec(nic: Nic) -> str:
    word = {"rs": "RS", "fc": "BaseR", "none": "Off"}[nic.fec]
    head = f"FEC parameters for {nic.netdev}:"
    return f"{head}\nSupported/Configured FEC encodings: {word}\nActive FEC encoding: {word}\n"


def _settings(nic: Nic) -> str:
    return (
        f"Settings for {nic.netdev}:\n\tSpeed: {f'{nic.speed_bps // 10**6}Mb/s' if nic.up else 'Unknown!'}\n"
        f"\tDuplex: {'Full' if nic.up else 'Unknown! (255)'}\n\tAuto-negotiation: on\n"
        f"\tPort: FIBRE\n\tLink detected: {'yes' if nic.up else 'no'}\n"
    )


def _driver(firmware: str, nic: Nic) -> str:
    return (
        f"driver: mlx5_core\nversion: 24.04-0.6.6\nfirmware-version: {firmware} (EXA0000000838)\n"
        f"expansion-rom-version: \nbus-info: {nic.pci}\nsupports-statistics: yes\nsupports-test: yes\n"
        "supports-eeprom-access: no\nsupports-register-dump: no\nsupports-priv-flags: yes\n"
    )


def _statistics(nic: Nic) -> str:
    count = nic.counters
    rows: dict[str, int] = {
        "rx_packets": 1200,
        "tx_packets": 1100,
        "rx_vport_rdma_unicast_packets": count["rx_packets"],
        "tx_vport_rdma_unicast_packets": count["tx_packets"],
        "rx_crc_errors_phy": count["rx_crc_errors_phy"],
        "rx_pcs_symbol_err_phy": 0,
        "rx_discards_phy": 0,
        "tx_discards_phy": 0,
        "link_down_events_phy": nic.flaps,
        "rx_out_of_buffer": 0,
        "outbound_pci_stalled_wr": 0,
        "outbound_pci_stalled_wr_events": 0,
        "tx_pause_storm_warning_events": 0,
        "tx_pause_storm_error_events": 0,
    }
    for priority in range(8):
        for side in ("rx", "tx"):
            for unit in ("bytes", "packets"):
                rows[f"{side}_prio{priority}_{unit}"] = count[f"{side}_prio{priority}_{unit}"]
    for priority in sorted(nic.pfc):
        names = [f"{side}_prio{priority}_pause{what}" for what in ("", "_duration") for side in ("rx", "tx")]
        rows |= {name: count[name] for name in names}
        rows[f"rx_prio{priority}_pause_transition"] = count[f"rx_prio{priority}_pause"] // 2
    return "NIC statistics:\n" + "".join(f"     {name}: {value}\n" for name, value in rows.items())


def _mlnx_qos(_fabric: Fabric, host: Host, arguments: tuple[str, ...]) -> Printed:
    nic = _nic(host, arguments[-1])
    if nic is None:
        return Printed(stdout=f"Interface {arguments[-1]} does not exist\n", rc=1)
    lines = ["DCBX mode: OS controlled", f"Priority trust state: {nic.trust}"]
    if nic.trust == "dscp":
        lines.append("dscp2prio mapping:")
        for priority in range(8):
            mine = sorted((d for d, p in nic.dscp_to_priority.items() if p == priority), reverse=True)
            groups = [mine[start : start + 8] for start in range(0, len(mine), 8)]
            lines += [f"\tprio:{priority} dscp:{''.join(f'{d:02d},' for d in group)}" for group in groups]
    lines += [
        "default priority:",
        "Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,total_size=1027728",
        "Cable len: 7",
        "PFC configuration:",
        "\tpriority    0   1   2   3   4   5   6   7",
        "\tenabled     " + "".join(f"{int(p in nic.pfc)}   " for p in range(8)),
        "\tbuffer      " + "".join(f"{int(p in nic.pfc)}   " for p in range(8)),
    ]
    for traffic_class in range(8):
        lines.append(f"tc: {traffic_class} ratelimit: unlimited, tsa: vendor")
        lines.append(f"\t priority:  {ONE_AND_ZERO_SWAPPED.get(traffic_class, traffic_class)}")
    return Printed("\n".join(lines) + "\n")


ONE_AND_ZERO_SWAPPED = {0: 1, 1: 0}
"""ConnectX's default: traffic class 0 carries priority 1 and the reverse."""


def _nic(host: Host, netdev: str) -> Nic | None:
    return next((nic for nic in host.nics if nic.netdev == netdev), None)
