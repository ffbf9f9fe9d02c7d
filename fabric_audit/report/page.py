"""The HTML page around an audit: templates, text made safe, scripts and the policy that admits no others."""

import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fabric_audit.errors import FabricAuditError
from fabric_audit.report.inert import encodable, inert

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE = Path(__file__).parent
_SAFE_IN_SCRIPT = {ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"}


@dataclass(frozen=True, slots=True)
class Script:
    """One inline script; the page's policy admits it by its digest."""

    text: str

    @property
    def source(self) -> str:
        """Its entry in ``script-src``."""
        return f"'sha256-{b64encode(sha256(self.text.encode()).digest()).decode()}'"


def template_folder(package: Path = PACKAGE) -> Path:
    """The templates: those installed in the package, else those of the checkout the package lies in.

    Raises:
        FabricAuditError: there are neither.
    """
    checkout = package.parent.parent / "templates"
    for folder in (package / "templates", checkout):
        if (folder / "report.html.j2").is_file():
            return folder
    raise FabricAuditError(f"{package / 'templates'}: the report's templates are missing; install fabric-audit again")


def script(name: str) -> Script:
    """One of our own scripts."""
    return Script((template_folder() / "report" / name).read_text("utf-8"))


def content_security_policy(scripts: Sequence[Script], *, blobs: bool) -> str:
    """The page may run these scripts and load nothing. ``blobs``: a script unpacks its own modules."""
    sources = " ".join([*(one.source for one in scripts), *(["blob:"] if blobs else [])]) or "'none'"
    return (
        f"default-src 'none'; script-src {sources}; style-src 'unsafe-inline'; "
        "img-src data: blob:; font-src data:; base-uri 'none'; form-action 'none'"
    )


def rendered(template: str, context: Mapping[str, Any]) -> bytes:
    """A page. Whatever is put into it as text is shown inert; only :class:`Script` goes in as it is."""
    text = _environment().get_template(template).render(**context)
    return encodable(text).encode()


def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, Undefined  # noqa: PLC0415 - loaded when a page is made
    from markupsafe import Markup, escape  # noqa: PLC0415 - as above

    def shown(value: Any) -> Any:
        """Of what stands in a template's ``{{ }}``."""
        return value if isinstance(value, Markup | Undefined | int | float | None) else inert(str(value))

    def lines(value: str) -> Markup:
        """Text whose line ends are kept."""
        return escape(inert(value, keep="\n", longest=_LONGEST_MANUAL))

    def raw(value: str) -> Markup:
        """One raw line of a device; tabs are kept."""
        return escape(inert(value, keep="\t", longest=_LONGEST_LINE))

    def names(values: Iterable[str]) -> Markup:
        """Names in an attribute, blank separated, however many."""
        return escape(" ".join(inert(value) for value in values))

    def joined(values: Iterable[str], between: str = ", ") -> str:
        """Words in a row; Jinja's own ``join`` marks them as safe, and so past :func:`shown`."""
        return between.join(str(value) for value in values)

    def data(value: Any) -> Markup:
        """Plain values as a data block; no text in it can end the block."""
        text = json.dumps(value, separators=(",", ":"))
        return Markup(text.translate(_SAFE_IN_SCRIPT))  # noqa: S704 - escaped the line above

    def code(value: Script) -> Markup:
        """A script as it is, for the policy knows its digest."""
        return Markup(value.text)  # noqa: S704 - ours, or a library's

    environment = Environment(
        loader=FileSystemLoader(template_folder()),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(lines=lines, raw=raw, names=names, joined=joined, data=data, code=code)
    return environment


_LONGEST_MANUAL = 8_000
_LONGEST_LINE = 200  # characters of a raw line: what fits a wide screen
