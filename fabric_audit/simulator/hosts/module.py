"""What mlxlink tells of a port: its state, its bit errors and its module."""

import json

from fabric_audit.simulator.fabric import Nic

_FEC = {"rs": "Standard_RS-FEC - (544,514)", "fc": "Firecode FEC", "none": "No FEC"}
_NO_ERRORS = "15E-255"


def mlxlink(nic: Nic) -> str:
    """`mlxlink -d DEVICE -m -c --json`."""
    link = {
        "State": "Active" if nic.up else "Polling",
        "Physical state": "LinkUp" if nic.up else "ETH_AN_FSM_ENABLE",
        "Speed": f"{nic.speed_bps // 10**9}G" if nic.up else "N/A",
        "Width": "4x" if nic.up else "N/A",
        "FEC": _FEC[nic.fec] if nic.up else "N/A",
        "Loopback Mode": "No Loopback",
        "Auto Negotiation": "ON",
    }
    errors = {
        "Time Since Last Clear [Min]": "20160.0",
        "Effective Physical Errors": str(round(nic.ber * 1e14)),
        "Effective Physical BER": _ratio(nic.ber),
        "Raw Physical BER": _ratio(nic.raw_ber),
        "Link Down Counter": str(nic.flaps),
        "Link Error Recovery Counter": "0",
    }
    module = {
        "Identifier": "OSFP",
        "Cable Technology": "1310 nm EML",
        "Cable Type": "Optical Module (separated)",
        "Vendor Name": "EXAMPLE",
        "Vendor Part Number": "EX-OSFP-DR4",
        "Temperature [C]": f"{nic.module_c:.0f} [-10..80]",
        "Rx Power Current [dBm]": "1.583,1.253,1.233,1.658 [-10.41..6]",
        "Tx Power Current [dBm]": "2.193,1.202,1.708,1.274 [-6.9..6]",
    }
    told = {"Operational Info": link, "Physical Counters and BER Info": errors, "Module Info": module}
    return json.dumps({"result": {"output": told}, "status": {"code": 0, "message": "success"}}, indent=4) + "\n"


def _ratio(value: float) -> str:
    """As mlxlink writes a ratio: ``5E-10``, and its own word for none."""
    if not value:
        return _NO_ERRORS
    digits, exponent = f"{value:.0e}".split("e")
    return f"{digits}E{int(exponent)}"
