"""Hosts, addresses, shapes, keys and the inventory, without a machine."""

import stat
import tarfile
from pathlib import Path

import pytest

from fabric_audit.inventory.load import load_inventory

from .access import write_access
from .fabric import MESSAGE_BYTES, MTU, SLOWEST_SENDER_MBIT, Fabric, Host, host_commands, switch_commands
from .inventory import inventory_text
from .keys import known_host, new_key
from .lab import Lab
from .machine import Process
from .seed import write_seed
from .shaping import Direction, Shape, healthy_commands, shape_commands

PERFTEST_TIMEOUT_S = 4.096e-6 * 2**14  # perftest's -u 14
PACKETS_IN_QUEUE = 64  # kernel, rxe_param.h: RXE_INFLIGHT_SKBS_PER_QP_HIGH
PACKET_BYTES = 1024 + 58  # path MTU at 1500; Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4

FOUR = Fabric(tuple(Host(number) for number in range(1, 5)))
TWO = Fabric((Host(1, "/bin/tcsh"), Host(2, perftest=False)), rails=2, rate_mbit=30)


def _lab(folder: Path, fabric: Fabric) -> Lab:
    return Lab(folder, fabric, 2222, Process(1, 1))


class TestFabric:
    def test_names_and_addresses_follow_from_the_number(self) -> None:
        host = FOUR.host("node3")
        assert (host.address, host.guest_address, host.rail_address(1)) == ("127.0.1.3", "10.0.2.103", "10.77.1.3")
        assert FOUR.device(0) == "mlx5_0"

    def test_an_unknown_host_is_answered_with_the_known_ones(self) -> None:
        with pytest.raises(KeyError, match="no host node9 here: node1, node2, node3, node4"):
            FOUR.host("node9")

    @pytest.mark.parametrize("numbers", [(1,), tuple(range(1, 18)), (1, 3), (2, 1), (1, 1)])
    def test_hosts_are_two_to_sixteen_and_numbered_in_order(self, numbers: tuple[int, ...]) -> None:
        with pytest.raises(ValueError, match="hosts"):
            Fabric(tuple(Host(number) for number in numbers))

    @pytest.mark.parametrize(("hosts", "share"), [(2, 0.5), (4, 0.5), (8, 0.5), (16, 1)])
    def test_at_the_default_rate_healthy_hosts_have_no_reason_to_retransmit(self, hosts: int, share: float) -> None:
        rate = share * Fabric(tuple(Host(number) for number in range(1, hosts + 1))).rate_mbit
        seconds_per_packet = PACKET_BYTES * 8 / (rate * 1e6)
        assert MESSAGE_BYTES / 1024 * seconds_per_packet < PERFTEST_TIMEOUT_S / 4
        assert rate > SLOWEST_SENDER_MBIT > PACKETS_IN_QUEUE * PACKET_BYTES * 8 / PERFTEST_TIMEOUT_S / 1e6

    def test_every_port_has_its_cable_and_every_interface_its_address(self) -> None:
        switch = "\n".join(switch_commands(TWO))
        for port in ("node1m", "node1r0", "node1r1", "node2m", "node2r0", "node2r1"):
            assert f"link add {port} mtu {MTU} type veth" in switch
        assert [line for line in host_commands(TWO, TWO.hosts[1]) if line.startswith("addr")] == [
            "addr add 10.0.2.102/24 dev eth0",
            "addr add 10.77.0.2/24 dev eth1",
            "addr add 10.77.1.2/24 dev eth2",
        ]


class TestShaping:
    def test_what_a_host_receives_is_shaped_at_the_switch(self) -> None:
        assert shape_commands(Host(2), 0, Direction.RECEIVE, Shape(rate_mbit=30)) == [
            "tc qdisc del dev node2r0 root 2>/dev/null || true",
            "tc qdisc add dev node2r0 root handle 1: tbf rate 30mbit burst 750000 limit 8388608",
        ]

    def test_what_it_sends_is_shaped_at_its_own_port_with_loss_before_the_rate(self) -> None:
        shape = Shape(rate_mbit=12.5, loss_percent=0.1, delay_ms=5)
        assert shape_commands(Host(2), 1, Direction.SEND, shape)[1:] == [
            "tc -n node2 qdisc add dev eth2 root handle 1: netem limit 10000 loss 0.1% delay 5ms",
            "tc -n node2 qdisc add dev eth2 parent 1:1 handle 2: tbf rate 12.5mbit burst 312500 limit 8388608",
        ]

    def test_a_rate_at_which_perftest_would_hang_is_refused(self) -> None:
        with pytest.raises(ValueError, match=r"node2 must not send slower than 8\.5 Mbit/s"):
            shape_commands(Host(2), 0, Direction.SEND, Shape(rate_mbit=5))
        assert shape_commands(Host(2), 0, Direction.RECEIVE, Shape(rate_mbit=5))

    def test_the_empty_shape_only_clears(self) -> None:
        assert len(shape_commands(Host(2), 0, Direction.SEND, Shape())) == 1

    def test_a_healthy_fabric_has_its_rate_at_every_port_both_ways(self) -> None:
        added = [line for line in healthy_commands(TWO) if " add " in line]
        assert len(added) == len(TWO.hosts) * TWO.rails * len(Direction)
        assert all("tbf rate 30mbit" in line for line in added)


class TestSeed:
    def test_it_holds_layout_scripts_and_keys_that_others_cannot_read(self, tmp_path: Path) -> None:
        keys = {name: new_key() for name in ("switch", "node1", "node2")}
        write_seed(tmp_path / "seed.tar", TWO, new_key(), keys)
        with tarfile.open(tmp_path / "seed.tar") as disk:
            modes = {entry.name: entry.mode for entry in disk}

            def text(name: str) -> str:
                file = disk.extractfile(name)
                assert file
                return file.read().decode()

            assert text("hosts") == "node1 mlx5_0 mlx5_1\nnode2 mlx5_0 mlx5_1\n"
            assert text("node1/alter") == "sed -i 's,:/bin/bash$,:/bin/tcsh,' etc/passwd\n"
            assert text("node2/alter").startswith("rm -f usr/bin/ib_*_bw")
            assert text("node2/ssh_host_ed25519_key") == keys["node2"].private
        assert (modes["init"], modes["host"]) == (0o755, 0o755)
        assert {name for name, mode in modes.items() if mode == 0o600} == {
            f"{name}/ssh_host_ed25519_key" for name in keys
        }


class TestAccess:
    def test_known_hosts_are_written_as_openssh_looks_them_up(self) -> None:
        key = new_key()
        assert known_host("127.0.1.1", 2222, key) == f"[127.0.1.1]:2222 {key.public}\n"
        assert known_host("127.0.1.1", 22, key) == f"127.0.1.1 {key.public}\n"

    def test_only_the_owner_reads_the_key(self, tmp_path: Path) -> None:
        keys = {name: new_key() for name in ("switch", "node1", "node2")}
        write_access(tmp_path, TWO, 2222, new_key(), keys)
        assert stat.S_IMODE((tmp_path / "id_ed25519").stat().st_mode) == 0o600
        assert len((tmp_path / "known_hosts").read_text().splitlines()) == len(keys)

    def test_the_inventory_is_one_that_the_audit_reads(self, tmp_path: Path) -> None:
        lab = _lab(tmp_path, TWO)
        path = tmp_path / "inventory.yaml"
        path.write_text(inventory_text(lab, user="audit", duration_s=15), encoding="utf-8")
        inventory = load_inventory(path, platforms=())
        host = inventory.host("node2")
        assert (host.login.address, host.login.port, host.login.user) == ("127.0.1.2", 2222, "audit")
        assert host.login.known_hosts == str(lab.known_hosts)
        assert [(nic.rail, nic.device, nic.speed_bps) for nic in host.nics] == [
            (0, "mlx5_0", 30_000_000),
            (1, "mlx5_1", 30_000_000),
        ]
        assert (inventory.traffic.qps, inventory.traffic.duration_s) == (1, 15)
