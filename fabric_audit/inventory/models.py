"""Shipped models of hosts: what the common GPU servers are made of, each value with its source.

Inventories name them; a model of the same name in an inventory replaces the shipped one. NICs are in the order
of their rails; where a vendor's board numbers its RDMA devices differently, ``devices`` on the host entry says so.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Generic, TypeVar

from pydantic import Field

from fabric_audit.documents.read import read_text
from fabric_audit.documents.validation import Section, Text
from fabric_audit.inventory.fields import Count
from fabric_audit.inventory.schema import ModelEntry, Nics

ValueT = TypeVar("ValueT")


class Sourced(Section, Generic[ValueT]):
    """A value and the page it is from."""

    value: ValueT
    source: Text


class ModelFile(Section):
    """One shipped model."""

    title: Text = Field(description="what the machine is, in words")
    gpus: Sourced[Count]
    nvlink: Sourced[Count]
    nics: Sourced[Nics]


@cache
def shipped_models() -> Mapping[str, ModelFile]:
    """Every shipped model by its file's name."""
    found = {}
    for file in (files(__package__) / "hardware").iterdir():
        if file.name.endswith(".yaml"):
            document = read_text(file.name, file.read_text(encoding="utf-8"))
            found[file.name.removesuffix(".yaml")] = ModelFile.model_validate(document.root.plain())
    return MappingProxyType(dict(sorted(found.items())))


def shipped_entries() -> dict[str, ModelEntry]:
    """The shipped models as an inventory would write them; their values are validated already."""
    return {
        name: ModelEntry.model_construct(gpus=model.gpus.value, nvlink=model.nvlink.value, nics=model.nics.value)
        for name, model in shipped_models().items()
    }
