"""What the guest image is made of. Any change here, or in the code that builds it, is a new image."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

GUEST = Path(__file__).with_name("guest")
"""Files for the guest: ``root`` and ``initrd`` become part of the image, ``seed`` of a lab's own disk."""

_BUILDERS = ("recipe.py", "image.py", "kernel.py", "rootfs.py", "guest/root", "guest/initrd")


@dataclass(frozen=True)
class Recipe:
    """Debian packages and kernel modules of the guest.

    The kernel comes from backports: only Linux 7 lets each network namespace own its Soft-RoCE devices
    (``rdma system set netns exclusive`` and ``rdma dev set … netns``); the stock kernel of the suite does not.
    """

    suite: str = "trixie"
    architecture: str = "amd64"
    packages: tuple[str, ...] = (
        *("base-files", "base-passwd", "bash", "busybox-static", "coreutils", "dash", "findutils", "gawk"),
        *("grep", "hostname", "kmod", "libc-bin", "login", "mount", "numactl", "passwd", "procps", "sed", "sudo"),
        *("tar", "tcsh", "util-linux", "openssh-client", "openssh-server"),
        *("ethtool", "iproute2", "iputils-ping", "lldpd", "pciutils"),
        *("ibverbs-providers", "ibverbs-utils", "infiniband-diags", "perftest", "rdma-core"),
        "linux-image-amd64",
    )
    boot_modules: tuple[str, ...] = ("virtio_pci", "virtio_blk", "ext4")
    """Loaded from the initrd, to reach the disks."""
    run_modules: tuple[str, ...] = (
        *("virtio_net", "virtio_rng", "af_packet", "overlay", "veth", "bridge"),
        *("ib_uverbs", "rdma_ucm", "rdma_rxe"),
    )
    """Loaded once the root disk is there."""
    spare_modules: tuple[str, ...] = ("sch_tbf", "sch_netem")
    """Kept on disk; the kernel fetches them when asked for."""
    unneeded: tuple[str, ...] = (
        *("usr/share/doc", "usr/share/i18n", "usr/share/info", "usr/share/locale", "usr/share/man"),
        *("usr/share/zoneinfo", "usr/lib/firmware", "usr/lib/udev/hwdb.d", "var/cache", "var/lib/apt"),
    )
    """Folders left out of the root disk."""

    def key(self) -> str:
        """A name for images of this recipe: its suite and a digest over the recipe and its builders."""
        digest = hashlib.sha256(repr(self).encode())
        for path in sorted(path for name in _BUILDERS for path in _files(GUEST.parent / name)):
            digest.update(path.read_bytes())
        return f"{self.suite}-{digest.hexdigest()[:16]}"


def _files(place: Path) -> list[Path]:
    return [path for path in (place, *place.rglob("*")) if path.is_file()]
