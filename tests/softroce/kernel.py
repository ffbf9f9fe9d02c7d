"""The guest's kernel and modules, prepared so that an emulated CPU has nothing to unpack or verify."""

import lzma
import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path

from .recipe import Recipe
from .requirements import LabError

_ELF = b"\x7fELF"
_SIGNATURE_MARK = b"~Module signature appended~\n"


@dataclass(frozen=True)
class Modules:
    """Module files in load order."""

    boot: tuple[Path, ...]
    all: tuple[Path, ...]


def kernel_version(root: Path) -> str:
    """The version of the one kernel installed in ``root``."""
    versions = [folder.name for folder in (root / "usr/lib/modules").iterdir() if (folder / "kernel").is_dir()]
    if len(versions) != 1:
        raise LabError(f"the guest's packages hold {len(versions)} kernels, expected one: {versions}")
    return versions[0]


def take_kernel(root: Path, version: str, target: Path) -> None:
    """Write the kernel of ``root`` as an uncompressed ELF file, which qemu enters directly (PVH).

    A bzImage says where its compressed payload lies: x86 boot protocol, fields ``setup_sects`` (0x1f1),
    ``payload_offset`` (0x248) and ``payload_length`` (0x24c).
    """
    places = (root / f"boot/vmlinuz-{version}", root / f"usr/lib/modules/{version}/vmlinuz")
    image = next(place for place in places if place.exists()).read_bytes()
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (image[0x1F1] + 1) * 512 + offset
    kernel = _unpack(image[start : start + length])
    if not kernel.startswith(_ELF):
        raise LabError(f"the payload of kernel {version} is packed in a way not known here")
    target.write_bytes(kernel)
    shutil.rmtree(root / "boot")


def _unpack(payload: bytes) -> bytes:
    """The payload ends with four bytes of its unpacked size, which no decompressor wants."""
    if payload.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMADecompressor(lzma.FORMAT_XZ).decompress(payload)
    if payload.startswith(b"\x28\xb5\x2f\xfd"):
        return subprocess.run(["zstd", "-dc"], input=payload[:-4], check=True, capture_output=True).stdout
    return payload


def keep_modules(root: Path, version: str, recipe: Recipe) -> Modules:
    """Reduce the modules of ``root`` to the recipe's and what they need, unpacked and without signatures."""
    folder = root / "usr/lib/modules" / version
    _depmod(root, version)
    wanted = _with_dependencies(root, version, (*recipe.boot_modules, *recipe.run_modules, *recipe.spare_modules))
    for module in folder.rglob("*.ko*"):
        if module not in wanted:
            module.unlink()
    for module in wanted:
        _lay_bare(module)
    _depmod(root, version)
    return Modules(
        boot=_with_dependencies(root, version, recipe.boot_modules),
        all=tuple(sorted(folder.rglob("*.ko"))),
    )


def _depmod(root: Path, version: str) -> None:
    subprocess.run(["depmod", "-b", root, version], check=True, capture_output=True)


def _with_dependencies(root: Path, version: str, names: tuple[str, ...]) -> tuple[Path, ...]:
    listing = subprocess.run(
        ["modprobe", "-d", root, "-S", version, "--show-depends", "-a", *names],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    words = [line.split() for line in listing.splitlines()]
    return tuple(dict.fromkeys(Path(word[1]).resolve() for word in words if word[0] == "insmod"))


def _lay_bare(module: Path) -> None:
    if module.suffix == ".xz":
        content = lzma.decompress(module.read_bytes())
    elif module.suffix == ".zst":
        content = subprocess.run(["zstd", "-dc", module], check=True, capture_output=True).stdout
    else:
        content = module.read_bytes()
    module.unlink()
    (module if module.suffix == ".ko" else module.with_suffix("")).write_bytes(_unsigned(content))


def _unsigned(module: bytes) -> bytes:
    """Cut an appended signature; its check costs more than a second of boot under emulation.

    Layout (kernel: ``struct module_signature``): module, signer name, key id, signature, 12 bytes with their
    lengths, mark.
    """
    if not module.endswith(_SIGNATURE_MARK):
        return module
    body = module[: -len(_SIGNATURE_MARK)]
    signer, key_id, signature = struct.unpack(">3xBB3xI", body[-12:])
    return body[: len(body) - 12 - signer - key_id - signature]
