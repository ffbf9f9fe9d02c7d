"""The image's making, as far as it needs no archive: what stops it, what it leaves, and the kernel's formats."""

import lzma
import os
import platform
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from . import image
from .archive import apt_options, find_archive
from .image import Image, obtain_image
from .kernel import _unsigned, take_kernel
from .recipe import Recipe
from .requirements import CannotRunError, LabError, require_to_build, require_to_run


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A PATH that holds nothing but what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def _program(folder: Path, name: str, output: str = "") -> None:
    script = folder / name
    script.write_text(f"#!/bin/sh\n/bin/cat <<'.'\n{output}\n.\n", encoding="ascii")
    script.chmod(0o755)


class TestWhatIsMissing:
    def test_missing_programs_are_named_as_one_command_that_installs_them(self, programs: Path) -> None:
        _program(programs, "ssh")
        _program(programs, "setpriv")
        with pytest.raises(CannotRunError, match=r"`apt-get install --no-install-recommends qemu-system-x86`$"):
            require_to_run()

    def test_building_needs_root_and_says_so(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        with pytest.raises(CannotRunError, match="needs root"):
            require_to_build()

    def test_another_processor_is_no_failure(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(platform, "machine", lambda: "aarch64")
        with pytest.raises(CannotRunError, match="aarch64"):
            require_to_run()

    def test_no_archive_in_the_sources(self, programs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("FABRIC_AUDIT_DEBIAN_ARCHIVE", raising=False)
        _program(programs, "apt-get")
        with pytest.raises(CannotRunError, match=r"run `apt-get update` on Debian.*FABRIC_AUDIT_DEBIAN_ARCHIVE"):
            find_archive("trixie")


def test_proxies_and_date_settings_are_passed_on_and_nothing_else(programs: Path) -> None:
    settings = (
        'APT::Architecture "amd64";\nAcquire::http "";\nAcquire::http::Proxy "http://proxy.example.net:3128";\n'
        'Acquire::Check-Valid-Until "false";\nAcquire::Languages:: "none";'
    )
    _program(programs, "apt-config", settings)
    assert apt_options() == [
        'Acquire::http::Proxy "http://proxy.example.net:3128";',
        'Acquire::Check-Valid-Until "false";',
    ]


class TestCache:
    def test_a_failed_build_leaves_nothing_nor_does_a_killed_one_for_long(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fails(_recipe: Recipe, _archive: str, work: Path) -> None:
            (work / "image").mkdir()
            raise LabError("no kernel")

        monkeypatch.setattr(image, "require_to_build", lambda: None)
        monkeypatch.setattr(image, "find_archive", lambda _suite: "http://archive.example.net/debian")
        monkeypatch.setattr(image, "_build", fails)
        (tmp_path / "build.killed/root").mkdir(parents=True)
        with pytest.raises(LabError, match="no kernel"):
            obtain_image(tmp_path)
        assert [path.name for path in tmp_path.iterdir()] == ["lock"]

    def test_a_built_image_needs_neither_root_nor_archive(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        built = Image(tmp_path / Recipe().key())
        built.folder.mkdir()
        built.manifest.touch()
        monkeypatch.setattr(os, "geteuid", lambda: 1000)
        assert obtain_image(tmp_path) == built

    def test_another_recipe_is_another_image(self) -> None:
        assert Recipe().key() == Recipe().key()
        assert Recipe(packages=("bash",)).key() != Recipe().key()


class TestKernel:
    @pytest.mark.parametrize("packed", [lambda kernel: kernel, lambda kernel: lzma.compress(kernel) + b"size"])
    def test_the_payload_lies_where_the_boot_protocol_says(
        self, tmp_path: Path, packed: Callable[[bytes], bytes]
    ) -> None:
        kernel = b"\x7fELF" + bytes(range(256))
        payload = packed(kernel)
        setup = bytearray(5 * 512)
        setup[0x1F1] = 4
        struct.pack_into("<II", setup, 0x248, 32, len(payload))
        boot = tmp_path / "root/boot"
        boot.mkdir(parents=True)
        (boot / "vmlinuz-7.3").write_bytes(bytes(setup) + b"\0" * 32 + payload + b"trailer")
        take_kernel(tmp_path / "root", "7.3", tmp_path / "vmlinux")
        assert (tmp_path / "vmlinux").read_bytes() == kernel

    def test_a_module_loses_its_signature_and_nothing_else(self) -> None:
        signed = b"code" + b"signer" + b"id" + b"S" * 300 + struct.pack(">3xBB3xI", 6, 2, 300)
        assert _unsigned(signed + b"~Module signature appended~\n") == b"code"
        assert _unsigned(b"code") == b"code"
