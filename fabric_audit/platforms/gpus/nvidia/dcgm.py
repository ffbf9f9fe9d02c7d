"""The health watches of NVIDIA's data centre GPU manager, where somebody runs it."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.gpu import DcgmHealth
from fabric_audit.platforms.document import Node, document
from fabric_audit.platforms.model import Answer, Missing, Output, Provenance, Run, Why, section

_OVERALL = "Overall Health"
_HEALTH = ("Healthy", "Warning", "Failure")
_NO = re.compile(r"Error: (Health watches not enabled|[Uu]nable to (establish a connection|connect|check)).*")


@section(
    "dcgm-health",
    Run("dcgmi", "health", "-c", "-j"),
    yields=(DcgmHealth,),
    proven=Provenance.DOCUMENT,
    timeout_s=60,
)
def parse_dcgm_health(output: Output) -> Iterator[Answer]:
    """``dcgmi health -c -j``: what the watches that somebody has set have found, by GPU, NVSwitch or CPU.

    The check evaluates samples that the host engine holds; it sets no watch. Below ``body`` stand ``Overall Health``
    and, for each kind of entity with an incident, its number, then ``Errors`` by system, with DCGM's words in
    ``overflow``, one for each line. Without watches, or without a host engine, DCGM tells nothing.

    Sources: DCGM ``dcgmi/Health.cpp``, ``DcgmiOutput.cpp``; DCGM user guide, "Health Monitor".
    """
    refused = _NO.search(f"{output.stdout}\n{output.stderr}")
    if refused:
        yield Missing(DcgmHealth.TABLE, Why.NOT_SUPPORTED, refused[0].strip())
        return
    body = document(output.stdout).need("body")
    yield _told("", "", body.need(_OVERALL))
    for kind, entities in body.members():
        for number, entity in () if kind == _OVERALL else entities.get("children").members():
            name = f"{kind} {number}"
            yield _told(name, "", entity)
            for system, found in entity.get("children").get("Errors").get("children").members():
                yield _told(name, system, found)


def _told(entity: str, system: str, node: Node) -> DcgmHealth:
    health = node.need("value").text()
    if health not in _HEALTH:
        raise ParseError(node.line, str(health), " or ".join(_HEALTH))
    words = [line.text() or "" for line in node.get("overflow").rows()]
    return DcgmHealth(entity=entity, system=system, health=health, message=" ".join(words) or None, line=node.line)
