"""The traps of Junos, each by itself."""

import pytest

from fabric_audit.facts.buffers import BufferPool
from fabric_audit.facts.pfc import PfcPort, PfcWatchdog
from fabric_audit.facts.ports import Interface
from fabric_audit.facts.profiles import BrokenReference, PfcProfile
from fabric_audit.facts.qos import DscpMap, PfcPriorityMap, Queue
from fabric_audit.facts.routing import LagMember
from fabric_audit.platforms.switches.juniper_junos.names import aliases, kind, physical
from tests.platforms.switches.told import reading, told

CONFIG = "juniper_junos:running-config"
COS = "juniper_junos:show-configuration-class-of-service"
PORT = "set interfaces et-0/0/0 description gpu1\n"
BY_PCP = "set class-of-service congestion-notification-profile cnp input ieee-802.1 code-point {} pfc\n"
BY_DSCP = "set class-of-service congestion-notification-profile cnp input dscp code-point 011010 pfc\n"
BOUND = "set class-of-service interfaces {} congestion-notification-profile cnp\n"
LED = (
    "set class-of-service classifiers dscp roce forwarding-class NO-LOSS loss-priority low code-points 011010\n"
    "set class-of-service interfaces all unit * classifiers dscp roce\n"
    "set class-of-service forwarding-classes class NO-LOSS queue-num 4\n"
    "set class-of-service forwarding-classes class NO-LOSS no-loss\n"
)
MARKED = (
    "set class-of-service interfaces et-0/0/0 scheduler-map m\n"
    "set class-of-service scheduler-maps m forwarding-class NO-LOSS scheduler s\n"
    "set class-of-service schedulers s drop-profile-map loss-priority any protocol any drop-profile d\n"
    "set class-of-service drop-profiles d interpolate fill-level [ 55 90 ]\n"
    "set class-of-service drop-profiles d interpolate drop-probability [ 0 100 ]\n"
)


def ports(text: str) -> dict[str, tuple[str | None, str | None]]:
    return {row.port: (row.mode, row.admin_priorities) for row in told(CONFIG, text, PfcPort)}


@pytest.mark.parametrize(("bits", "priority"), [("011", "3"), ("100", "4"), ("010", "2"), ("111", "7")])
def test_code_points_are_binary(bits: str, priority: str) -> None:
    assert ports(PORT + BOUND.format("et-0/0/0") + BY_PCP.format(bits)) == {"et-0/0/0": ("on", priority)}


@pytest.mark.parametrize("bits", ["26", "3", "0110", "01a"])
def test_a_code_point_of_other_digits_is_no_number(bits: str) -> None:
    text = PORT + BOUND.format("et-0/0/0") + BY_PCP.format(bits)
    (row,) = told(CONFIG, text, PfcPort, "partial")
    assert (row.mode, row.admin_priorities) == (None, None)


def test_a_code_point_without_pfc_pauses_nothing() -> None:
    limited = BY_PCP.replace("pfc\n", "mru 9216\n")
    assert ports(PORT + BOUND.format("et-0/0/0") + limited.format("011")) == {"et-0/0/0": ("off", "")}
    both = limited.format("100") + BY_PCP.format("011")
    assert ports(PORT + BOUND.format("et-0/0/0") + both) == {"et-0/0/0": ("on", "3")}


def test_a_port_without_profile_has_no_pfc() -> None:
    text = PORT + "set interfaces et-0/0/1 mtu 9216\n" + BOUND.format("et-0/0/1") + BY_PCP.format("011")
    assert ports(text) == {"et-0/0/0": ("off", ""), "et-0/0/1": ("on", "3")}


def test_a_profile_that_is_not_there_is_told_and_is_no_off() -> None:
    text = PORT + BOUND.format("et-0/0/0")
    assert ports(text) == {"et-0/0/0": (None, None)}
    (broken,) = told(CONFIG, text, BrokenReference)
    assert (broken.owner, broken.target) == ("et-0/0/0", "congestion-notification-profile cnp")


def test_pause_by_dscp_is_sent_with_the_priority_of_the_class() -> None:
    text = PORT + BOUND.format("et-0/0/0") + BY_DSCP + LED
    assert ports(text + "set class-of-service forwarding-classes class NO-LOSS pfc-priority 3\n") == {
        "et-0/0/0": ("on", "3")
    }


def test_pause_by_dscp_of_a_class_without_priority_is_on_at_a_priority_nobody_knows() -> None:
    answer = reading(CONFIG, PORT + BOUND.format("et-0/0/0") + BY_DSCP + LED)
    (row,) = [fact for fact in answer.facts if isinstance(fact, PfcPort)]
    assert (row.mode, row.admin_priorities) == ("on", None)
    assert "admin_priorities" in [one.field for one in answer.missing]


def test_without_output_stanza_3_and_4_stop_queues_3_and_4() -> None:
    text = PORT + BOUND.format("et-0/0/0") + BY_PCP.format("011")
    assert [(row.priority, row.queue) for row in told(CONFIG, text, PfcPriorityMap)] == [(3, 3), (4, 4)]


def test_an_output_stanza_names_the_queue_that_stops() -> None:
    out = "set class-of-service congestion-notification-profile cnp output ieee-802.1 code-point 011 "
    text = PORT + BOUND.format("et-0/0/0") + BY_PCP.format("011") + out + "flow-control-queue 4\n"
    assert [(row.priority, row.queue) for row in told(CONFIG, text, PfcPriorityMap)] == [(3, 4)]
    told_profile = [(row.direction, row.code_point, row.queues) for row in told(CONFIG, text, PfcProfile)]
    assert told_profile == [("input", 3, None), ("output", 3, "4")]


@pytest.mark.parametrize("place", ["et-0/0/0", "et-*", "et-0/0/[0-3]", "all"])
def test_a_profile_reaches_a_port_by_its_name_a_wildcard_or_all(place: str) -> None:
    assert ports(PORT + BOUND.format(place) + BY_PCP.format("011")) == {"et-0/0/0": ("on", "3")}


def test_a_wildcard_that_does_not_match_reaches_nobody() -> None:
    assert ports(PORT + BOUND.format("xe-*") + BY_PCP.format("011")) == {"et-0/0/0": ("off", "")}


def test_a_profile_of_an_aggregate_reaches_its_members() -> None:
    member = "set interfaces et-0/0/0 ether-options 802.3ad ae0\nset interfaces ae0 mtu 9216\n"
    text = member + BOUND.format("ae0") + BY_PCP.format("011")
    assert ports(text) == {"et-0/0/0": ("on", "3")}
    (interface, _) = told(CONFIG, text, Interface)
    assert (interface.mtu_bytes, interface.master) == (9216, "ae0")
    assert [(row.lag, row.port) for row in told(CONFIG, text, LagMember)] == [("ae0", "et-0/0/0")]


def test_groups_and_ranges_are_applied_and_the_port_itself_is_stronger() -> None:
    text = """\
groups { JUMBO { interfaces { <et-*> { mtu 9216; } } } }
apply-groups JUMBO;
interfaces {
    interface-range GPUS { member-range et-0/0/0 to et-0/0/1; description gpu; }
    interface-range SPARE { member et-0/0/9; disable; }
    et-0/0/1 { mtu 4200; }
    et-0/0/2 { description uplink; }
    xe-0/0/48 { description oob; }
}
"""
    rows = {row.port: (row.mtu_bytes, row.description, row.admin_up) for row in told(CONFIG, text, Interface)}
    assert rows == {
        "et-0/0/0": (1514, "gpu", True),
        "et-0/0/1": (4200, "gpu", True),
        "et-0/0/2": (9216, "uplink", True),
        "et-0/0/9": (1514, None, False),
        "xe-0/0/48": (1514, "oob", True),
    }


def test_what_is_deactivated_is_not_there() -> None:
    braces = """\
interfaces { et-0/0/0 { mtu 9216; } inactive: et-0/0/1 { mtu 9216; } }
class-of-service {
    congestion-notification-profile { cnp { input { ieee-802.1 { code-point 011 { pfc; } } } } }
    interfaces { et-0/0/0 { inactive: congestion-notification-profile cnp; } }
}
"""
    lines = PORT + BOUND.format("et-0/0/0") + BY_PCP.format("011")
    off = "deactivate class-of-service interfaces et-0/0/0 congestion-notification-profile\n"
    assert ports(braces) == ports(lines + off) == {"et-0/0/0": ("off", "")}


def test_braces_and_set_lines_say_the_same() -> None:
    braces = """\
interfaces { et-0/0/0 { description gpu1; } }
class-of-service {
    classifiers { dscp roce { forwarding-class NO-LOSS { loss-priority low code-points 011010; } } }
    forwarding-classes { class NO-LOSS queue-num 4 no-loss; }
    drop-profiles { d { interpolate { fill-level [ 55 90 ]; drop-probability [ 0 100 ]; } } }
    interfaces {
        et-0/0/0 { scheduler-map m; }
        all { unit * { classifiers { dscp roce; } } }
    }
    scheduler-maps { m { forwarding-class NO-LOSS scheduler s; } }
    schedulers {
        s { drop-profile-map loss-priority any protocol any drop-profile d; explicit-congestion-notification; }
    }
}
"""
    sets = PORT + LED + MARKED + "set class-of-service schedulers s explicit-congestion-notification\n"
    for table in (Queue, DscpMap, PfcPort, PfcWatchdog):
        assert told(CONFIG, braces, table) == told(CONFIG, sets, table)


def test_thresholds_of_ecn_are_percent_and_never_bytes() -> None:
    text = PORT + LED + MARKED + "set class-of-service schedulers s explicit-congestion-notification\n"
    (queue,) = [row for row in told(CONFIG, text, Queue) if row.queue == 4]
    assert (queue.ecn, queue.ecn_min_pct, queue.ecn_max_pct, queue.ecn_mark_pct) == (True, 55.0, 90.0, 100.0)
    assert (queue.ecn_min_bytes, queue.ecn_max_bytes, queue.wred_drops) == (None, None, False)


def test_a_drop_profile_without_ecn_drops() -> None:
    (queue,) = [row for row in told(CONFIG, PORT + LED + MARKED, Queue) if row.queue == 4]
    assert (queue.ecn, queue.ecn_min_pct, queue.wred_drops) == (False, None, True)


def test_a_drop_profile_in_steps() -> None:
    steps = (
        "set class-of-service drop-profiles d fill-level 90 drop-probability 100\n"
        "set class-of-service drop-profiles d fill-level 40 drop-probability 5\n"
    )
    rest = "".join(line for line in MARKED.splitlines(keepends=True) if "interpolate" not in line)
    text = PORT + LED + rest + steps + "set class-of-service schedulers s explicit-congestion-notification\n"
    (queue,) = [row for row in told(CONFIG, text, Queue) if row.queue == 4]
    assert (queue.ecn_min_pct, queue.ecn_max_pct, queue.ecn_raw) == (40.0, 90.0, "40%:5% 90%:100%")


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("", (True, "drop", 200, 200)),
        (" poll-interval 50", (True, "drop", 100, 200)),
        (" detection 10", (True, "drop", 1000, 200)),
        (" watchdog-action forward", (True, "forward", 200, 200)),
        (" recovery 1000", (True, "drop", 200, 1000)),
        (None, (False, None, None, None)),
    ],
)
def test_the_watchdog_and_its_defaults(
    said: str | None, wanted: tuple[bool, str | None, int | None, int | None]
) -> None:
    text = PORT + BOUND.format("et-0/0/0") + BY_PCP.format("011")
    if said is not None:
        text += f"set class-of-service congestion-notification-profile cnp pfc-watchdog{said}\n"
    (row,) = told(CONFIG, text, PfcWatchdog)
    assert (row.enabled, row.action, row.detect_ms, row.restore_ms) == wanted


def test_dscp_values_that_the_classifier_leaves_out_go_to_best_effort() -> None:
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, PORT + LED, DscpMap)}
    assert (landed[26], landed[48], len(landed)) == (4, 0, 64)


def test_what_a_classifier_imports_is_not_told() -> None:
    text = PORT + LED + "set class-of-service classifiers dscp roce import default\n"
    landed = {row.dscp: row.traffic_class for row in told(CONFIG, text, DscpMap)}
    assert (landed[26], landed[48]) == (4, None)


def test_the_default_classifier_is_missing_and_not_guessed() -> None:
    answer = reading(CONFIG, PORT)
    assert DscpMap.TABLE in [one.table for one in answer.missing]
    assert not [fact for fact in answer.facts if isinstance(fact, DscpMap)]


def test_class_of_service_alone_with_wildcards_alone_tells_of_the_wildcards() -> None:
    text = """\
congestion-notification-profile { cnp { input { ieee-802.1 { code-point 011 { pfc; } } } } }
shared-buffer { ingress { buffer-partition lossless-headroom { percent 24; } } }
interfaces { et-* { congestion-notification-profile cnp; } }
"""
    assert [(row.port, row.admin_priorities) for row in told(COS, text, PfcPort)] == [("et-*", "3")]
    (pool,) = told(COS, text, BufferPool)
    assert (pool.pool, pool.size_pct, pool.size_bytes) == ("ingress lossless-headroom", 24.0, None)


@pytest.mark.parametrize("cut", ["}\n}\n", "    }\n}\n"])
def test_braces_that_do_not_close_are_a_cut(cut: str) -> None:
    text = "interfaces {\n    et-0/0/0 {\n        mtu 9216;\n    }\n}\n"
    answer = reading(CONFIG, text.removesuffix(cut))
    assert (answer.state, answer.facts) == ("parse_error", ())


def test_xml_and_json_of_interfaces_say_the_same() -> None:
    xml = """\
<rpc-reply xmlns:junos="http://xml.juniper.net/junos/23.4R2/junos"><interface-information>
<physical-interface><name>et-0/0/0</name><admin-status junos:format="Enabled">up</admin-status>
<oper-status>up</oper-status><mtu>9216</mtu><speed>400Gbps</speed>
<traffic-statistics><input-bytes>12</input-bytes></traffic-statistics>
</physical-interface></interface-information></rpc-reply>
"""
    json = """\
{"interface-information": [{"physical-interface": [{"name": [{"data": "et-0/0/0"}],
 "admin-status": [{"data": "up", "attributes": {"junos:format": "Enabled"}}], "oper-status": [{"data": "up"}],
 "mtu": [{"data": "9216"}], "speed": [{"data": "400Gbps"}],
 "traffic-statistics": [{"input-bytes": [{"data": "12"}]}]}]}]}
"""
    from_xml = reading("juniper_junos:show-interfaces-extensive-xml", xml)
    from_json = reading("juniper_junos:show-interfaces-extensive-json", json)
    assert from_xml.facts == from_json.facts
    (port,) = [fact for fact in from_xml.facts if isinstance(fact, Interface)]
    assert (port.port, port.mtu_bytes, port.oper_up, port.speed_bps) == ("et-0/0/0", 9216, True, 400_000_000_000)


def test_xml_with_entities_of_its_own_is_refused() -> None:
    text = '<!DOCTYPE a [<!ENTITY b "c">]>\n<interface-information><!ENTITY x></interface-information>\n'
    assert reading("juniper_junos:show-interfaces-extensive-xml", text).state == "parse_error"


@pytest.mark.parametrize(
    ("name", "base", "sort"),
    [
        ("et-0/0/16:0", "et-0/0/16:0", "physical"),
        ("et-0/0/16:0.0", "et-0/0/16:0", "vlan"),
        ("xe-1/2/3.100", "xe-1/2/3", "vlan"),
        ("ae10", "ae10", "bond"),
        ("ae10.0", "ae10", "bond"),
        ("irb.10", "irb.10", "vlan"),
        ("lo0.0", "lo0.0", "virtual"),
        ("re0:mgmt-0", "re0:mgmt-0", "management"),
        ("Ethernet1/1", "Ethernet1/1", None),
    ],
)
def test_port_names(name: str, base: str, sort: str | None) -> None:
    assert (physical(name), kind(name)) == (base, sort)


def test_a_neighbour_may_name_the_first_unit() -> None:
    assert aliases("et-0/0/0") == ("et-0/0/0.0",)
    assert aliases("irb.10") == ()


@pytest.mark.parametrize(
    "words",
    [
        "error: the routing subsystem is not running",
        "error: device et-0/0/99 not found",
        "syntax error, expecting <command>.",
        "unknown command.",
        "permission denied.",
        "warning: class-of-service subsystem not running - not needed by configuration.",
    ],
)
def test_a_refusal_is_not_supported(words: str) -> None:
    answer = reading("juniper_junos:show-version-json", f"{words}\n")
    assert (answer.state, answer.reason) == ("not_supported", words)


@pytest.mark.parametrize("member", ['member "et-0/0/[4-5,7]";', "member et-0/0/[4-5,7];"])
def test_members_of_a_range_may_be_numbers_in_brackets(member: str) -> None:
    text = f"interfaces {{\n    interface-range gpus {{\n        {member}\n        mtu 9216;\n    }}\n}}\n"
    rows = told("juniper_junos:running-config", text, Interface)
    assert [(row.port, row.mtu_bytes) for row in rows] == [
        ("et-0/0/4", 9216),
        ("et-0/0/5", 9216),
        ("et-0/0/7", 9216),
    ]


def test_a_wildcard_of_a_range_stands_for_the_ports_that_are_named() -> None:
    text = (
        "set interfaces interface-range gpus member et-0/0/*\nset interfaces interface-range gpus mtu 9216\n"
        "set interfaces et-0/0/2 description gpu2\nset interfaces et-0/1/2 description spine\n"
    )
    rows = told("juniper_junos:running-config", text, Interface)
    assert {row.port: row.mtu_bytes for row in rows} == {"et-0/0/2": 9216, "et-0/1/2": 1514}
