"""The parts of a file that can be used, each validated by itself, so that a fault in one hides none in another."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from fabric_audit.documents.nodes import Document
from fabric_audit.errors import Fault
from fabric_audit.inventory.addresses import AddressError
from fabric_audit.inventory.consistency import Place, entries_of, uncounted_devices
from fabric_audit.inventory.expansion import hosts_of, nics_of, switches_of
from fabric_audit.inventory.model import Host, Switch, Target
from fabric_audit.inventory.models import shipped_entries
from fabric_audit.inventory.schema import CableEntry, Defaults, HostEntry, ModelEntry, SwitchEntry

SectionT = TypeVar("SectionT", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the targets of a file are made from; entries with the place they stand at."""

    defaults: Defaults
    models: Mapping[str, ModelEntry]
    hosts: tuple[tuple[Place, HostEntry], ...]
    switches: tuple[tuple[Place, SwitchEntry], ...]
    cables: tuple[tuple[Place, CableEntry], ...]

    def targets(self, document: Document, faults: list[Fault]) -> Iterator[tuple[Place, Target]]:
        """Every target that can be made; why others cannot is added to ``faults``."""
        for place, host in self.hosts:
            model = host.model or self.defaults.hosts.model
            if model is None or model in self.models:
                made_of = self.models[model] if model else ModelEntry()
                compute = sum(nic.role == "compute" for nic in nics_of(host, made_of))
                faults += uncounted_devices(document, place, host.devices, compute)
                yield from _expanded(document, place, hosts_of(host, self.defaults, made_of), faults)
        for place, switch in self.switches:
            yield from _expanded(document, place, switches_of(switch, self.defaults), faults)


def parts_of(plain: Mapping[str, Any], cables: object, context: Mapping[str, object]) -> Parts:
    """What can be used of plain values."""
    entries = entries_of(plain)
    own = plain.get("models")
    return Parts(
        defaults=_valid(Defaults, plain.get("defaults"), context) or Defaults(),
        models=_models(own if isinstance(own, dict) else {}, context),
        hosts=tuple(
            (entry.place, host)
            for entry in entries
            if entry.place[0] == "hosts" and (host := _valid(HostEntry, entry.values, context))
        ),
        switches=tuple(
            (entry.place, switch)
            for entry in entries
            if entry.place[0] == "switches" and (switch := _valid(SwitchEntry, entry.values, context))
        ),
        cables=tuple(
            (("cables", index), cable)
            for index, values in enumerate(cables if isinstance(cables, list) else ())
            if (cable := _valid(CableEntry, values, context))
        ),
    )


def _models(own: Mapping[str, object], context: Mapping[str, object]) -> dict[str, ModelEntry]:
    """Shipped ones, replaced by the file's own; one that has faults is left out."""
    shipped = {name: model for name, model in shipped_entries().items() if name not in own}
    return shipped | {name: model for name, values in own.items() if (model := _valid(ModelEntry, values, context))}


def _expanded(
    document: Document, place: Place, targets: Iterator[Host] | Iterator[Switch], faults: list[Fault]
) -> Iterator[tuple[Place, Target]]:
    try:
        for target in targets:
            yield place, target
    except AddressError as error:
        faults.append(document.fault((*place, "address"), error.problem, error.remedy))


def _valid(schema: type[SectionT], value: object, context: Mapping[str, object]) -> SectionT | None:
    try:
        return schema.model_validate(value, context=dict(context))
    except ValidationError:
        return None
