"""The guest's root folder, made usable without running any package's maintainer script.

Running them under a foreign root takes two minutes; all that RDMA over SSH needs of them are the few files in
``guest/root``, two links and two home folders.
"""

import shutil
import subprocess
from pathlib import Path

from .recipe import GUEST, Recipe

AUDIT_UID = 1000
"""The ordinary user ``audit``: SSH by the lab's key, sudo without a password."""

_MODES = {"etc/shadow": 0o600, "etc/sudoers.d/audit": 0o440}
_LINKS = {"usr/bin/sh": "dash", "usr/bin/awk": "gawk", "etc/mtab": "/proc/self/mounts"}
_FOLDERS = ("dev", "lab", "mnt", "proc", "run", "sys", "tmp", "root/.ssh", "home/audit/.ssh")


def configure(root: Path, recipe: Recipe) -> None:
    """Users, sshd, links and folders; what no guest needs is taken out."""
    for folder in recipe.unneeded:
        shutil.rmtree(root / folder, ignore_errors=True)
    for folder in _FOLDERS:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for source in (GUEST / "root").rglob("*"):
        if source.is_file():
            _place(source, root, str(source.relative_to(GUEST / "root")))
    for place, target in _LINKS.items():
        (root / place).unlink(missing_ok=True)
        (root / place).symlink_to(target)
    _own_homes(root)
    subprocess.run(["ldconfig", "-r", root], check=True)


def _place(source: Path, root: Path, place: str) -> None:
    target = root / place
    target.parent.mkdir(parents=True, exist_ok=True)
    target.unlink(missing_ok=True)
    target.write_bytes(source.read_bytes())
    target.chmod(_MODES.get(place, 0o644))


def _own_homes(root: Path) -> None:
    """Sshd refuses keys in folders that others own or may write."""
    for home, owner in ((root / "root", 0), (root / "home/audit", AUDIT_UID)):
        for folder in (home, home / ".ssh"):
            shutil.chown(folder, owner, owner)
            folder.chmod(0o700)


def write_initrd(root: Path, modules: tuple[Path, ...], folder: Path, target: Path) -> None:
    """A busybox and the modules that reach the disks; ``folder`` is scratch space."""
    for name in ("bin", "dev", "modules", "root"):
        (folder / name).mkdir(parents=True)
    shutil.copy(root / "usr/bin/busybox", folder / "bin/busybox")
    shutil.copy(GUEST / "initrd/init", folder)
    for module in modules:
        shutil.copy(module, folder / "modules")
    (folder / "modules/order").write_text("".join(f"{module.name}\n" for module in modules), encoding="ascii")
    names = "\0".join(str(path.relative_to(folder)) for path in sorted(folder.rglob("*")))
    with target.open("wb") as archive:
        subprocess.run(
            ["cpio", "--create", "--format=newc", "--null", "--quiet", "--owner=0:0"],
            cwd=folder,
            input=names.encode(),
            stdout=archive,
            check=True,
        )
