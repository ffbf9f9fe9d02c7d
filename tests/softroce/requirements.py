"""What a machine must have to run the lab, and the difference between *cannot* and *failed*."""

import os
import platform
import shutil


class LabError(Exception):
    """The lab failed: something that ought to work here did not."""


class CannotRunError(LabError):
    """The lab cannot run on this machine; the message is one line and says what to do about it."""


RUN_TOOLS = {
    "qemu-system-x86_64": "qemu-system-x86",
    "setpriv": "util-linux",
    "ssh": "openssh-client",
}
"""Program → Debian package, to start a lab from a built image."""

BUILD_TOOLS = {
    "mmdebstrap": "mmdebstrap",
    "mke2fs": "e2fsprogs",
    "depmod": "kmod",
    "cpio": "cpio",
    "zstd": "zstd",
    "ldconfig": "libc-bin",
    "apt-get": "apt",
}
"""Program → Debian package, to build the image."""


def require_to_run() -> None:
    """Raise CannotRunError unless a built image can be booted here."""
    if platform.system() != "Linux" or platform.machine() != "x86_64":
        raise CannotRunError(f"the guest is an x86-64 Linux, this is {platform.system()} {platform.machine()}")
    _require(RUN_TOOLS)


def require_to_build() -> None:
    """Raise CannotRunError unless the guest image can be built here: its files belong to root and other users."""
    if os.geteuid() != 0:
        raise CannotRunError("building the guest image needs root: run `sudo make softroce` once, later runs do not")
    _require(BUILD_TOOLS)


def _require(tools: dict[str, str]) -> None:
    packages = sorted({package for tool, package in tools.items() if shutil.which(tool) is None})
    if packages:
        raise CannotRunError(f"missing programs: run `apt-get install --no-install-recommends {' '.join(packages)}`")
