"""What NCCL makes of its variables, by version."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.analysis.nccl_env import (
    gdr_level,
    ib_hcas,
    integer_setting,
    p2p_level,
    traffic_class,
    whole_number,
)

VERSIONS = ("2.12.12", "2.21.5", "2.28.7", "2.30.7")
DEFAULT = {"2.12.12": "PXB", "2.21.5": "PXB", "2.28.7": "PXB", "2.30.7": "P2C"}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("written", "value", "concern"),
    [
        ("NODE", None, "knows no level NODE"),
        ("pix", None, "upper case"),
        ("PHB ", None, "blanks"),
        ('"PHB"', None, "quotes"),
        ("3", "PHB", "integer"),
        ("5", "SYS", "integer"),
        ("0", "LOC", "integer"),
        ("99", "SYS", "integer"),
        ("SYS", "SYS", ""),
        ("PXN", "PXN", ""),
        (None, None, ""),
        ("", None, "not a level"),
    ],
)
def test_gdr_level(version: str, written: str | None, value: str | None, concern: str) -> None:
    found = gdr_level(written, version)
    assert found.value == (value or DEFAULT[version])
    assert bool(found.concern) == bool(concern)
    assert concern in found.concern


def test_the_remedy_names_the_level_that_was_meant() -> None:
    assert gdr_level("NODE", "2.21.5").advice == "write NCCL_NET_GDR_LEVEL=PHB"
    assert gdr_level("pix", "2.21.5").advice == "write NCCL_NET_GDR_LEVEL=PIX"
    assert gdr_level("3", "2.21.5").advice == "write NCCL_NET_GDR_LEVEL=PHB"
    assert gdr_level("near", "2.21.5").advice == "unset NCCL_NET_GDR_LEVEL"


def test_names_exist_from_their_version_on() -> None:
    assert gdr_level("P2C", "2.26.2").concern
    assert not gdr_level("P2C", "2.27.3").concern
    assert gdr_level("PXN", "2.11.4").concern
    assert not gdr_level("PXN", "2.12.7").concern


def test_the_default_follows_c2c_from_2_29_2() -> None:
    assert gdr_level(None, "2.29.1").value == "PXB"
    assert gdr_level(None, "2.29.2").value == "P2C"
    assert gdr_level(None, "2.30.7", c2c=False).value == "PXB"


def test_before_2_6_levels_were_integers() -> None:
    found = gdr_level("SYS", "2.4.8")
    assert found.value == "0"
    assert "read as 0" in found.concern
    assert not gdr_level("4", "2.4.8").concern


@pytest.mark.parametrize(
    ("written", "version", "disabled", "value"),
    [
        (None, "2.22.3", None, "SYS"),
        (None, "2.23.4", None, "PXB"),
        ("NVL", "2.21.5", None, "NVL"),
        ("nvl", "2.21.5", None, "SYS"),
        ("NVL", "2.21.5", "1", "LOC"),
        ("NVL", "2.21.5", "0", "NVL"),
        (None, "2.21.5", "1", "LOC"),
    ],
)
def test_p2p_level(written: str | None, version: str, disabled: str | None, value: str) -> None:
    assert p2p_level(written, version, disabled=disabled).value == value


def test_a_level_that_is_not_read_is_a_concern() -> None:
    assert "not read" in p2p_level("NVL", "2.21.5", disabled="1").concern
    assert not p2p_level(None, "2.21.5", disabled="1").concern


@pytest.mark.parametrize(
    ("text", "value", "clean"),
    [
        ("106", 106, True),
        (" 3", 3, True),
        ("3 ", 3, False),
        ("0x10", 16, True),
        ("010", 8, True),
        ("-1", -1, True),
        ("true", 0, False),
        ("", 0, False),
        ("12abc", 12, False),
    ],
)
def test_integers_are_read_as_c_reads_them(text: str, value: int, clean: bool) -> None:
    assert whole_number(text) == (value, clean)


@given(st.integers(-(2**62), 2**62))
def test_every_integer_survives(value: int) -> None:
    assert whole_number(str(value)) == (value, True)


@given(st.text())
def test_any_text_has_a_level(text: str) -> None:
    assert gdr_level(text, "2.21.5").value in ("LOC", "NVL", "NVB", "PIX", "PXB", "PXN", "PHB", "SYS")


def test_a_word_disables_nothing() -> None:
    found = integer_setting("NCCL_IB_DISABLE", "true", "2.21.5")
    assert found is not None
    assert found.value == "0"
    assert found.concern


@pytest.mark.parametrize(
    ("name", "version", "default"),
    [
        ("NCCL_IB_GID_INDEX", "2.20.5", "0"),
        ("NCCL_IB_GID_INDEX", "2.21.5", "-1"),
        ("NCCL_IB_TIMEOUT", "2.13.4", "14"),
        ("NCCL_IB_TIMEOUT", "2.14.3", "18"),
        ("NCCL_IB_TIMEOUT", "2.23.4", "20"),
        ("NCCL_IB_SPLIT_DATA_ON_QPS", "2.19.3", "1"),
        ("NCCL_IB_SPLIT_DATA_ON_QPS", "2.20.5", "0"),
        ("NCCL_NET_GDR_C2C", "2.26.2", "0"),
        ("NCCL_NET_GDR_C2C", "2.27.3", "1"),
    ],
)
def test_defaults_by_version(name: str, version: str, default: str) -> None:
    found = integer_setting(name, None, version)
    assert found is not None
    assert found.value == default


def test_a_variable_that_a_version_does_not_have_is_none() -> None:
    assert integer_setting("NCCL_IB_MERGE_NICS", None, "2.19.3") is None
    assert integer_setting("NCCL_SOCKET_IFNAME", "eth0", "2.19.3") is None


def test_a_fixed_gid_index_is_a_concern_from_2_21() -> None:
    old, new = (integer_setting("NCCL_IB_GID_INDEX", "3", version) for version in ("2.20.5", "2.21.5"))
    assert old is not None
    assert new is not None
    assert (old.value, old.concern) == ("3", "")
    assert (new.value, new.advice) == ("3", "unset NCCL_IB_GID_INDEX")


@pytest.mark.parametrize(
    ("written", "dscp", "ecn"), [("106", 26, True), ("104", 26, False), (None, 0, False), ("-1", 0, False)]
)
def test_traffic_class(written: str | None, dscp: int, ecn: bool) -> None:
    found = traffic_class(written)
    assert (found.dscp, found.ecn_capable) == (dscp, ecn)


DEVICES = ("mlx5_0", "mlx5_1", "mlx5_2", "mlx5_10", "mlx5_11", "mlx5_bond_0")


@pytest.mark.parametrize(
    ("written", "chosen"),
    [
        (None, DEVICES),
        ("mlx5_1", ("mlx5_1", "mlx5_10", "mlx5_11")),
        ("=mlx5_1", ("mlx5_1",)),
        ("=mlx5_0:1,mlx5_1:1", ("mlx5_0", "mlx5_1")),
        ("^mlx5_1", ("mlx5_0", "mlx5_2", "mlx5_bond_0")),
        ("^=mlx5_1", ("mlx5_0", "mlx5_2", "mlx5_10", "mlx5_11", "mlx5_bond_0")),
        ("mlx5_0, mlx5_2", ("mlx5_0",)),
        ("mlx5_bond", ("mlx5_bond_0",)),
    ],
)
def test_ib_hca(written: str | None, chosen: tuple[str, ...]) -> None:
    assert ib_hcas(written, DEVICES).chosen == chosen


def test_what_is_surprising_about_ib_hca_is_said() -> None:
    assert ib_hcas("mlx5_1", DEVICES).concerns == ("mlx5_1 is a prefix of mlx5_10, mlx5_11 too, let in as well",)
    assert "blank" in ib_hcas("mlx5_0, mlx5_2", DEVICES).concerns[0]
    assert ib_hcas("=mlx5_0", DEVICES).concerns == ()
    assert ib_hcas(None, [f"mlx5_{number}" for number in range(33)]).concerns == ("33 devices: NCCL stops at 32",)
