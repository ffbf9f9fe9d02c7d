"""The files of a simulated host below /sys and /proc, as the kernel and MLNX_OFED lay them out."""

from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

from fabric_audit.simulator.fabric import Host, Nic
from fabric_audit.simulator.hosts import pci


def matching(host: Host, glob: str) -> Iterator[tuple[str, str]]:
    """(path, content) of the files that a glob names; a star does not cross a slash."""
    wanted = glob.split("/")
    for path, content in contents(host).items():
        parts = path.split("/")
        if len(parts) == len(wanted) and all(map(fnmatchcase, parts, wanted)):
            yield path, content


def contents(host: Host) -> dict[str, str]:
    """All files of a host."""
    found = _kernel(host)
    for nic in host.nics:
        found |= _rdma(host, nic)
        found |= _net(nic)
        found |= _qos(nic)
    found |= _management()
    return found | pci.contents(host)


def links(host: Host) -> dict[str, str]:
    """All symbolic links of a host that matter, with where they lead."""
    found = {"/sys/class/net/lo": "/sys/devices/virtual/net/lo"} | pci.links(host)
    if host.iommu:
        found["/sys/class/iommu/dmar0"] = "/sys/devices/virtual/iommu/dmar0"
    for nic in host.nics:
        device = found[f"{pci.DRIVERS}/mlx5_core/{nic.pci}"]
        found |= {
            f"/sys/class/infiniband/{nic.device}": f"{device}/infiniband/{nic.device}",
            f"/sys/class/infiniband/{nic.device}/device": device,
            f"/sys/class/infiniband/{nic.device}/device/driver": "/sys/bus/pci/drivers/mlx5_core",
            f"/sys/class/infiniband/{nic.device}/device/net/{nic.netdev}": f"{device}/net/{nic.netdev}",
            f"/sys/class/infiniband/{nic.device}/ports/1": f"{device}/infiniband/{nic.device}/ports/1",
            f"/sys/class/net/{nic.netdev}": f"{device}/net/{nic.netdev}",
            f"/sys/class/net/{nic.netdev}/device/driver": "/sys/bus/pci/drivers/mlx5_core",
        }
    return found


def guid(nic: Nic) -> str:
    """Node GUID: the MAC with ff:fe in its middle, in groups of four."""
    digits = nic.mac.replace(":", "")
    whole = f"{digits[:6]}fffe{digits[6:]}"
    return ":".join(whole[i : i + 4] for i in range(0, 16, 4))


def gids(nic: Nic) -> list[tuple[str, str]]:
    """(GID, type) of a RoCE port, as the kernel fills the table: link-local, then IPv4, each as v1 and v2."""
    digits = nic.mac.replace(":", "")
    first = f"{int(digits[:2], 16) ^ 2:02x}"
    local = f"fe80:0000:0000:0000:{first}{digits[2:4]}:{digits[4:6]}ff:fe{digits[6:8]}:{digits[8:]}"
    octets = "".join(f"{int(part):02x}" for part in nic.ip.split("."))
    mapped = f"0000:0000:0000:0000:0000:ffff:{octets[:4]}:{octets[4:]}"
    more = [f"fd00:0000:0000:{nic.rail:04x}:0000:0000:0000:{n:04x}" for n in range(1, nic.more_addresses + 1)]
    kinds = ("IB/RoCE v1", "RoCE v2") if nic.roce_v2 else ("IB/RoCE v1",)
    return [(gid, kind) for gid in (local, *more, *([mapped] if nic.ipv4 else [])) for kind in kinds]


def _kernel(host: Host) -> dict[str, str]:
    found = {
        "/proc/sys/kernel/hostname": host.name,
        "/proc/sys/kernel/osrelease": host.kernel,
        "/etc/os-release": 'PRETTY_NAME="Ubuntu 22.04.4 LTS"\nNAME="Ubuntu"\nVERSION_ID="22.04"\nID=ubuntu',
        "/proc/uptime": "1209600.00 9000000.00",
        "/sys/class/dmi/id/sys_vendor": "Example Systems",
        "/sys/class/dmi/id/product_name": "EX-8000",
        "/proc/sys/net/ipv4/tcp_ecn": "2",
        "/proc/driver/nvidia/version": (
            f"NVRM version: NVIDIA UNIX x86_64 Kernel Module  {host.driver}  Fri May 31 09:35:42 UTC 2024\n"
            "GCC version:  gcc version 11.4.0"
        ),
        "/sys/module/nvidia/version": host.driver,
        "/sys/module/mlx5_core/version": "24.04-0.6.6",
        "/proc/modules": "mlx5_core 2113536 1 mlx5_ib, Live 0x0000000000000000 (OE)\n"
        "nvidia 56709120 422 nvidia_uvm, Live 0x0000000000000000 (POE)",
    }
    if host.peermem:
        found["/sys/module/nvidia_peermem/version"] = host.driver
        found["/sys/kernel/mm/memory_peers/nv_mem/version"] = host.driver
        found["/proc/modules"] = "nvidia_peermem 16384 0 - Live 0x0000000000000000 (POE)\n" + found["/proc/modules"]
    if host.nccl_conf:
        found["/etc/nccl.conf"] = "".join(f"{name}={value}\n" for name, value in host.nccl_conf.items()).rstrip()
    for port in ("all", *(nic.netdev for nic in host.nics)):
        for name, value in (
            ("arp_ignore", str(host.arp_ignore)),
            ("arp_announce", "2"),
            ("rp_filter", "2"),
            ("arp_filter", "0"),
        ):
            found[f"/proc/sys/net/ipv4/conf/{port}/{name}"] = value
    return found


def _rdma(host: Host, nic: Nic) -> dict[str, str]:
    device = f"/sys/class/infiniband/{nic.device}"
    port = f"{device}/ports/1"
    found = {
        f"{device}/node_guid": guid(nic),
        f"{device}/sys_image_guid": guid(nic),
        f"{device}/fw_ver": host.firmware,
        f"{device}/board_id": "EXA0000000838",
        f"{device}/hca_type": nic.part,
        f"{device}/device/numa_node": str(nic.numa),
        f"{device}/device/local_cpulist": f"{nic.numa * 56}-{nic.numa * 56 + 55}",
        f"{port}/state": "4: ACTIVE" if nic.up else "1: DOWN",
        f"{port}/phys_state": "5: LinkUp" if nic.up else "3: Disabled",
        f"{port}/rate": f"{nic.speed_bps // 10**9} Gb/sec ({_LANES[nic.speed_bps // 10**9]})",
        f"{port}/link_layer": "Ethernet",
        f"{port}/lid": "0x0",
        f"{port}/sm_lid": "0x0",
    }
    if nic.traffic_class is not None:
        found[f"{device}/tc/1/traffic_class"] = f"Global tclass={nic.traffic_class}"
    for index, (gid, kind) in enumerate(gids(nic)):
        found[f"{port}/gids/{index}"] = gid
        found[f"{port}/gid_attrs/types/{index}"] = kind
        found[f"{port}/gid_attrs/ndevs/{index}"] = nic.netdev
    found[f"{port}/gids/{len(gids(nic))}"] = "0000:0000:0000:0000:0000:0000:0000:0000"
    found |= {f"{port}/hw_counters/{name}": str(nic.counters[name]) for name in hw_counter_names()}
    found[f"{port}/hw_counters/lifespan"] = "10"
    found |= {f"{port}/counters/{name}": str(value) for name, value in _port_counters(nic).items()}
    return found


_LANES = {400: "4X NDR", 200: "4X HDR", 100: "4X EDR", 50: "2X EDR"}
"""How the kernel names the lanes of a rate in Gb/s."""


@cache
def hw_counter_names() -> tuple[str, ...]:
    """RDMA counters of mlx5 (drivers/infiniband/hw/mlx5/counters.c)."""
    return (
        *("out_of_buffer", "out_of_sequence", "duplicate_request", "rnr_nak_retry_err", "packet_seq_err"),
        *("implied_nak_seq_err", "local_ack_timeout_err", "resp_local_length_error", "resp_cqe_error"),
        *("req_cqe_error", "req_remote_invalid_request", "req_remote_access_errors", "rx_icrc_encapsulated"),
        *("rp_cnp_ignored", "rp_cnp_handled", "np_ecn_marked_roce_packets", "np_cnp_sent", "roce_adp_retrans"),
        *("roce_adp_retrans_to", "roce_slow_restart", "roce_slow_restart_cnps", "roce_slow_restart_trans"),
        *("rx_write_requests", "rx_read_requests", "rx_atomic_requests"),
    )


def _port_counters(nic: Nic) -> dict[str, int]:
    zero = ("symbol_error", "port_rcv_errors", "link_error_recovery", "port_xmit_discards", "port_xmit_wait")
    return dict.fromkeys(zero, 0) | {
        "link_downed": nic.flaps,
        "port_xmit_data": nic.counters["tx_bytes"] // 4,
        "port_rcv_data": nic.counters["rx_bytes"] // 4,
        "port_xmit_packets": nic.counters["tx_packets"],
        "port_rcv_packets": nic.counters["rx_packets"],
    }


def _net(nic: Nic) -> dict[str, str]:
    port = f"/sys/class/net/{nic.netdev}"
    return {
        f"{port}/mtu": str(nic.mtu),
        f"{port}/flags": "0x1003",
        f"{port}/operstate": "up" if nic.up else "down",
        f"{port}/carrier": str(int(nic.up)),
        f"{port}/speed": str(nic.speed_bps // 10**6) if nic.up else "-1",
        f"{port}/address": nic.mac,
        f"{port}/carrier_changes": str(2 * nic.flaps),
        f"{port}/carrier_up_count": str(nic.flaps),
        f"{port}/carrier_down_count": str(nic.flaps),
        **{f"{port}/statistics/{name}": "0" for name in ("rx_dropped", "tx_dropped", "rx_crc_errors", "rx_errors")},
    }


def _management() -> dict[str, str]:
    port = "/sys/class/net/lo"
    return {f"{port}/mtu": "65536", f"{port}/flags": "0x9", f"{port}/operstate": "unknown", f"{port}/carrier": "1"}


def _qos(nic: Nic) -> dict[str, str]:
    port = f"/sys/class/net/{nic.netdev}"
    found = {
        f"{port}/qos/trust": nic.trust,
        f"{port}/ecn/roce_np/cnp_dscp": str(nic.cnp_dscp),
        f"{port}/ecn/roce_np/cnp_802p_prio": "6",
        f"{port}/ecn/roce_np/min_time_between_cnps": "4",
    }
    for priority in range(8):
        found[f"{port}/ecn/roce_np/enable/{priority}"] = str(int(nic.np))
        found[f"{port}/ecn/roce_rp/enable/{priority}"] = str(int(nic.rp))
    return found
