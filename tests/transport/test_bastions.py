"""Jump hosts: logged in to once and shared, their own host keys checked, their own failures named as theirs."""

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from fabric_audit.errors import HostKeyError, LoginError, TransportError, UnreachableError
from fabric_audit.transport.host_ssh import HostSsh
from tests.transport.conftest import QUICK, Bench
from tests.transport.sshd import LOOPBACK, Sshd

pytestmark = pytest.mark.ssh


def config(bench: Bench) -> str:
    """What ssh_config says of bastions: inventories name no keys for them."""
    return f"Host *\n  IdentityFile {bench.key_file}\n  UserKnownHostsFile {bench.folder}/known_hosts\n"


def says(transport: HostSsh, bench: Bench, target: Sshd, *bastions: Sshd) -> bytes:
    jumps = tuple(f"ops@{LOOPBACK}:{one.port}" for one in bastions)
    with closing(transport.open(bench.host(target.port, jump=jumps))) as session:
        return session.ask("echo in\n", deadline_s=10).stdout


def test_one_connection_to_the_bastion_serves_all_targets(bench: Bench) -> None:
    bastion, *targets = bench.serve(forwards=True), bench.serve(), bench.serve(), bench.serve()
    bench.known(bastion, *targets)
    transport = bench.ssh(config=config(bench))
    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(lambda target: says(transport, bench, target, bastion), targets)) == [b"in\n"] * 3
    assert len(bastion.connections) == 1


def test_two_bastions_in_a_row(bench: Bench) -> None:
    near, far, target = bench.serve(forwards=True), bench.serve(forwards=True), bench.serve()
    bench.known(near, far, target)
    assert says(bench.ssh(config=config(bench)), bench, target, near, far) == b"in\n"
    assert (len(near.connections), len(far.connections), len(target.connections)) == (1, 1, 1)


def test_an_unknown_bastion_is_refused(bench: Bench) -> None:
    bastion, target = bench.serve(forwards=True), bench.serve()
    bench.known(target)
    with pytest.raises(HostKeyError, match=rf"^bastion 127\.0\.0\.1: host key of .*:{bastion.port} is unknown"):
        says(bench.ssh(QUICK, config=config(bench)), bench, target, bastion)


def test_a_bastion_that_refuses_the_login_is_asked_once_for_all_targets(bench: Bench) -> None:
    bastion, target = bench.serve(forwards=True, key=b"ssh-ed25519 another\n"), bench.serve()
    bench.known(bastion, target)
    transport = bench.ssh(QUICK, config=config(bench))
    for _ in range(3):
        with pytest.raises(LoginError, match=r"^bastion 127\.0\.0\.1: ops@127\.0\.0\.1: login refused"):
            says(transport, bench, target, bastion)
    assert len(bastion.connections) == 1


def test_a_target_behind_a_bastion_that_does_not_answer(bench: Bench) -> None:
    bastion, target = bench.serve(forwards=True), bench.serve()
    bench.known(bastion, target)
    bench.loop.call(target.close)
    with pytest.raises(UnreachableError, match=rf":{target.port} not reached through 127\.0\.0\.1"):
        says(bench.ssh(QUICK, config=config(bench)), bench, target, bastion)


def test_a_bastion_that_forbids_forwarding_is_named(bench: Bench) -> None:
    bastion, target = bench.serve(), bench.serve()
    bench.known(bastion, target)
    with pytest.raises(UnreachableError) as caught:
        says(bench.ssh(QUICK, config=config(bench)), bench, target, bastion)
    assert "AllowTcpForwarding" in caught.value.remedy


def test_a_bastion_that_was_lost_is_dialled_again(bench: Bench) -> None:
    bastion, target = bench.serve(forwards=True), bench.serve()
    bench.known(bastion, target)
    transport = bench.ssh(config=config(bench))
    assert says(transport, bench, target, bastion) == b"in\n"
    bench.loop.call(bastion.connections[0].abort)
    bench.loop.run(bastion.connections[0].wait_closed())
    assert says(transport, bench, target, bastion) == b"in\n"
    assert len(bastion.connections) == 2


def test_a_proxy_command_leads_to_the_target(bench: Bench) -> None:
    target = bench.serve()
    bench.known(target)
    relay = bench.folder / "relay.py"
    relay.write_text(RELAY, "utf-8")
    command = f"ProxyCommand {sys.executable} {relay} %h %p\n"
    assert says(bench.ssh(config=config(bench) + command), bench, target) == b"in\n"


def test_a_proxy_command_that_fails_is_no_silence(bench: Bench) -> None:
    target = bench.serve()
    bench.known(target)
    with pytest.raises(TransportError, match="closed the connection before login"):
        says(bench.ssh(QUICK, config=config(bench) + "ProxyCommand false\n"), bench, target)


RELAY = """
import os, socket, sys, threading
there = socket.create_connection((sys.argv[1], int(sys.argv[2])))
def back():
    while data := there.recv(65536):
        os.write(1, data)
threading.Thread(target=back, daemon=True).start()
while data := os.read(0, 65536):
    there.sendall(data)
"""
