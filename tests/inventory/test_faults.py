"""Bad files beside the exact messages they must give; ``write_faults.py`` writes new ones for review."""

import os
from pathlib import Path

import pytest

from fabric_audit.errors import FileFaultsError, InventoryError, UsageError
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Inventory

FAULTS = Path(__file__).parent / "faults"
PLATFORMS = ("arista_eos", "nvidia_cumulus", "sonic")
POLICIES = ("roce-lossless", "roce-lossy")


def load(name: str) -> Inventory:
    """The file of that name, called by it in messages."""
    before = Path.cwd()
    os.chdir(FAULTS)
    try:
        return load_inventory(Path(name), platforms=PLATFORMS, policies=POLICIES)
    finally:
        os.chdir(before)


@pytest.mark.parametrize("bad", sorted(FAULTS.glob("*.yaml")), ids=lambda bad: bad.stem)
def test_a_bad_file_gives_exactly_its_messages(bad: Path) -> None:
    with pytest.raises(InventoryError) as caught:
        load(bad.name)
    assert str(caught.value).splitlines() == bad.with_suffix(".txt").read_text(encoding="utf-8").splitlines()


def test_eight_faults_give_eight_messages_one_a_line() -> None:
    with pytest.raises(InventoryError) as caught:
        load("eight.yaml")
    places = [(fault.line, fault.column) for fault in caught.value.faults]
    assert places == [(3, 1), (6, 38), (8, 59), (10, 37), (11, 12), (12, 12), (13, 1), (15, 37)]


def test_no_message_repeats_what_may_be_a_password() -> None:
    for bad in FAULTS.glob("*.yaml"):
        with pytest.raises(FileFaultsError) as caught:
            load(bad.name)
        assert "tr0ub4dor" not in str(caught.value)
        assert "123456" not in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "No such file"),
        (b"fabric: \xff\n", "line 1 is not UTF-8"),
        (b"a" * (4 * 1024 * 1024 + 1), "larger than 4 MiB"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_a_remedy(tmp_path: Path, content: bytes | None, words: str) -> None:
    path = tmp_path / "pod.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(UsageError, match=words) as caught:
        load_inventory(path, platforms=PLATFORMS)
    assert str(path) in str(caught.value)
    assert "; " in str(caught.value)
