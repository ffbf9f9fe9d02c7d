"""The guest image: a kernel, an initrd and a root disk, built once from Debian packages into a cache."""

import fcntl
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from .archive import apt_options, find_archive
from .kernel import keep_modules, kernel_version, take_kernel
from .recipe import Recipe
from .requirements import LabError, require_to_build
from .rootfs import configure, write_initrd

_TOGETHER = (
    *("setpriv", "--pdeathsig", "KILL", "--"),
    *("unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"),
)
"""mmdebstrap's many processes end with this one, however it ends, and its mounts are seen by no one else."""
_DISK_BYTES = 700 << 20  # sparse; about 200 MB of it are used


@dataclass(frozen=True)
class Image:
    """A finished image in the cache; every machine boots it, none changes it."""

    folder: Path

    @property
    def kernel(self) -> Path:
        return self.folder / "vmlinux"

    @property
    def initrd(self) -> Path:
        return self.folder / "initrd.img"

    @property
    def root_disk(self) -> Path:
        return self.folder / "root.ext4"

    @property
    def manifest(self) -> Path:
        return self.folder / "manifest.json"


def default_cache() -> Path:
    """Where images stay between runs."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "fabric-audit" / "softroce"


def obtain_image(cache: Path | None = None, recipe: Recipe | None = None) -> Image:
    """The image of ``recipe`` (by default the lab's own) from the cache, built first if it is not there.

    Raises:
        CannotRunError: it must be built and this machine cannot: no root, a program missing, no Debian archive.
        LabError: the build failed.
    """
    recipe = recipe or Recipe()
    cache = cache or default_cache()
    image = Image(cache / recipe.key())
    if not image.manifest.exists():
        require_to_build()
        archive = find_archive(recipe.suite)
        cache.mkdir(parents=True, exist_ok=True)
        with _workspace(cache) as work:
            if not image.manifest.exists():
                _build(recipe, archive, work)
                (work / "image").rename(image.folder)
    return image


@contextmanager
def _workspace(cache: Path) -> Iterator[Path]:
    """A scratch folder on the cache's own disk, gone afterwards however the build ends.

    One build runs at a time, so a scratch folder that is already there is what a killed one left.
    """
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in cache.glob("build.*"):
            shutil.rmtree(left)
        work = Path(tempfile.mkdtemp(prefix="build.", dir=cache))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def _build(recipe: Recipe, archive: str, work: Path) -> None:
    started = time.monotonic()
    root, image = work / "root", Image(work / "image")
    image.folder.mkdir()
    _extract_packages(recipe, archive, root, work / "packages")
    version = kernel_version(root)
    take_kernel(root, version, image.kernel)
    modules = keep_modules(root, version, recipe)
    configure(root, recipe)
    write_initrd(root, modules.boot, work / "initrd", image.initrd)
    with image.root_disk.open("wb") as disk:
        disk.truncate(_DISK_BYTES)
    subprocess.run(
        ["mke2fs", "-q", "-t", "ext4", "-O", "^has_journal", "-m", "0", "-d", root, image.root_disk], check=True
    )
    record = {
        "recipe": asdict(recipe),
        "kernel": version,
        "packages": (work / "packages").read_text(encoding="ascii").split(),
        "build_seconds": round(time.monotonic() - started, 1),
    }
    image.manifest.write_text(json.dumps(record, indent=1), encoding="ascii")


def _extract_packages(recipe: Recipe, archive: str, root: Path, listing: Path) -> None:
    """Unpack the packages and their dependencies into ``root`` and list their file names in ``listing``."""
    backports = f"{recipe.suite}-backports"
    pin = f"Package: linux-*\\nPin: release n={backports}\\nPin-Priority: 900\\n"
    preferences = '"$1/etc/apt/preferences.d'
    options = [*apt_options(), 'APT::Install-Recommends "false";', 'APT::Sandbox::User "root";']
    built = subprocess.run(
        [
            *_TOGETHER,
            *("mmdebstrap", "--mode=root", "--variant=extract", "--quiet", f"--architectures={recipe.architecture}"),
            *(f"--aptopt={option}" for option in options),
            f"--include={','.join(recipe.packages)}",
            f"--setup-hook=mkdir -p {preferences}\" && printf '{pin}' >{preferences}/kernel\"",
            f"--extract-hook=ls \"$1/var/cache/apt/archives\" | grep '[.]deb$' >'{listing}'",
            *(recipe.suite, root),
            *(f"deb {archive} {suite} main" for suite in (recipe.suite, backports)),
        ],
        check=False,
        capture_output=True,
        text=True,
    )
    if built.returncode:
        raise LabError(f"mmdebstrap failed ({built.returncode}): {built.stderr.strip()[-2000:]}")
