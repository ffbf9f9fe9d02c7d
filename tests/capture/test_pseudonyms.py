"""What stands in the place of what identifies: the same for the same, of the same kind, in the same subnet."""

from ipaddress import IPv4Address, IPv4Network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.capture.pseudonyms import Pseudonyms, names_for

NAMES = names_for({"h": ["acme-gpu001", "acme-gpu002"], "s": ["leaf01", "LEAF02"], "d": ["pod.acme.example"]})
REPLACED = Pseudonyms(b"k" * 32, NAMES)


def test_names_are_replaced_wherever_they_stand_alone() -> None:
    text = "acme-gpu001 ACME-GPU001.pod.acme.example to_leaf01-eth1 leaf011 leaf02:Ethernet4 xleaf01"
    assert REPLACED(text) == "h0000000001 h0000000001.d000000000000001 to_s00001-eth1 leaf011 s00002:Ethernet4 xleaf01"


def test_a_word_of_many_pieces_is_done_in_time() -> None:
    """Twenty thousand labels: looked at all against all, they would take hours."""
    assert REPLACED("a." * 20_000 + "leaf01") == "a." * 20_000 + "s00001"


@pytest.mark.parametrize(
    "text",
    [
        "0000:1a:00.0",
        "12:34:56",
        "255.255.255.0",
        "127.0.0.1",
        "0.0.0.0/0",
        "224.0.0.18",
        "169.254.1.1",
        "ff02::1",
        "::1",
        "01:80:c2:00:00:0e",
        "ff:ff:ff:ff:ff:ff",
        "28.39.1002",
        "mlx5_0 Ethernet1/1 Dell-OS10 5.15.0-91-generic",
        "/sys/bus/pci/drivers/mlx5_core/0000:1a:00.0/class:0x020000",
    ],
)
def test_what_identifies_nobody_stays(text: str) -> None:
    assert REPLACED(text) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("b8:ce:f6:a1:b2:c3", "b8-ce-f6-a1-b2-c3"),
        ("b8:ce:f6:a1:b2:c3", "b8ce.f6a1.b2c3"),
        ("b8:ce:f6:a1:b2:c3", "b8ce:f603:00a1:b2c3"),
        ("b8:ce:f6:a1:b2:c3", "0xb8cef60300a1b2c3"),
        ("b8:ce:f6:a1:b2:c3", "fe80::bace:f6ff:fea1:b2c3"),
        ("b8:ce:f6:a1:b2:c3", "fe80:0000:0000:0000:bace:f6ff:fea1:b2c3"),
        ("b8:ce:f6:a1:b2:c3", "/sys/class/net/eth0/address:b8:ce:f6:a1:b2:c3"),
        ("B8:CE:F6:A1:B2:C3", "b8:ce:f6:a1:b2:c3"),
    ],
)
def test_all_that_is_made_of_one_mac_stays_made_of_one(one: str, other: str) -> None:
    new = REPLACED(one)
    assert new.lower()[:8] == "b8:ce:f6"
    assert new != one
    digits = [text.lower().replace(":", "").replace("-", "").replace(".", "") for text in (new, REPLACED(other))]
    assert digits[0][-6:] == digits[1][-6:]


def test_a_gid_of_an_address_stays_one() -> None:
    new = IPv4Address(REPLACED("10.1.2.3"))
    assert new != IPv4Address("10.1.2.3")
    assert REPLACED("0000:0000:0000:0000:0000:ffff:0a01:0203").endswith(f"{int(new) >> 16:04x}:{int(new) & 0xFFFF:04x}")


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**32 - 1), st.integers(8, 32))
def test_what_is_in_one_subnet_is_so_afterwards(a: int, b: int, length: int) -> None:
    def together(x: IPv4Address, y: IPv4Address) -> bool:
        return int(x) >> 32 - length == int(y) >> 32 - length

    first, second = IPv4Address(a), IPv4Address(b)
    new = [IPv4Address(REPLACED(str(one))) for one in (first, second)]
    assert together(*new) == together(first, second)
    assert new[0].is_private == first.is_private or not first.is_private
    assert (new[0] == new[1]) == (a == b)


def test_a_network_keeps_its_form() -> None:
    assert REPLACED("10.0.0.0/8") == "10.0.0.0/8"
    assert IPv4Network(REPLACED("10.4.0.0/14")).prefixlen == 14
    assert IPv4Address(REPLACED("10.4.7.9/14").partition("/")[0]) in IPv4Network(REPLACED("10.4.0.0/14"))


def test_serials_and_uuids_keep_their_form() -> None:
    uuid = "GPU-0fe1b9a2-7c1c-5f9e-aaaa-bbbbccccdddd"
    assert REPLACED(uuid) == REPLACED(uuid)
    assert REPLACED(uuid) != uuid
    assert len(REPLACED(uuid)) == len(uuid)
    assert "MT2012X00001" not in REPLACED("Serial Number: MT2012X00001")
    assert '"MT2012X00001"' not in REPLACED('"serial": "MT2012X00001"')


def test_free_words_are_spelled_out_of_sight() -> None:
    text = "interface Ethernet1\n   description Customer Acme, rack 12\n   mtu 9214\n"
    assert REPLACED(text) == "interface Ethernet1\n   description xxxxxxxx xxxx, xxxx xx\n   mtu 9214\n"
    assert REPLACED('"description": "Acme"') == '"description": "xxxx"'
