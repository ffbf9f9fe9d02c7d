"""Cables, modules and what is at the other end."""

from fabric_audit.facts.intent import Cable
from fabric_audit.facts.ports import Transceiver
from fabric_audit.facts.routing import LagMember
from tests.checks.proofs.model import Proof, set_, without

NIC = {"target": "gpu001", "port": "rail0"}
MODULE = ("gpu001", "baseline", Transceiver(port="rail0", post_fec_ber=1e-17, alarms="", temperature_c=50.0))
PLAN = ("pod", "baseline", Cable(a_target="gpu001", a_port="rail0", b_target="leaf01", b_port="Ethernet0"))
MEMBER = ("leaf01", "baseline", LagMember(lag="PortChannel1", port="Ethernet16", bundled=True))
UNPLUGGED = (
    without("neighbor", target="spine01", port="Ethernet8/1"),
    without("neighbor", target="leaf02", system_name="spine01", port_id="Ethernet8/1"),
)

PROOFS = (
    Proof(check="links.mtu", change=(set_("interface", {"target": "leaf01", "port": "Ethernet0"}, mtu_bytes=1500),)),
    Proof(
        check="links.switch-mtu",
        change=(
            set_("interface", {"target": "leaf01", "port": "Ethernet16"}, mtu_bytes=8000),
            set_("interface", {"target": "spine01", "port": "Ethernet1/1"}, mtu_bytes=8000),
        ),
    ),
    Proof(check="links.same-fec", change=(set_("interface", NIC, fec_mode="none", fec_oper="none"),)),
    Proof(check="links.same-speed", change=(set_("interface", NIC, speed_bps=2 * 10**11),)),
    Proof(
        check="links.nic-active",
        change=(set_("rdma_port", {"target": "gpu001", "device": "mlx5_0"}, state="DOWN"),),
    ),
    Proof(
        check="links.nic-cabled",
        change=(set_("neighbor", {"target": "leaf01", "port": "Ethernet0"}, port_id="rail1"),),
        also=("links.wired-as-declared",),
    ),
    Proof(
        check="links.wired-as-declared",
        base=(set_("fabric", {}, wiring="dual-tor"), set_("intended_nic", {}, bond="bond0")),
        change=(
            set_("neighbor", {"target": "leaf01", "port": "Ethernet8"}, system_name="gpu001", port_id="rail1"),
            without("neighbor", target="leaf02", port="Ethernet0"),
        ),
        also=("links.nic-cabled",),
    ),
    Proof(check="links.uplinks-complete", change=UNPLUGGED),
    Proof(check="links.as-planned", given=(PLAN,), change=(set_("cable", {"b_target": "leaf01"}, b_port="Ethernet8"),)),
    Proof(check="links.members", given=(MEMBER,), change=(set_("lag_member", {"target": "leaf01"}, bundled=False),)),
    Proof(
        check="links.bit-errors",
        given=(MODULE,),
        change=(set_("transceiver", {"target": "gpu001"}, post_fec_ber=1e-9),),
    ),
    Proof(
        check="links.error-margin",
        given=(MODULE,),
        change=(set_("transceiver", {"target": "gpu001"}, post_fec_ber=1e-13),),
    ),
    Proof(
        check="links.optics", given=(MODULE,), change=(set_("transceiver", {"target": "gpu001"}, temperature_c=88.0),)
    ),
)
