"""A copy of a capture that can be given away: nothing in it identifies, and it leads to the same verdict."""

import secrets
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeAlias

from fabric_audit.api.judging import audit_capture
from fabric_audit.audit.reading import read_outputs
from fabric_audit.capture.model import Entry
from fabric_audit.capture.pseudonyms import Pseudonyms, names_for
from fabric_audit.capture.reader import Capture
from fabric_audit.capture.writer import CaptureWriter, file_name
from fabric_audit.errors import CaptureError
from fabric_audit.facts.ports import Neighbor
from fabric_audit.facts.system import System
from fabric_audit.findings import Audit
from fabric_audit.inventory.dump import dump_inventory
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Inventory, Login
from fabric_audit.platforms.registry import switch_platforms

Verdicts: TypeAlias = dict[str, tuple[str, tuple[str, ...]]]
_COMMON = frozenset(
    {"root", "admin", "cumulus", "ubuntu", "localhost", "localdomain", "(none)", "none", "not", "advertised"}
)
"""Names that are the same everywhere."""


def scrub(capture: Capture | str | Path, folder: str | Path) -> Capture:
    """Write a copy in which names, addresses, MACs, GIDs, GUIDs and serials have others in their place.

    The copy is judged as the original is, and refused if one verdict differs.

    Raises:
        CaptureError: the capture cannot be read, the copy cannot be written or would be judged otherwise.
    """
    original = capture if isinstance(capture, Capture) else Capture.open(Path(capture))
    if damage := original.damage():
        raise CaptureError(f"{original.folder}: changed or missing: {', '.join(damage)}; scrub an undamaged capture")
    inventory = load_inventory(original.folder / "inventory.yaml", platforms=tuple(switch_platforms()))
    identities = _identities(original, inventory)
    replaced = Pseudonyms(secrets.token_bytes(32), identities)
    target = Path(folder)
    if target.exists():
        raise CaptureError(f"{target}: exists already; name another --output")
    try:
        copy = _written(original, inventory, replaced, target)
        _refuse_what_is_left(copy, identities)
        _refuse_another_verdict(audit_capture(original), audit_capture(copy))
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return copy


def _identities(capture: Capture, inventory: Inventory) -> Mapping[str, str]:
    """Every name that tells whose fabric this is."""
    told = list(_names_told(capture))
    logins = [target.login for target in inventory.targets]
    groups = {
        "h": [host.name for host in inventory.hosts],
        "s": [switch.name for switch in inventory.switches],
        "f": [inventory.fabric],
        "u": [*(login.user or "" for login in logins), capture.manifest.account],
        "d": [domain for login in logins for domain in _domains(login.address)],
        "m": [host.model or "" for host in inventory.hosts],
        "g": [target.unit or "" for target in inventory.targets],
        "n": [name.partition(".")[0] for name in told] + [d for name in told for d in _domains(name)],
    }
    return names_for({letter: [n for n in names if n and n.lower() not in _COMMON] for letter, names in groups.items()})


def _names_told(capture: Capture) -> Iterator[str]:
    """What devices call themselves, and what their neighbours call them."""
    for read in read_outputs(capture):
        for fact in read.reading.facts:
            if isinstance(fact, System):
                yield fact.name
            elif isinstance(fact, Neighbor):
                yield fact.system_name


def _domains(address: str) -> Iterator[str]:
    try:
        ip_address(address)
    except ValueError:
        _, _, domain = address.partition(".")
        if domain:
            yield domain


def _written(original: Capture, inventory: Inventory, replaced: Pseudonyms, folder: Path) -> Capture:
    manifest = original.manifest
    hidden = replace(
        manifest,
        fabric=replaced(manifest.fabric),
        account=replaced(manifest.account),
        overrides=tuple(map(replaced, manifest.overrides)),
        planned=(),
    )
    text = dump_inventory(_hidden(inventory, replaced))
    writer = CaptureWriter(folder / "capture", hidden, inventory=text, policy=replaced(original.text("policy.yaml")))
    try:
        for planned in manifest.planned:
            writer.plan_more(replace(planned, targets=tuple(map(replaced, planned.targets))))
        for record in original.rounds:
            writer.add_round(_walked(record, replaced))
        for entry in original.entries:
            writer.add(*_output(entry, original.output(entry) or (b"", b""), replaced))
    except BaseException:
        writer.close()
        raise
    writer.seal(manifest.ended)
    return Capture.open(folder)


def _hidden(inventory: Inventory, replaced: Pseudonyms) -> Inventory:
    """The inventory under other names; how to log in is nobody else's business."""

    def hidden(login: Login) -> Login:
        return Login(address=replaced(login.address), port=login.port)

    return replace(
        inventory,
        fabric=replaced(inventory.fabric),
        hosts=tuple(
            replace(
                host,
                name=replaced(host.name),
                login=hidden(host.login),
                model=replaced(host.model) if host.model else None,
                unit=replaced(host.unit) if host.unit else None,
            )
            for host in inventory.hosts
        ),
        switches=tuple(
            replace(
                switch,
                name=replaced(switch.name),
                login=hidden(switch.login),
                unit=replaced(switch.unit) if switch.unit else None,
            )
            for switch in inventory.switches
        ),
        cables=tuple(
            replace(cable, a_target=replaced(cable.a_target), b_target=replaced(cable.b_target))
            for cable in inventory.cables
        ),
    )


def _output(entry: Entry, told: tuple[bytes, bytes], replaced: Pseudonyms) -> tuple[Entry, bytes, bytes]:
    """One output; its frames stand where its sections stand now."""
    stdout, outs = _stream(told[0], [frame.out for frame in entry.frames], replaced)
    stderr, errs = _stream(told[1], [frame.err for frame in entry.frames], replaced)
    frames = tuple(
        replace(frame, item=replaced(frame.item), out=out, err=err)
        for frame, out, err in zip(entry.frames, outs, errs, strict=True)
    )
    phase, target, command = entry.path.rsplit("/", 2)
    path = f"{phase}/{file_name(replaced(target))}/{command}"
    new = replace(
        entry,
        target=replaced(entry.target),
        text=replaced(entry.text),
        error=replaced(entry.error),
        path=path,
        frames=frames,
    )
    return new, stdout, stderr


def _stream(data: bytes, spans: list[tuple[int, int]], replaced: Pseudonyms) -> tuple[bytes, list[tuple[int, int]]]:
    """The bytes, and where the spans are in them; what stands between spans is replaced, too."""
    moved: dict[int, int] = {0: 0}
    pieces: list[bytes] = []
    end = length = 0
    for point in sorted({point for span in spans for point in span} | {len(data)}):
        pieces.append(replaced(data[end:point].decode("utf-8", "surrogateescape")).encode("utf-8", "surrogateescape"))
        length += len(pieces[-1])
        moved[point], end = length, point
    return b"".join(pieces), [(moved[start], moved[stop]) for start, stop in spans]


def _walked(value: Any, replaced: Pseudonyms) -> Any:
    """Plain JSON data with every string replaced."""
    match value:
        case str():
            return replaced(value)
        case Mapping():
            return {replaced(key): _walked(item, replaced) for key, item in value.items()}
        case list() | tuple():
            return [_walked(item, replaced) for item in value]
        case _:
            return value


def _refuse_what_is_left(copy: Capture, identities: Mapping[str, str]) -> None:
    """No name may be left in any file, whatever stands around it.

    Raises:
        CaptureError: one is; the file is named, the name is not.
    """
    for path in sorted(p for p in copy.folder.rglob("*") if p.is_file()):
        text = f"{path.relative_to(copy.folder)}\n{path.read_bytes().decode('utf-8', 'replace')}".lower()
        words = set(_words(text))
        if words.intersection(identities):
            raise CaptureError(f"{path}: a name would be left in it; the copy is not kept; report this")


def _words(text: str) -> Iterator[str]:
    word = ""
    for character in f"{text} ":
        if character.isalnum() or character in "._-":
            word += character
        elif word:
            yield word
            word = ""


def _refuse_another_verdict(before: Audit, after: Audit) -> None:
    """Check by check the same verdict, and as many findings of each verdict.

    Raises:
        CaptureError: a check is judged otherwise.
    """
    told, now = _verdicts(before), _verdicts(after)
    if differing := sorted(check for check in told if told[check] != now.get(check)):
        raise CaptureError(
            f"the copy would be judged otherwise ({', '.join(differing[:5])}) and is not kept; report this"
        )


def _verdicts(audit: Audit) -> Verdicts:
    """Check → verdict, and how many findings of each verdict; places are not compared, their names differ."""
    return {
        result.check: (str(result.verdict), tuple(sorted(str(finding.verdict) for finding in result.findings)))
        for result in audit.results
    }
