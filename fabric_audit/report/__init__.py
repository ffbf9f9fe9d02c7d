"""An audit in, bytes out: one ``to_<format>.py`` is one format, found by its name.

Such a module has a docstring whose first line says what the format is for, ``FILE_NAME``, and
``render(audit, evidence) -> bytes``. Modules load nothing heavy when imported.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from fabric_audit.capture.reader import Capture
from fabric_audit.report.evidence import CaptureEvidence
from fabric_audit.report.model import EvidenceReader, Renderer

_PREFIX = "to_"


def evidence_reader(capture: Capture) -> EvidenceReader:
    """Where renderers find the raw lines behind a finding."""
    return CaptureEvidence(capture)


def _found() -> Mapping[str, Renderer]:
    names = sorted(module.name for module in iter_modules(__path__) if module.name.startswith(_PREFIX))
    return MappingProxyType({name.removeprefix(_PREFIX): _renderer(name) for name in names})


def _renderer(name: str) -> Renderer:
    module = import_module(f"{__name__}.{name}")
    title = (module.__doc__ or "").split("\n", maxsplit=1)[0].rstrip(".")
    return Renderer(name=name.removeprefix(_PREFIX), file_name=module.FILE_NAME, title=title, render=module.render)


RENDERERS = _found()
"""Every report format by its name."""
