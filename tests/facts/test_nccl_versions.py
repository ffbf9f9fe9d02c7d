"""Numbers and words of NCCL by version."""

import pytest

from fabric_audit.facts.nccl_versions import distance_names, version_in, version_key


@pytest.mark.parametrize(
    ("line", "version"),
    [
        ("NCCL version 2.21.5+cuda12.4", "2.21.5"),
        ("node1:5:5 [0] NCCL INFO NCCL version 2.29.3 compiled with CUDA 13.0", "2.29.3"),
        ("NCCL version 2.4", "2.4"),
        ("NCCL version unknown", None),
    ],
)
def test_the_version_is_found_in_a_line(line: str, version: str | None) -> None:
    assert version_in(line) == version


@pytest.mark.parametrize(
    ("version", "number", "name"),
    [
        ("2.4.8", 2, "PHB"),
        ("2.7.8", 4, "PHB"),
        ("2.10.3", 5, "PHB"),
        ("2.21.5", 6, "PHB"),
        ("2.26.2", 7, "PHB"),
        ("2.30.7", 8, "PHB"),
    ],
)
def test_a_number_of_a_distance_means_what_the_version_says(version: str, number: int, name: str) -> None:
    assert distance_names(version)[number] == name


def test_without_a_version_no_number_has_a_name() -> None:
    assert distance_names("") == ()
    assert distance_names("2.3.7") == ()


def test_versions_compare_by_number() -> None:
    assert version_key("2.9.9") < version_key("2.10.3")
    assert version_key("nightly") == ()
