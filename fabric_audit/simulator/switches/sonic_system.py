"""What a simulated SONiC switch says of itself: image, port channels, modules."""

from fabric_audit.simulator.fabric import Fabric, Switch
from fabric_audit.simulator.switches.links import UPTIME_S
from fabric_audit.simulator.switches.table import ruled
from fabric_audit.simulator.traffic import Traffic


def version(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    """`show version`."""
    return f"""
SONiC Software Version: SONiC.202411.4711-0badc0de1
SONiC OS Version: 12
Distribution: Debian 12.9
Kernel: 6.1.0-22-2-amd64
Build commit: 0badc0de1
Build date: Mon Feb  3 04:30:37 UTC 2031
Built by: builder@example

Platform: x86_64-example_64x400-r0
HwSKU: Example-64x400
ASIC: broadcom
ASIC Count: 1
Serial Number: EX{sum(switch.name.encode()):010d}
Model Number: EX-64D
Hardware Revision: 0.33
Uptime: 12:00:00 up {UPTIME_S // 86_400} days, 0 min,  1 user,  load average: 0.96, 1.01, 1.03
Date: Mon 03 Mar 2031 12:00:00

Docker images:
REPOSITORY          TAG                      IMAGE ID       SIZE
docker-orchagent    202411.4711-0badc0de1    3f2a1b0c9d8e   340MB
docker-fpm-frr      202411.4711-0badc0de1    5a6b7c8d9e0f   361MB
"""


def port_channels(_fabric: Fabric, _traffic: Traffic, _switch: Switch) -> str:
    """`show interfaces portchannel`: there is none."""
    legend = "Flags: A - active, I - inactive, Up - up, Dw - Down, N/A - not available,"
    more = "       S - selected, D - deselected, * - not synced"
    return f"{legend}\n{more}\n{ruled(('No.', 'Team Dev', 'Protocol', 'Ports'), [])}"


def transceivers(_fabric: Fabric, _traffic: Traffic, switch: Switch) -> str:
    """`show interfaces transceiver eeprom --dom`: a copper cable in every cage."""
    return "\n".join(_cage(name, number) for number, name in enumerate(switch.ports, 1))


def _cage(port: str, number: int) -> str:
    fields = {
        "Application Advertisement": "",
        "        1": "400GAUI-8 C2M (Annex 120E) | 400GBASE-CR8",
        "CMIS Revision": "5.0",
        "Connector": "No separable connector",
        "Encoding": "N/A",
        "Identifier": "QSFP-DD Double Density 8X Pluggable Transceiver",
        "Length Cable Assembly(m)": "2.0",
        "Media Interface Technology": "Copper cable unequalized",
        "Vendor Date Code(YYYY-MM-DD Lot)": "2030-01-13",
        "Vendor Name": "EXAMPLE",
        "Vendor OUI": "02-00-5e",
        "Vendor PN": "DAC-400G-2M",
        "Vendor Rev": "A",
        "Vendor SN": f"EX{number:06d}",
    }
    lines = [f"        {name}: {value}".rstrip() for name, value in fields.items()]
    return "\n".join([f"{port}: SFP EEPROM detected", *lines, ""])
