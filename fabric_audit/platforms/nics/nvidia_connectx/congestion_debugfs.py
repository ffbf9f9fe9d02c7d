"""Congestion control parameters of the mlx5 driver of the Linux kernel, from debugfs."""

import re
from collections.abc import Iterator

from fabric_audit.facts.congestion import CongestionSetting
from fabric_audit.platforms.hosts.linux.paths import PATHLESS, PCI_ADDRESS
from fabric_audit.platforms.hosts.linux.refusals import nothing_matched
from fabric_audit.platforms.model import Answer, Files, Output, Provenance, Skipped, section
from fabric_audit.platforms.text import consistent, numbered, some, torn, whole, whole_rows

_ROW = re.compile(rf"/sys/kernel/debug/mlx5/(?P<pci>{PCI_ADDRESS})/cc_params/(?P<name>\w+):(?P<value>.*)")
_NAMES = {
    "np_cnp_dscp": "cnp_dscp",
    "np_cnp_prio": "cnp_priority",
    "np_min_time_between_cnps": "min_time_between_cnps_us",
}
_EXPECTED = "/sys/kernel/debug/mlx5/PCI/cc_params/NAME:NUMBER"


@section(
    "mlx5-cc-params",
    Files("/sys/kernel/debug/mlx5/*/cc_params/*", root=True),
    yields=(CongestionSetting,),
    proven=Provenance.CONSTRUCTED,
)
def parse_cc_params(output: Output) -> Iterator[Answer]:
    """``/sys/kernel/debug/mlx5/PCI/cc_params/``: one number a file, as the firmware has it in force.

    ``np_`` belongs to the notification point, which answers marks with CNPs, ``rp_`` to the reaction point. Rates are
    in Mb/s, times in microseconds. The kernel's own driver has these files; the one of MLNX_OFED has
    ``/sys/class/net/IF/ecn`` too. They do not say whether congestion control is on, nor which algorithm. Ports are
    named by their PCI address. Source: Linux ``drivers/infiniband/hw/mlx5/cong.c``.
    """
    missing = tuple(
        nothing_matched(output, "no mlx5 device with cc_params, or debugfs is not mounted", CongestionSetting)
    )
    yield from missing or some(consistent(_answers(output.stdout)), output, _EXPECTED)


def _answers(text: str) -> Iterator[Answer]:
    for number, line, found in whole_rows(numbered(whole(text)), _ROW, PATHLESS):
        if found and re.fullmatch(r"-?[0-9]{1,10}", found["value"]):
            name = _NAMES.get(found["name"], found["name"])
            value = found["value"]
            yield CongestionSetting(port=found["pci"], name=name, value=value, source="debugfs cc_params", line=number)
        else:
            yield Skipped(number, line, _EXPECTED)
    yield from torn(text)
