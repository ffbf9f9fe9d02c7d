"""``--limit``: the same fabric with fewer targets."""

import pytest

from fabric_audit.errors import UsageError
from fabric_audit.inventory.model import Cable, Host, Inventory, Login, Switch

POD = Inventory(
    fabric="pod3",
    hosts=tuple(Host(name=f"gpu{n:02}", login=Login(address=f"gpu{n:02}")) for n in range(1, 5)),
    switches=(Switch(name="leaf1", login=Login(address="leaf1"), platform="sonic"),),
    cables=(
        Cable(a_target="leaf1", a_port="1", b_target="gpu01", b_port="mlx5_0"),
        Cable(a_target="spine1", a_port="1", b_target="gpu04", b_port="mlx5_0"),
    ),
)


def test_only_the_targets_named_are_left_in_the_inventorys_order() -> None:
    limited = POD.limited_to("gpu[03,01],leaf1")
    assert [target.name for target in limited.targets] == ["gpu01", "gpu03", "leaf1"]
    assert limited.cables == POD.cables[:1]
    assert limited.fabric == "pod3"


def test_operators_work_as_in_node_sets() -> None:
    assert [host.name for host in POD.limited_to("gpu[01-04]!gpu02").hosts] == ["gpu01", "gpu03", "gpu04"]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ("gpu[1-2]", r"no target is called gpu\[1-2\]; targets are gpu\[01-04\],leaf1"),
        ("gpu[01-09]", r"no target is called gpu\[05-09\]"),
        ("gpu[01-", "cannot be read"),
        ("", "is empty"),
        ("@racks", "names a group"),
        ("gpu[1-900000000]", "has 900,000,000 names"),
    ],
)
def test_a_limit_that_names_nothing_is_refused(nodes: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        POD.limited_to(nodes)


def test_a_host_is_found_by_its_name() -> None:
    assert POD.host("gpu03").login.address == "gpu03"
    with pytest.raises(KeyError):
        POD.host("leaf1")
