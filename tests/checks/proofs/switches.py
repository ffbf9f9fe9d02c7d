"""Classes, PFC, ECN, buffers, watchdogs and routing of switches and NICs."""

from fabric_audit.facts.buffers import BufferPool, PriorityGroup
from fabric_audit.facts.profiles import BrokenReference, BufferProfile
from fabric_audit.facts.routing import LoadBalancing
from tests.checks.proofs.model import Given, Proof, set_

LEAF_PORT = {"target": "leaf01", "port": "Ethernet0"}
SPINE_PORT = {"target": "spine01", "port": "Ethernet1/1"}
NIC = {"target": "gpu001", "port": "rail0"}
EOS = ("spine01", "spine02")


def _hash(target: str, seed: str) -> Given:
    fields = "dst_ip,dst_port,protocol,src_ip,src_port"
    return target, "baseline", LoadBalancing(scope="ecmp", mode="hash", fields=fields, seed=seed)


HASHES = tuple(_hash(t, seed) for t, seed in (("leaf01", "1"), ("leaf02", "1"), ("spine01", "2"), ("spine02", "2")))

GROUPS: tuple[Given, ...] = tuple(
    (target, "baseline", fact)
    for target in EOS
    for fact in (
        *(
            PriorityGroup(
                port=f"Ethernet{number}/1",
                pg=3,
                lossless=True,
                profile="roce",
                xoff_bytes=340_200,
                alpha_raw="-1",
                alpha_exp=-1,
            )
            for number in range(1, 9)
        ),
        BufferProfile(profile="roce", pool="shared"),
        BufferPool(pool="shared", size_bytes=100_000_000),
    )
)
"""What spines of another platform would tell of their buffers."""
NUMBERED = tuple(set_("traffic_class_map", {"target": target, "traffic_class": 3}, pg=3) for target in EOS)
NO_PAUSE = tuple(
    set_("interface", {"target": target}, link_pause_rx=False, link_pause_tx=False) for target in ("leaf01", "leaf02")
)

PROOFS = (
    Proof(
        check="qos.class-override",
        change=(set_("rdma_port", {"target": "gpu001", "device": "mlx5_0"}, traffic_class=0),),
    ),
    Proof(check="qos.trust-dscp", change=(set_("interface", SPINE_PORT, trust_mode="pcp"),)),
    Proof(check="qos.dscp-is-lossless", change=(set_("dscp_map", LEAF_PORT | {"dscp": 26}, traffic_class=0),)),
    Proof(check="qos.cnp-not-lossless", change=(set_("dscp_map", SPINE_PORT | {"dscp": 48}, traffic_class=3),)),
    Proof(check="qos.cnp-strict", change=(set_("queue", LEAF_PORT | {"queue": 6}, scheduler="dwrr"),)),
    Proof(
        check="qos.references-hold",
        added=(
            ("leaf01", "baseline", BrokenReference(owner="PORT_QOS_MAP Ethernet0", field="x", target="GONE", line=7)),
        ),
    ),
    Proof(
        check="pfc.enabled-on-lossless-priority",
        change=(set_("pfc_port", LEAF_PORT, mode="off", admin_priorities=""),),
    ),
    Proof(
        check="pfc.only-on-lossless-priority",
        change=(set_("pfc_port", SPINE_PORT, admin_priorities="34", oper_priorities="34"),),
    ),
    Proof(
        check="pfc.same-on-both-ends",
        change=(set_("pfc_port", SPINE_PORT, admin_priorities="34", oper_priorities="34"),),
        cause="pfc.only-on-lossless-priority",
    ),
    Proof(
        check="pfc.link-pause-off",
        base=NO_PAUSE,
        change=(set_("interface", NIC, link_pause_rx=True, link_pause_tx=True),),
    ),
    Proof(check="pfc.not-negotiated", change=(set_("pfc_port", NIC, mode="auto"),)),
    Proof(check="pfc.watchdog-enabled", change=(set_("pfc_watchdog", SPINE_PORT, enabled=False),)),
    Proof(
        check="watchdog.action",
        change=(set_("pfc_watchdog", SPINE_PORT, action="shutdown"),),
    ),
    Proof(
        check="watchdog.acts-on-storms-only",
        change=(set_("pfc_watchdog", LEAF_PORT | {"queue": -1}, big_red_switch=True),),
    ),
    Proof(
        check="watchdog.no-storms",
        change=(set_("pfc_watchdog", LEAF_PORT | {"queue": 3, "phase": "final"}, storms_detected=2),),
    ),
    Proof(
        check="watchdog.right-queues",
        change=(set_("pfc_watchdog", LEAF_PORT | {"queue": 3}, queue=4),),
        also=("pfc.watchdog-enabled",),
    ),
    Proof(check="watchdog.times", change=(set_("pfc_watchdog", SPINE_PORT, detect_ms=9000),)),
    Proof(
        check="ecn.marks-on-lossless-queue",
        change=(set_("queue", SPINE_PORT | {"queue": 3}, ecn=False, ecn_min_bytes=None, ecn_max_bytes=None),),
    ),
    Proof(check="ecn.marks-not-drops", change=(set_("queue", LEAF_PORT | {"queue": 3}, wred_drops=True),)),
    Proof(
        check="ecn.thresholds",
        design={"ecn_min_bytes": 150_000, "ecn_max_bytes": 1_500_000, "ecn_mark_percent": 100.0},
        change=(set_("queue", LEAF_PORT | {"queue": 3}, ecn_min_bytes=400_000),),
    ),
    Proof(
        check="ecn.before-pause",
        base=NUMBERED,
        given=GROUPS,
        change=(set_("queue", LEAF_PORT | {"queue": 3}, ecn_min_bytes=90_000_000, ecn_max_bytes=99_000_000),),
    ),
    Proof(
        check="ecn.cnp-marking",
        change=(set_("congestion_setting", NIC | {"name": "cnp_dscp"}, value="0"),),
    ),
    Proof(
        check="ecn.congestion-control-on",
        change=(set_("congestion_control", NIC | {"priority": 3}, reaction_point=False),),
    ),
    Proof(check="buffers.lossless-group", change=(set_("priority_group", LEAF_PORT | {"pg": 3}, lossless=False),)),
    Proof(
        check="buffers.headroom",
        given=GROUPS,
        change=(
            set_("priority_group", LEAF_PORT | {"pg": 3}, xoff_bytes=1000),
            set_("buffer_pool", {"target": "leaf01"}, shared_headroom_bytes=None),
        ),
    ),
    Proof(
        check="buffers.alike",
        given=GROUPS,
        change=(set_("priority_group", {"target": "leaf01", "pg": 3}, alpha_raw="3"),),
    ),
    Proof(
        check="routing.session-up",
        change=(set_("bgp_neighbor", {"target": "spine01", "neighbor": "10.200.0.0"}, state="active"),),
    ),
    Proof(
        check="routing.ecmp-complete",
        change=(
            set_(
                "ecmp_group",
                {"target": "spine01", "prefix": "10.255.1.1/32"},
                ports="Ethernet1/1,Ethernet2/1,Ethernet3/1",
            ),
        ),
    ),
    Proof(
        check="routing.entropy",
        given=HASHES,
        change=(set_("load_balancing", {"target": "leaf01"}, fields="dst_ip,src_ip"),),
    ),
    Proof(
        check="routing.hash-varies",
        given=HASHES,
        change=(set_("load_balancing", {"seed": "2"}, seed="1"), set_("target", {"kind": "switch"}, platform="sonic")),
    ),
)
