"""What an EOS switch is and runs."""

import re
from collections.abc import Iterator

from fabric_audit.facts.system import System
from fabric_audit.platforms.document import document
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section


@section("show-version-json", Cli("show version | json"), yields=(System,), proven=Provenance.DOCUMENT)
def parse_version_json(output: Output) -> Iterator[Answer]:
    """``show version | json``: model, serial number, release and uptime. It does not tell the host name.

    The letter of the airflow behind the model (``-F``, ``-R``) is left out, as in the head of a configuration.

    Source: the model of Arista's eAPI, as ANTA and NAPALM read it.
    """
    told = document(output.stdout)
    yield System(
        name="",
        os="arista_eos",
        os_version=told.need("version").text(),
        model=re.sub(r"-[FR]$", "", told.need("modelName").text() or "") or None,
        serial=told.get("serialNumber").text() or None,
        uptime_s=told.get("uptime").decimal(),
        line=told.get("version").line,
    )


@section("show-hostname-json", Cli("show hostname | json"), yields=(System,), proven=Provenance.DOCUMENT)
def parse_hostname_json(output: Output) -> Iterator[Answer]:
    """``show hostname | json``: the name the switch gives itself, as its neighbours see it in LLDP.

    Source: the model of Arista's eAPI, as NAPALM reads it.
    """
    told = document(output.stdout).need("hostname")
    yield System(name=told.text() or "", os="arista_eos", line=told.line)
