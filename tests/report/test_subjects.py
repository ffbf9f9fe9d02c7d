"""Components in few words."""

from fabric_audit.report.subjects import folded, rails, targets, without_name


def test_targets_are_a_node_set() -> None:
    assert targets(["gpu01", "gpu02", "gpu04"]) == "gpu[01-02,04]"


def test_what_is_no_host_name_stands_beside_it() -> None:
    assert targets(["gpu01", "pod [3]", "@all"]) == "gpu01, pod [3], @all"


def test_targets_with_the_same_components_stand_together() -> None:
    subjects = [(host, port) for host in ("gpu01", "gpu02") for port in ("eth0", "eth1")] + [("leaf01", "Ethernet4")]
    assert folded(subjects).lines == ("gpu[01-02] eth0, eth1", "leaf01 Ethernet4")


def test_a_target_without_component_is_named_alone() -> None:
    assert str(folded([("gpu01",)])) == "gpu01"


def test_what_is_left_out_is_said() -> None:
    subjects = [(f"leaf{n}", f"Ethernet{n}") for n in range(1, 12)]
    short = folded(subjects, most=2)
    assert short.more == 9
    assert str(short).endswith("; and 9 more")
    ports = folded([("leaf01", f"Ethernet{n}") for n in range(64)])
    assert ports.lines[0].endswith("Ethernet15 and 48 more")


def test_rails_are_found_in_subjects() -> None:
    assert rails([("gpu01", "rail 10"), ("gpu01", "rail 2", "gpu02"), ("leaf01", "Ethernet1")]) == ("2", "10")


def test_a_name_is_left_open_only_as_a_whole_word() -> None:
    assert without_name("no evidence from gpu1: gpu10 is silent", "gpu1") == "no evidence from …: gpu10 is silent"
    assert without_name("nothing", "") == "nothing"
