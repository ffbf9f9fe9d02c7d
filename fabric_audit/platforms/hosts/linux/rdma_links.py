"""Which PCI function and which driver stand behind an RDMA device, from the links of sysfs."""

import re
from collections import defaultdict
from collections.abc import Iterator

from fabric_audit.facts.rdma import RdmaDevice, RdmaPort
from fabric_audit.platforms.hosts.linux.paths import links, pci_chain
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.model import Answer, Links, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import some

_FOLDER = "/sys/class/infiniband"
_PATH = re.compile(
    rf"{_FOLDER}/(?P<device>[^/]+)(?:/(?P<what>device/driver|device/physfn|device|(?:device/net|ports)(?=/))"
    r"(?:/(?P<name>[^/]+))?)?"
)
_DRIVERS = {
    "mlx5_core": "mlx5",
    "mlx4_core": "mlx4",
    "bnxt_en": "bnxt_re",
    "ice": "irdma",
    "i40e": "irdma",
    "idpf": "irdma",
    "qede": "qedr",
    "hns3": "hns_roce",
    "cxgb4": "iw_cxgb4",
    "mana": "mana_ib",
}
"""RDMA driver of each PCI driver whose name differs from it."""


@section(
    "sysfs-rdma-links",
    Links(
        f"{_FOLDER}/*",
        f"{_FOLDER}/*/device",
        f"{_FOLDER}/*/device/driver",
        f"{_FOLDER}/*/device/physfn",
        f"{_FOLDER}/*/device/net/*",
        f"{_FOLDER}/*/ports/*",
    ),
    yields=(RdmaDevice, RdmaPort),
    proven=Provenance.CONSTRUCTED,
)
def parse_rdma_links(output: Output) -> Iterator[Answer]:
    """Real paths of RDMA devices.

    ``device`` leads to the PCI function, or for a subfunction (driver ``mlx5_core.sf``) to a folder below it;
    software devices have none.
    ``device/physfn`` exists only for a virtual function. Interfaces below ``device/net`` are named here only where
    the device has one port and one interface, as for IPoIB: with representors or two ports the GID table tells.
    Source: kernel ``Documentation/ABI/testing/sysfs-bus-pci`` and ``drivers/infiniband/core/device.c``.
    """
    yield from some(_facts(output), output, f"{_FOLDER}/DEVICE -> /REAL/PATH")


def _facts(output: Output) -> Iterator[Answer]:
    yield from nothing_matched(output, f"no RDMA device in {_FOLDER}", RdmaDevice, RdmaPort)
    whole = True
    told: dict[str, dict[str, dict[str, tuple[int, str]]]] = {}
    for one in links(output):
        if isinstance(one, Skipped):
            whole = False
            yield one
            continue
        line, path, real = one
        found = _PATH.fullmatch(path)
        if not found:
            yield Skipped(line, path, f"a path below {_FOLDER}/DEVICE")
            continue
        kinds = told.setdefault(found["device"], defaultdict(dict))
        kinds[found["what"] or ""][found["name"] or ""] = (line, real)
    for device, kinds in told.items():
        yield _device(device, kinds, whole)
        ports, netdevs = tuple(kinds["ports"]), tuple(kinds["device/net"])
        if whole and len(ports) == 1 and len(netdevs) == 1 and ports[0].isdecimal():
            yield RdmaPort(
                line=kinds["device/net"][netdevs[0]][0], device=device, port=int(ports[0]), netdev=netdevs[0]
            )


def _device(device: str, kinds: dict[str, dict[str, tuple[int, str]]], whole: bool) -> RdmaDevice:
    line, real = kinds["device"].get("", (0, ""))
    chain = pci_chain(real)
    _, driver = kinds["device/driver"].get("", (0, ""))
    name = driver.rsplit("/", 1)[-1].removesuffix(".sf")
    return RdmaDevice(
        line=line or kinds[""].get("", (0, ""))[0] or None,
        device=device,
        pci=chain[-1] if chain else None,
        driver=_DRIVERS.get(name, name) or None,
        virtual_function=bool(kinds["device/physfn"]) if chain and (kinds["device/physfn"] or whole) else None,
    )
