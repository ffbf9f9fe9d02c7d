"""Addresses, ways out, and what software finds when it looks a peer up."""

from fabric_audit.facts.ports import Address, NeighborEntry
from tests.checks.proofs.model import Proof, set_

FIRST = {"target": "gpu001", "port": "rail0"}
SHARED = (("gpu001", "baseline", Address(port="rail1", address="10.1.0.77/16", scope="global")),)
LEARNED = NeighborEntry(port="rail0", address="10.1.0.3", mac="02:00:5e:00:00:02", state="REACHABLE")

PROOFS = (
    Proof(
        check="addressing.arp-answers",
        given=SHARED,
        change=(
            set_("kernel_setting", {"target": "gpu001", "name": "net.ipv4.conf.all.arp_ignore"}, value="0"),
            set_("kernel_setting", {"target": "gpu001", "name": "net.ipv4.conf.rail0.arp_ignore"}, value="0"),
        ),
    ),
    Proof(
        check="addressing.neighbor-is-meant",
        given=(("gpu001", "baseline", LEARNED),),
        change=(set_("neighbor_entry", FIRST | {"address": "10.1.0.3"}, mac="02:00:5e:01:00:02"),),
    ),
    Proof(
        check="addressing.own-way-out",
        change=(set_("route", {"target": "gpu001", "port": "rail0", "table_id": "100"}, port="rail1"),),
    ),
    Proof(
        check="addressing.roce-v2-gid",
        change=(set_("gid", {"target": "gpu001", "device": "mlx5_0", "type": "RoCE v2"}, type="RoCE v1"),),
    ),
    Proof(
        check="addressing.same-gid-index",
        change=(set_("gid", {"target": "gpu001", "device": "mlx5_0", "index": 3}, index=5),),
    ),
    Proof(
        check="addressing.unique",
        change=(set_("interface", {"target": "gpu002", "port": "rail0"}, mac="02:00:5e:00:00:01"),),
    ),
)
