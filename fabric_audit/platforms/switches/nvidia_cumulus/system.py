"""What a Cumulus switch is and runs."""

import re
from collections.abc import Iterator

from fabric_audit.facts.system import System
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section

_RELEASE = re.compile(r"(?:Cumulus Linux )?(\d+\.\d+[\w.~+-]*)")


@section("nv-show-system-json", Cli("nv show system -o json"), yields=(System,), proven=Provenance.DOCUMENT)
def parse_system(output: Output) -> Iterator[Answer]:
    """``nv show system -o json``: host name, release and model.

    The release is ``build`` (``Cumulus Linux 5.9.0``), later ``product-release``, or stands below ``version``.

    Sources: the NAPALM driver for NVUE; NVIDIA's nv-config-manager.
    """
    told = document(output.stdout)
    release = told.get("product-release", "build").text()
    below = told.get("version")
    if release is None and isinstance(below.value, str):
        release = below.text()
    elif release is None:
        release = below.get("product-release", "image", "base-os").text()
    found = _RELEASE.search(release or "")
    yield System(
        name=told.need("hostname").text() or "",
        os="nvidia_cumulus",
        os_version=found[1] if found else release,
        model=told.get("platform", "product-name").text() if isinstance(told.get("platform").value, str) else None,
        line=told.get("hostname").line,
    )
