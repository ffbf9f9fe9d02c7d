"""From a policy's name or file to a policy, or to every fault of its files at once."""

from collections.abc import Collection, Iterator
from dataclasses import fields, replace
from pathlib import Path

from fabric_audit.documents.validation import meant, shown
from fabric_audit.errors import Fault, PolicyError
from fabric_audit.policy import merge
from fabric_audit.policy.consistency import conflicts
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
        words = f"nothing says {', '.join(missing)}"
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
    document, plain = layer.document, layer.plain
    named = plain.get("checks")
    entries = named if isinstance(named, dict) else {}
    families = {check.split(".")[0] for check in checks}
    severities = plain.get("severities")
    for section, known in (("checks", set(checks)), ("severities", {*checks, *families})):
        for name in entries if section == "checks" else severities if isinstance(severities, dict) else ():
            if checks and name not in known:
                yield document.fault((section, name), f"unknown check {shown(name)}", meant(name, known), key=True)
    for name, entry in entries.items():
        if isinstance(entry, dict) and entry.get("enabled") is False and not entry.get("reason"):
            yield document.fault(("checks", name), f"{name} is off without a reason", "add reason: and why")


def _conflicts(files: merge.Files, design: Design) -> Iterator[Fault]:
    for conflict in conflicts(design):
        document = merge.writer(files, conflict.field).document
        words = f"{conflict.field}: {conflict.problem}"
        yield document.fault(("design", conflict.field), words, conflict.remedy)


def _override_conflicts(files: merge.Files, design: Design) -> Iterator[Fault]:
    for layer, file in files:
        for index, entry in enumerate(file.overrides):
            overridden = replace(design, **merge.override_of(entry).values)
            for conflict in conflicts(overridden):
                location = ("overrides", index, "design", conflict.field)
                words = f"{conflict.field}: {conflict.problem}"
                yield layer.document.fault(location, words, conflict.remedy)
