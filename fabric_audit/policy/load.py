"""From a policy's name or file to a policy, or to every fault of its files at once."""

from collections.abc import Collection, Iterator
from dataclasses import fields, replace
from pathlib import Path

from fabric_audit.documents.validation import meant, shown
from fabric_audit.errors import Fault, PolicyError
from fabric_audit.policy import merge
from fabric_audit.policy.consistency import Conflict, conflicts
from fabric_audit.policy.design import Design
from fabric_audit.policy.layers import Layer, layers_of
from fabric_audit.policy.model import Policy


def load_policy(name: str, *, base: Path = Path(), checks: Collection[str] = ()) -> Policy:
    """The policy of that name, merged with all it extends.

    Args:
        name: a shipped profile, or the path of a file whose name ends in ``.yaml``.
        base: folder that paths are relative to.
        checks: ids of all checks; without them any id will do.

    Raises:
        PolicyError: all faults of the file and of those it extends.
        UsageError: no policy has that name, or its file cannot be read.
    """
    layers = layers_of(name, base)
    if faults := [fault for layer in layers for fault in (*layer.faults(), *_check_faults(layer, checks))]:
        raise PolicyError(faults)
    files = tuple((layer, layer.file()) for layer in layers)
    leaf, last = files[-1]
    values = merge.design_values(files)
    if missing := [field.name for field in fields(Design) if field.name not in values]:
        words = f"{len(missing)} values of the design are not said, {missing[0]} among them"
        raise PolicyError([leaf.document.fault((), words, "begin with 'extends: roce-lossless'")])
    design = Design(**values)
    if faults := [*_conflicts(files, design), *_override_conflicts(files, design)]:
        raise PolicyError(faults)
    return Policy(
        name=last.name or leaf.stem,
        title=last.title or "",
        design=design,
        checks=merge.check_policies(files),
        severities=merge.severities(files),
        waivers=merge.waivers(files),
        overrides=tuple(merge.override_of(entry) for _, file in files for entry in file.overrides),
        required_evidence=tuple(dict.fromkeys(need for _, file in files for need in file.required_evidence)),
        traffic=merge.traffic(files, design),
        origins=merge.origins(files),
    )


def _check_faults(layer: Layer, checks: Collection[str]) -> Iterator[Fault]:
    """Checks that do not exist, and checks switched off without a word."""
    document = layer.document
    named = _mapping(layer.plain.get("checks"))
    if checks and layer.folder is not None:
        words = {check.split(".")[0] for check in checks}.union(checks)
        for section, names, known in (
            ("checks", named, checks),
            ("severities", _mapping(layer.plain.get("severities")), words),
        ):
            for name in names.keys() - set(known):
                yield document.fault((section, name), f"unknown check {shown(name)}", meant(name, known), key=True)
    for name, entry in named.items():
        if isinstance(entry, dict) and entry.get("enabled") is False and not entry.get("reason"):
            yield document.fault(("checks", name), f"{name} is off without a reason", "add reason: and why")


def _mapping(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) else {}


def _conflicts(files: merge.Files, design: Design) -> Iterator[Fault]:
    """Contradictions, each at the field among its own that was written last."""
    for conflict in conflicts(design):
        layer, field = merge.last_writer(files, conflict.fields)
        yield _fault(layer, ("design", field), conflict)


def _override_conflicts(files: merge.Files, design: Design) -> Iterator[Fault]:
    """Contradictions that only the values of an override bring about."""
    already = set(conflicts(design))
    for layer, file in files:
        for index, entry in enumerate(file.overrides):
            values = merge.override_of(entry).values
            for conflict in conflicts(replace(design, **values)):
                field = next((field for field in conflict.fields if field in values), None)
                if field is not None and conflict not in already:
                    yield _fault(layer, ("overrides", index, "design", field), conflict)


def _fault(layer: Layer, location: tuple[str | int, ...], conflict: Conflict) -> Fault:
    return layer.document.fault(location, f"{conflict.fields[0]}: {conflict.problem}", conflict.remedy)
