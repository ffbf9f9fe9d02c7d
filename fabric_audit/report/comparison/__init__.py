"""A comparison in, bytes out: one ``to_<format>.py`` is one format, found by its name, as for audits.

Such a module has a docstring whose first line says what the format is for, ``FILE_NAME``, and
``render(comparison) -> bytes``. Modules load nothing heavy when imported.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from fabric_audit.findings import Comparison

_PREFIX = "to_"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonRenderer:
    """One format of a comparison."""

    name: str
    file_name: str
    title: str
    render: Callable[[Comparison], bytes]


def _found() -> Mapping[str, ComparisonRenderer]:
    names = sorted(module.name for module in iter_modules(__path__) if module.name.startswith(_PREFIX))
    return MappingProxyType({name.removeprefix(_PREFIX): _renderer(name) for name in names})


def _renderer(name: str) -> ComparisonRenderer:
    module = import_module(f"{__name__}.{name}")
    title = (module.__doc__ or "").split("\n", maxsplit=1)[0].rstrip(".")
    return ComparisonRenderer(
        name=name.removeprefix(_PREFIX), file_name=module.FILE_NAME, title=title, render=module.render
    )


COMPARISONS = _found()
"""Every format of a comparison by its name."""
