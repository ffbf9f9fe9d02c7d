"""Links joined from LLDP, MAC tables and cables."""

from fabric_audit.facts import Fact
from fabric_audit.facts.fabric_ports import fabric_ports
from fabric_audit.facts.intent import Cable, FabricPort, IntendedNic, Link
from fabric_audit.facts.ports import Interface, MacEntry, Neighbor, NeighborEntry, PortAlias
from fabric_audit.facts.rdma import RdmaPort
from fabric_audit.facts.system import System
from fabric_audit.facts.tables import Stamped
from fabric_audit.facts.topology import links
from fabric_audit.inventory.model import Host, Inventory, Login, Nic, Switch

LOGIN = Login(address="192.0.2.1")
POD = Inventory(
    fabric="pod",
    hosts=(Host(name="gpu1", login=LOGIN, nics=(Nic(rail=0, device="mlx5_0"),)),),
    switches=(
        Switch(name="leaf1", login=LOGIN, platform="sonic"),
        Switch(name="spine1.pod.example.net", login=LOGIN, platform="eos"),
    ),
)
MAC = "02:00:5e:00:53:01"


def on(target: str, *facts: Fact) -> list[Stamped]:
    return [Stamped(target, "baseline", f"{target}.out", fact, 1) for fact in facts]


def short(port: str) -> tuple[str, ...]:
    return (port.replace("Ethernet", "Et"),)


def joined(*facts: Stamped) -> list[Link]:
    found = [one.fact for one in links(facts, POD, {"eos": short})]
    assert all(isinstance(fact, Link) for fact in found)
    return found  # type: ignore[return-value]  # asserted above


def ends(link: Link) -> tuple[str | None, ...]:
    return link.a_target, link.a_port, link.b_target, link.b_port


HOST = on("gpu1", Interface(port="eth1", mac=MAC), RdmaPort(device="mlx5_0", port=1, netdev="eth1"))
LEAF = on("leaf1", Interface(port="Ethernet0"), PortAlias(port="Ethernet0", alias="etp1"), Interface(port="Ethernet8"))
SPINE = on("spine1.pod.example.net", Interface(port="Ethernet1/1"))


def test_both_ends_words_are_one_link_under_both_vendors_names() -> None:
    found = joined(
        *LEAF,
        *SPINE,
        *on("leaf1", Neighbor(port="etp1", system_name="spine1", port_id="Et1/1", by="lldp")),
        *on(
            "spine1.pod.example.net",
            Neighbor(port="Ethernet1/1", system_name="leaf1", port_id="etp1", by="lldp"),
        ),
    )
    assert [ends(link) for link in found] == [("leaf1", "Ethernet0", "spine1.pod.example.net", "Ethernet1/1")]
    assert (found[0].by, found[0].role, found[0].conflict) == ("lldp", "fabric", None)


def test_a_name_that_nobody_knows_gives_way_to_what_the_other_end_says() -> None:
    """Junos sends an ifIndex by default: Juniper, LLDP, `port-id-subtype`."""
    found = joined(
        *LEAF,
        *SPINE,
        *on("leaf1", Neighbor(port="Ethernet0", system_name="spine1", port_id="515", by="lldp")),
        *on(
            "spine1.pod.example.net", Neighbor(port="Ethernet1/1", system_name="leaf1", port_id="Ethernet0", by="lldp")
        ),
    )
    assert [ends(link) for link in found] == [("leaf1", "Ethernet0", "spine1.pod.example.net", "Ethernet1/1")]
    assert found[0].conflict is None


def test_a_host_names_its_port_by_mac() -> None:
    found = joined(*HOST, *LEAF, *on("leaf1", Neighbor(port="Ethernet0", system_name="gpu1", port_id=MAC, by="lldp")))
    assert [ends(link) for link in found] == [("gpu1", "eth1", "leaf1", "Ethernet0")]
    assert found[0].role == "host"


def test_a_host_that_calls_itself_otherwise_is_known_by_that_name() -> None:
    named = on("gpu1", System(name="node-7.example.net"))
    found = joined(*HOST, *named, *LEAF, *on("leaf1", Neighbor(port="Ethernet0", system_name="node-7", port_id="eth1")))
    assert ends(found[0])[:2] == ("gpu1", "eth1")


def test_without_lldp_the_mac_table_tells_and_says_so() -> None:
    found = joined(*HOST, *LEAF, *on("leaf1", MacEntry(port="Ethernet0", mac=MAC)))
    assert (ends(found[0]), found[0].by) == (("gpu1", "eth1", "leaf1", "Ethernet0"), "mac")


def test_a_routed_leaf_tells_by_arp() -> None:
    found = joined(*HOST, *LEAF, *on("leaf1", NeighborEntry(port="etp1", address="192.0.2.9", mac=MAC)))
    assert (ends(found[0]), found[0].by) == (("gpu1", "eth1", "leaf1", "Ethernet0"), "arp")


def test_a_mac_learned_on_an_uplink_is_no_cable() -> None:
    uplink = on("leaf1", Neighbor(port="Ethernet0", system_name="spine1", port_id="Ethernet1/1"))
    found = joined(*HOST, *LEAF, *SPINE, *uplink, *on("leaf1", MacEntry(port="Ethernet0", mac=MAC)))
    assert [link.role for link in found] == ["fabric"]


def test_sources_that_disagree_are_named() -> None:
    plan = on("gpu1", Cable(a_target="gpu1", a_port="eth1", b_target="leaf1", b_port="Ethernet8"))
    seen = on("leaf1", Neighbor(port="Ethernet0", system_name="gpu1", port_id="eth1", by="lldp"))
    (link,) = joined(*HOST, *LEAF, *plan, *seen)
    assert link.by == "lldp"
    assert link.conflict == "cables says gpu1 eth1 to leaf1 Ethernet8"


def test_ends_outside_the_inventory_are_left_out() -> None:
    assert joined(*LEAF, *on("leaf1", Neighbor(port="Ethernet0", system_name="core9", port_id="x"))) == []


def test_fabric_ports_are_compute_nics_and_the_ports_they_lead_to() -> None:
    nics = on(
        "gpu1",
        IntendedNic(nic="mlx5_0", device="mlx5_0", rail=0, role="compute"),
        IntendedNic(nic="eno1", netdev="eno1", role="management"),
    )
    cables = [
        *on("gpu1", Link(a_target="gpu1", a_port="eth1", b_target="leaf1", b_port="Ethernet0")),
        *on("gpu1", Link(a_target="gpu1", a_port="eno1", b_target="leaf1", b_port="Ethernet8")),
        *on("leaf1", Link(a_target="leaf1", a_port="Ethernet16", b_target="spine1", b_port="Ethernet1/1")),
    ]
    found = {(one.target, one.fact) for one in fabric_ports([*HOST, *nics, *cables])}
    assert found == {
        ("gpu1", FabricPort(port="eth1", side="nic", rail=0)),
        ("leaf1", FabricPort(port="Ethernet0", side="host", rail=0)),
        ("leaf1", FabricPort(port="Ethernet16", side="fabric")),
        ("spine1", FabricPort(port="Ethernet1/1", side="fabric")),
    }
