"""What a Nexus switch is and runs."""

from collections.abc import Iterator

from fabric_audit.facts.system import System
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section

_UNITS = (("kern_uptm_days", 86_400), ("kern_uptm_hrs", 3_600), ("kern_uptm_mins", 60), ("kern_uptm_secs", 1))


@section("show-version-json", Cli("show version | json"), yields=(System,), proven=Provenance.DOCUMENT)
def parse_version_json(output: Output) -> Iterator[Answer]:
    """``show version | json``: name, model, release and uptime.

    The release is ``nxos_ver_str``, on old images ``sys_ver_str`` or ``kickstart_ver_str``.

    Source: the keys as NAPALM and Cisco's nxapi tools read them.
    """
    told = document(output.stdout)
    parts = [told.get(name).integer() for name, _ in _UNITS]
    uptime = sum((part or 0) * seconds for part, (_, seconds) in zip(parts, _UNITS, strict=True))
    yield System(
        name=told.need("host_name").text() or "",
        os="cisco_nxos",
        os_version=told.need("nxos_ver_str", "sys_ver_str", "kickstart_ver_str", "rr_sys_ver").text(),
        model=told.get("chassis_id").text(),
        serial=told.get("proc_board_id").text(),
        uptime_s=None if None in parts else float(uptime),
        line=told.get("host_name").line,
    )
