"""What a Junos switch is and runs."""

from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.system import System
from fabric_audit.platforms.model import Answer, Cli, Output, Provenance, section
from fabric_audit.platforms.switches.juniper_junos.elements import elements


@section(
    "show-version-xml",
    Cli("show version | display xml | no-more"),
    yields=(System,),
    proven=Provenance.DOCUMENT,
)
@section("show-version-json", yields=(System,), proven=Provenance.CONSTRUCTED)
def parse_version(output: Output) -> Iterator[Answer]:
    """``show version`` with ``| display xml`` or ``| display json``: name, model and release.

    ``junos-version`` is the release; old releases have it only in the comment of the package ``junos``.

    Source: element names as Juniper's PyEZ and NAPALM read them.
    """
    told = next(elements(output.stdout).find("software-information"), None)
    if told is None:
        raise ParseError(1, output.stdout.strip().partition("\n")[0], "an element software-information")
    comment = told.word("package-information", "comment") or ""
    release = comment.rpartition("[")[2].rstrip("]") if comment.endswith("]") else None
    yield System(
        name=told.need("host-name"),
        os="juniper_junos",
        os_version=told.word("junos-version") or release,
        model=told.word("product-model"),
    )
