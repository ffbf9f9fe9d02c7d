"""``nccl.conf``: settings that every NCCL process of a host reads."""

import re
from collections.abc import Iterator

from fabric_audit.errors import ParseError
from fabric_audit.facts.nccl import NcclEnv
from fabric_audit.platforms.model import Answer, Files, Missing, Output, Provenance, Skipped, Why, section
from fabric_audit.platforms.text import torn, whole

CONF = "/etc/nccl.conf"
_OURS = re.compile(r"\s*(?:export )?NCCL_[A-Z0-9_]+ *=")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@section("nccl-conf", Files(CONF), yields=(NcclEnv,), proven=Provenance.DOCUMENT)
def parse_nccl_conf(output: Output) -> Iterator[Answer]:
    """``NAME=value`` lines of nccl.conf, exactly as NCCL takes them: blanks and quotes belong to the value.

    A line that begins with ``#`` is a comment; one without ``=`` is passed over by NCCL. What stands before ``=`` is
    the name: ``export NCCL_IB_HCA=...`` or a blank in front set a variable that nobody reads. What the environment
    sets already is not changed by the file, and ``~/.nccl.conf`` (or the file that NCCL_CONF_FILE names) comes
    before ``/etc/nccl.conf``.

    Source: NCCL src/misc/param.cc, setEnvFile; NCCL user guide, "Environment Variables".
    """
    text = whole(output.stdout)
    prefix = f"{CONF}:"
    collected = text.startswith(prefix)
    settings = [line for line in text.split("\n") if line.strip() and not line.startswith("#")]
    if settings and not collected and not any(map(_OURS.match, settings)):
        raise ParseError(1, text.split("\n")[0], "NAME=value lines of nccl.conf, one of NCCL's own among them")
    told = 0
    for number, line in enumerate(text.split("\n"), 1):
        content = line.removeprefix(prefix).removesuffix("\r") if collected else line.removesuffix("\r")
        if not content.strip() or content.startswith("#"):
            continue
        name, equals, value = content.partition("=")
        if equals and _NAME.fullmatch(name) and prefix not in value:
            told += 1
            source = CONF if collected else "nccl.conf"
            yield NcclEnv(host="", pid=-1, name=name, value=value, source=source, line=number)
        else:
            yield Skipped(number, content, "NAME=value from the start of the line: NCCL takes this for something else")
    yield from torn(output.stdout)
    if not told:
        if output.stdout.strip() and not text:
            raise ParseError(1, output.stdout, "NAME=value lines of nccl.conf, each with its end")
        yield Missing(NcclEnv.TABLE, Why.ABSENT, f"no setting in {CONF}")
