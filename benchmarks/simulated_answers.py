"""What the devices of a simulated pod answer, in this process."""

import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from fabric_audit.capture.frames import split
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Host, Inventory
from fabric_audit.plan.script import Script, verbs
from fabric_audit.platforms.model import Output, Section
from fabric_audit.platforms.registry import switch_platforms
from fabric_audit.simulator.inventory import planned_text
from fabric_audit.simulator.pod import SimulatedPod
from fabric_audit.transport.in_process import InProcess

MARK = "@@a-mark-of-the-benchmark"


def inventory_of(pod: str) -> Inventory:
    """The inventory of a pod that is not served."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pod.yaml"
        path.write_text(planned_text(pod), "utf-8")
        return load_inventory(path, platforms=tuple(switch_platforms()))


def host_outputs(
    pod: SimulatedPod, hosts: Iterable[Host], sections: tuple[Section, ...]
) -> Iterator[list[tuple[Section, Output]]]:
    """For each host, what every section printed there, once for each device where it walks devices."""
    by_name = {section.name: section for section in sections}
    text = Script(command="benchmark", body=verbs(sections), run="benchmark").text(MARK)
    transport = InProcess(pod)
    for host in hosts:
        answer = transport.open(host).ask(text, deadline_s=600)
        yield [
            (
                by_name[frame.section],
                Output(
                    answer.stdout[slice(*frame.out)].decode("utf-8", "replace"),
                    answer.stderr[slice(*frame.err)].decode("utf-8", "replace"),
                    frame.rc,
                    frame.item,
                ),
            )
            for frame in split(answer.stdout, answer.stderr, MARK)
        ]
    transport.close()
