"""What a good inventory becomes."""

from pathlib import Path

import pytest

from fabric_audit.errors import InventoryError
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Cable, Inventory, Login, Nic, Secret, Simulated, Traffic

PLATFORMS = ("arista_eos", "sonic")
POD = """
fabric: pod3
policy: roce-lossless
wiring: rail
defaults:
  hosts: {user: ops, port: 2222, identity_file: ~/.ssh/id_ed25519, jump: bastion1, become: sudo}
  switches: {user: netops, password: {env: SWITCH_PASSWORD}}
models:
  twin:
    gpus: 2
    nvlink: 4
    nics:
      - {rail: 0, device: mlx5_0, speed: 400G, plane: 1, pci: "1A:00.0", qos_owner: dpu}
      - {rail: 1, device: mlx5_1, speed: 1.6T, bond: bond0}
      - {netdev: eno1, role: management}
hosts:
  - {name: "gpu[001-002]", address: "{name}.pod3.example.net", model: twin, unit: su1}
  - {name: "cpu[7-8]", address: "192.0.2.{n+100}", become: none, jump: "ops@bastion2:2022,192.0.2.1"}
switches:
  - {name: "leaf[01-02]", platform: sonic, role: leaf}
  - {name: spine1, platform: arista_eos, role: spine, password: {keyring: pod3}, user: admin}
cables:
  - {a_target: leaf01, a_port: "1", b_target: gpu001, b_port: mlx5_0, length_m: 3}
traffic:
  {mode: "sample:3", tools: [ib_write_bw], memory: [host, gpu], size: 8M, qps: 4, duration: 1.5s, traffic_class: 106}
tools: {ib_write_bw: /opt/perftest/bin/ib_write_bw}
"""


def loaded(folder: Path, text: str) -> Inventory:
    path = folder / "pod.yaml"
    path.write_text(text, encoding="utf-8")
    return load_inventory(path, platforms=PLATFORMS)


@pytest.fixture
def pod(tmp_path: Path) -> Inventory:
    return loaded(tmp_path, POD)


def test_node_sets_become_targets_in_order(pod: Inventory) -> None:
    names = ["gpu001", "gpu002", "cpu7", "cpu8", "leaf01", "leaf02", "spine1"]
    assert [target.name for target in pod.targets] == names


def test_a_host_has_what_its_model_has(pod: Inventory) -> None:
    host = pod.host("gpu002")
    assert (host.model, host.gpus, host.nvlinks, host.unit, host.platform) == ("twin", 2, 4, "su1", "linux")
    assert host.nics == (
        Nic(rail=0, device="mlx5_0", speed_bps=400 * 10**9, plane=1, pci="0000:1a:00.0", qos_owner="dpu"),
        Nic(rail=1, device="mlx5_1", speed_bps=1600 * 10**9, bond="bond0"),
        Nic(netdev="eno1", role="management"),
    )
    assert [nic.name for nic in host.compute_nics] == ["mlx5_0", "mlx5_1"]


def test_a_login_is_the_entry_over_the_defaults(pod: Inventory) -> None:
    assert pod.host("gpu001").login == Login(
        address="gpu001.pod3.example.net",
        port=2222,
        user="ops",
        identity_file="~/.ssh/id_ed25519",
        jump=("bastion1",),
        become="sudo",
    )
    straight = pod.host("cpu8").login
    assert (straight.address, straight.become) == ("192.0.2.108", None)
    assert straight.jump == ("ops@bastion2:2022", "192.0.2.1")


def test_passwords_are_references_and_print_as_such(pod: Inventory) -> None:
    leaf, _, spine = pod.switches
    assert leaf.login.password == Secret("env", "SWITCH_PASSWORD")
    assert repr(leaf.login.password) == "Secret(env: SWITCH_PASSWORD)"
    assert spine.login.password == Secret("keyring", "pod3")
    assert (leaf.login.address, spine.login.user) == ("leaf01", "admin")


def test_traffic_is_in_base_units(pod: Inventory) -> None:
    assert pod.traffic == Traffic(
        mode="sample:3",
        tools=("ib_write_bw",),
        memory=("host", "gpu"),
        size_bytes=8 * 1024 * 1024,
        qps=4,
        duration_s=1.5,
        traffic_class=106,
    )


def test_traffic_goes_over_defaults_and_leaves_what_it_does_not_say() -> None:
    over = Traffic(mode="smoke", qps=0).over(Traffic(mode="tournament", qps=4, size_bytes=65536))
    assert over == Traffic(mode="smoke", qps=0, size_bytes=65536)


def test_the_least_a_file_must_say(tmp_path: Path) -> None:
    least = loaded(tmp_path, "hosts: [{name: gpu1}]")
    assert (least.fabric, least.policy, least.wiring) == ("pod", "roce-lossless", "free")
    assert least.host("gpu1").login == Login(address="gpu1")
    assert least.traffic == Traffic()


def test_a_switch_only_inventory_is_one(tmp_path: Path) -> None:
    only = loaded(tmp_path, "defaults: {switches: {platform: sonic}}\nswitches: [{name: leaf1}]")
    assert (only.hosts, only.switches[0].platform) == ((), "sonic")


def test_a_simulated_pod_stands_for_targets(tmp_path: Path) -> None:
    pod = loaded(tmp_path, "simulated: {pod: clos-8x2, seed: 7, faults: [nic-pfc-off@gpu3]}")
    assert pod.simulated == Simulated(pod="clos-8x2", seed=7, faults=("nic-pfc-off@gpu3",))
    assert pod.targets == ()


def test_a_shipped_model_needs_no_definition(tmp_path: Path) -> None:
    host = loaded(tmp_path, "hosts: [{name: gpu1, model: hgx-h100}]").host("gpu1")
    assert (host.gpus, host.nvlinks, len(host.compute_nics)) == (8, 18, 8)
    assert {nic.speed_bps for nic in host.nics} == {400 * 10**9}
    assert [nic.rail for nic in host.nics] == list(range(8))


def test_an_inventory_replaces_a_shipped_model(tmp_path: Path) -> None:
    text = "models: {hgx-h100: {gpus: 4}}\nhosts: [{name: gpu1, model: hgx-h100}]"
    host = loaded(tmp_path, text).host("gpu1")
    assert (host.gpus, host.nics) == (4, ())


def test_devices_rename_the_compute_nics_of_a_model(tmp_path: Path) -> None:
    text = "hosts: [{name: gpu1, model: l40s-pcie, devices: [bnxt_re0, bnxt_re1, bnxt_re2, bnxt_re3], gpus: 4}]"
    host = loaded(tmp_path, text).host("gpu1")
    assert [nic.device for nic in host.nics] == ["bnxt_re0", "bnxt_re1", "bnxt_re2", "bnxt_re3"]
    assert (host.gpus, host.nics[3].rail, host.nics[3].speed_bps) == (4, 3, 200 * 10**9)


def test_rails_that_nobody_numbers_are_numbered_in_order(tmp_path: Path) -> None:
    nics = "[{device: mlx5_0}, {netdev: eno1, role: storage}, {device: mlx5_1}]"
    host = loaded(tmp_path, f"hosts: [{{name: gpu1, nics: {nics}}}]").host("gpu1")
    assert [nic.rail for nic in host.nics] == [0, None, 1]


def test_ports_of_one_rail_differ_by_plane_or_bond(tmp_path: Path) -> None:
    planes = "[{rail: 0, plane: 0, device: mlx5_0}, {rail: 0, plane: 1, device: mlx5_1}]"
    bonded = "[{rail: 0, bond: bond0, netdev: eth0}, {rail: 0, bond: bond0, netdev: eth1}]"
    for nics in (planes, bonded):
        assert len(loaded(tmp_path, f"hosts: [{{name: gpu1, nics: {nics}}}]").host("gpu1").nics) == 2


def test_a_cable_plan_may_be_a_csv_file_beside_the_inventory(tmp_path: Path) -> None:
    plan = "a_target, a_port, b_target, b_port, length_m\n# rack 1\nleaf1,1,gpu1,mlx5_0,2.5\nleaf1,2,gpu2,mlx5_0,\n"
    (tmp_path / "plan.csv").write_text(plan, encoding="utf-8")
    pod = loaded(tmp_path, "hosts: [{name: gpu1}]\ncables: plan.csv")
    assert pod.cables == (
        Cable(a_target="leaf1", a_port="1", b_target="gpu1", b_port="mlx5_0", length_m=2.5),
        Cable(a_target="leaf1", a_port="2", b_target="gpu2", b_port="mlx5_0"),
    )


def test_anchors_repeat_what_they_name(tmp_path: Path) -> None:
    text = "hosts:\n- {name: gpu1, nics: &nics [{device: mlx5_0}]}\n- {name: gpu2, nics: *nics}"
    pod = loaded(tmp_path, text)
    assert pod.host("gpu1").nics == pod.host("gpu2").nics


def test_aliases_that_multiply_are_cut_short(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 9)]
    with pytest.raises(InventoryError, match="more than 1,000,000"):
        loaded(tmp_path, "\n".join(rows))


def test_policies_are_known_only_where_they_are_given(tmp_path: Path) -> None:
    assert loaded(tmp_path, "policy: ours\nhosts: [{name: gpu1}]").policy == "ours"
    path = tmp_path / "pod.yaml"
    path.write_text("policy: ../ours.yaml\nhosts: [{name: gpu1}]", encoding="utf-8")
    assert load_inventory(path, platforms=(), policies=("roce-lossless",)).policy == "../ours.yaml"
