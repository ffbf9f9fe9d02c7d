"""The Debian archive that this machine's own apt uses, asked of apt itself."""

import os
import subprocess
import tempfile
from pathlib import Path

from .requirements import CannotRunError

ARCHIVE_VARIABLE = "FABRIC_AUDIT_DEBIAN_ARCHIVE"
"""Names an archive where apt has none, for example on another distribution."""

_DOWNLOAD = "/usr/lib/apt/apt-helper"
_PASSED_ON = ("Acquire::http", "Acquire::https", "Acquire::Check-Valid-Until", "Acquire::Check-Date")


def find_archive(suite: str) -> str:
    """The base address of a Debian archive that answers for ``suite``.

    Raises:
        CannotRunError: apt knows no such archive, or it does not answer.
    """
    archive = os.environ.get(ARCHIVE_VARIABLE) or _from_apt()
    if not archive:
        raise CannotRunError(
            f"apt knows no Debian archive: run `apt-get update` on Debian, or name one in {ARCHIVE_VARIABLE}"
        )
    _probe(archive, suite)
    return archive


def apt_options() -> list[str]:
    """This machine's proxy and date settings, in apt.conf syntax, for the apt that builds the image."""
    dump = subprocess.run(["apt-config", "dump"], check=True, capture_output=True, text=True).stdout
    return [line for line in dump.splitlines() if line.startswith(_PASSED_ON) and not line.endswith(' "";')]


def _from_apt() -> str:
    listing = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Label: Debian"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return next(iter(listing.split()), "")


def _probe(archive: str, suite: str) -> None:
    """Fetch the suite's index by apt's own means, so that its proxies and transports count."""
    address = f"{archive.rstrip('/')}/dists/{suite}/InRelease"
    with tempfile.TemporaryDirectory() as folder:
        fetched = subprocess.run(
            [_DOWNLOAD, "-o", "APT::Sandbox::User=root", "download-file", address, str(Path(folder) / "InRelease")],
            check=False,
            capture_output=True,
            text=True,
        )
    if fetched.returncode:
        reason = next((line for line in fetched.stderr.splitlines() if line.startswith("E:")), "no reason given")
        raise CannotRunError(f"the Debian archive of apt's sources has no reachable {suite}: {reason}")
