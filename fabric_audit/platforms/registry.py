"""Finds every section and switch platform by walking the tree: there is no list to edit."""

from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules, walk_packages
from types import MappingProxyType, ModuleType

from fabric_audit import platforms
from fabric_audit.platforms.model import Section, SectionMark, SwitchPlatform, placed

_ROOT = platforms.__name__


def _modules() -> Iterator[tuple[str, str, ModuleType]]:
    """(kind, platform, module) of every module below a platform's folder."""
    for found in walk_packages(platforms.__path__, prefix=f"{_ROOT}."):
        parts = found.name.removeprefix(f"{_ROOT}.").split(".")
        if len(parts) > 1:
            yield parts[0], parts[1], import_module(found.name)


@cache
def all_sections() -> Mapping[str, Section]:
    """Every section by its id, in the order of folders and declarations."""
    found: dict[str, Section] = {}
    for kind, platform, module in _modules():
        for value in vars(module).values():
            if getattr(value, "__module__", "") != module.__name__:
                continue
            for mark in getattr(value, "sections", ()):
                if isinstance(mark, SectionMark):
                    made = placed(mark.section, platform=platform, kind=kind)
                    if made.id in found:
                        raise ValueError(f"two sections are called {made.id}")
                    found[made.id] = made
    return MappingProxyType(found)


@cache
def switch_platforms() -> Mapping[str, SwitchPlatform]:
    """Every switch OS by its folder's name."""
    package = import_module(f"{_ROOT}.switches")
    found = {}
    for module in iter_modules(package.__path__):
        platform = import_module(f"{package.__name__}.{module.name}").PLATFORM
        found[platform.name] = platform
    return MappingProxyType(found)


def sections_of(kind: str, platform: str) -> tuple[Section, ...]:
    """The sections of one platform, in order."""
    return tuple(s for s in all_sections().values() if s.kind == kind and s.platform == platform)
