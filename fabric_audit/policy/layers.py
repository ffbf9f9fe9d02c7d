"""A policy file and those it extends, each with the places of its values."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from fabric_audit.documents.nodes import Document
from fabric_audit.documents.read import UnreadableError, read_document, read_text
from fabric_audit.documents.validation import faults_of, meant, shown
from fabric_audit.errors import Fault, PolicyError, UsageError
from fabric_audit.policy.model import Origin
from fabric_audit.policy.schema import PolicyFile
from fabric_audit.policy.sources import without_sources

_PROFILES = files(__package__) / "profiles"


def shipped_policies() -> tuple[str, ...]:
    """Names of the shipped profiles."""
    names = (file.name for file in _PROFILES.iterdir())
    return tuple(sorted(name.removesuffix(".yaml") for name in names if name.endswith(".yaml")))


def is_path(name: str) -> bool:
    """Whether a policy is named by its file: shipped ones have no dot in their names."""
    return name.endswith((".yaml", ".yml"))


@dataclass(frozen=True, slots=True)
class Layer:
    """One file of the chain."""

    stem: str
    folder: Path | None
    """None for a shipped profile."""
    document: Document
    sources: dict[tuple[str | int, ...], str]
    plain: dict[str, Any]

    @property
    def identity(self) -> tuple[Path | None, str]:
        """What it cannot extend, directly or through others."""
        return (self.folder and self.folder.resolve(), self.stem)

    def origin(self, *location: str | int) -> Origin:
        """Where a value of this file stands."""
        line = self.document.place(location, key=True).line
        return Origin(self.document.file, line, self.sources.get(location, ""))

    def faults(self) -> Iterator[Fault]:
        """What is wrong with this file by itself."""
        yield from self.document.faults
        yield from faults_of(self.document, PolicyFile, self.plain)

    def file(self) -> PolicyFile:
        """The file's values; only without faults."""
        return PolicyFile.model_validate(self.plain)


def layers_of(name: str, base: Path) -> tuple[Layer, ...]:
    """The policy of that name and all it extends, the root first.

    Raises:
        PolicyError: a file of the chain ends in the middle, or extends what does not exist or itself.
        UsageError: no policy has that name, or its file cannot be read.
    """
    if not is_path(name) and name not in shipped_policies():
        known = meant(name, shipped_policies())
        raise UsageError(f"unknown policy {shown(name)}; {known} a policy file's name ends in .yaml")
    chain = [_layer(name, base)]
    while (extends := chain[-1].plain.get("extends")) is not None and isinstance(extends, str):
        chain.append(_extended(chain, extends))
    return tuple(reversed(chain))


def _extended(chain: Sequence[Layer], name: str) -> Layer:
    child = chain[-1]
    faults = [fault for layer in chain for fault in layer.faults()]
    if not is_path(name) and name not in shipped_policies():
        words = f"unknown policy {shown(name)}"
        fault = child.document.fault(("extends",), words, meant(name, shipped_policies()))
        raise PolicyError([*faults, fault])
    try:
        layer = _layer(name, child.folder or Path())
    except UnreadableError as error:
        raise PolicyError([*faults, child.document.fault(("extends",), error.problem, error.remedy)]) from None
    if layer.identity in [earlier.identity for earlier in chain]:
        fault = child.document.fault(("extends",), f"{name} extends itself", "end the chain at a shipped policy")
        raise PolicyError([*faults, fault])
    return layer


def _layer(name: str, base: Path) -> Layer:
    document, stem, folder = _read(name, base)
    document, sources = without_sources(document)
    plain = document.root.plain()
    if document.broken:
        raise PolicyError(document.faults)
    if plain is not None and not isinstance(plain, dict):
        form = document.fault((), "this is no policy", "begin with 'extends: roce-lossless'")
        raise PolicyError((*document.faults, form))
    return Layer(stem, folder, document, sources, plain or {})


def _read(name: str, base: Path) -> tuple[Document, str, Path | None]:
    if is_path(name):
        path = base / name
        return read_document(path), path.stem, path.parent
    profile = f"{name}.yaml"
    return read_text(f"profiles/{profile}", (_PROFILES / profile).read_text(encoding="utf-8")), name, None
