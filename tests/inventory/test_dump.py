"""A dumped inventory loads back as the same inventory."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric_audit.inventory.dump import dump_inventory
from fabric_audit.inventory.load import load_inventory
from fabric_audit.inventory.model import Cable, Host, Inventory, Login, Nic, Secret, Simulated, Switch, Traffic
from tests.inventory.test_load import PLATFORMS, POD, loaded


def reloaded(folder: Path, inventory: Inventory) -> Inventory:
    path = folder / "dumped.yaml"
    path.write_text(dump_inventory(inventory), encoding="utf-8")
    return load_inventory(path, platforms=PLATFORMS)


def test_a_loaded_inventory_survives(tmp_path: Path) -> None:
    pod = loaded(tmp_path, POD)
    assert reloaded(tmp_path, pod) == pod


def test_a_simulated_one_survives(tmp_path: Path) -> None:
    pod = Inventory(fabric="demo", simulated=Simulated(pod="clos-8x2", seed=3, faults=("mtu@leaf1", "loss:0.01@gpu2")))
    assert reloaded(tmp_path, pod) == pod


def test_targets_that_differ_by_name_alone_are_folded() -> None:
    hosts = tuple(Host(name=f"gpu{n:04}", login=Login(address=f"gpu{n:04}.example.net")) for n in range(1, 1025))
    text = dump_inventory(Inventory(fabric="large", hosts=hosts))
    assert '- {name: "gpu[0001-1024]", address: "{name}.example.net", nics: []}' in text


def test_the_order_of_targets_is_kept_where_a_node_set_would_lose_it(tmp_path: Path) -> None:
    hosts = tuple(Host(name=name, login=Login(address=name)) for name in ("b", "a10", "a9"))
    pod = Inventory(fabric="odd", hosts=hosts)
    assert reloaded(tmp_path, pod) == pod


def test_a_host_unlike_its_model_is_written_out(tmp_path: Path) -> None:
    nic = Nic(rail=0, device="mlx5_0", speed_bps=400 * 10**9)
    alike = Host(name="a", login=Login(address="a"), model="twin", gpus=8, nvlinks=18, nics=(nic,))
    unlike = Host(name="b", login=Login(address="b"), model="twin", nics=())
    pod = Inventory(fabric="mixed", hosts=(alike, unlike))
    assert reloaded(tmp_path, pod) == pod


words = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._]{0,6}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1, max_size=8)
names = st.from_regex(r"[a-z][a-z0-9]{0,4}", fullmatch=True)
maybe = st.none()
secrets = st.one_of(
    st.builds(Secret, st.just("env"), st.from_regex(r"[A-Z_][A-Z0-9_]{0,6}", fullmatch=True)),
    st.builds(Secret, st.sampled_from(["keyring", "prompt"]), texts),
)
logins = st.builds(
    Login,
    address=st.one_of(names, st.ip_addresses().map(str)),
    port=maybe | st.integers(1, 65535),
    user=maybe | words,
    identity_file=maybe | texts,
    known_hosts=maybe | texts,
    password=maybe | secrets,
    jump=st.lists(words, max_size=2).map(tuple),
    become=maybe | st.just("sudo"),
)
speeds = maybe | st.sampled_from([25 * 10**8, 400 * 10**9, 1600 * 10**9]) | st.integers(1, 10**9 - 1)
nics = st.integers(0, 4).flatmap(
    lambda size: st.tuples(
        *(
            st.builds(
                Nic,
                rail=st.just(n),
                device=st.just(f"mlx5_{n}"),
                netdev=maybe | st.just(f"eth{n}"),
                speed_bps=speeds,
                role=st.sampled_from(["compute", "storage", "management"]),
                pci=maybe | st.just(f"0000:0{n}:00.0"),
                plane=maybe | st.integers(0, 3),
                bond=maybe | words,
                qos_owner=st.sampled_from(["host", "dpu"]),
            )
            for n in range(size)
        )
    )
)
hosts = st.builds(
    Host,
    name=names,
    login=logins,
    model=maybe | texts,
    gpus=maybe | st.integers(0, 16),
    nvlinks=maybe | st.integers(0, 18),
    nics=nics,
    unit=maybe | texts,
)
switches = st.builds(
    Switch,
    name=names,
    login=logins,
    platform=st.sampled_from(PLATFORMS),
    role=maybe | words,
    unit=maybe | texts,
)
traffic = st.builds(
    Traffic,
    mode=maybe | st.sampled_from(["none", "adaptive", "sample:2", "soak:2h"]),
    tools=maybe | st.lists(st.sampled_from(["ib_write_bw", "ib_read_lat"]), min_size=1, max_size=2).map(tuple),
    memory=maybe | st.lists(st.sampled_from(["host", "gpu_host"]), min_size=1, max_size=2).map(tuple),
    size_bytes=maybe | st.integers(1, 2**31),
    qps=maybe | st.integers(1, 16384),
    duration_s=maybe | st.integers(1, 6 * 10**8).map(lambda ms: ms / 1000),
    traffic_class=maybe | st.integers(0, 255),
    rails=maybe | st.sampled_from(["parallel", "serial"]),
)
targets = st.lists(hosts | switches, min_size=1, max_size=6, unique_by=(lambda t: t.name, lambda t: t.login.address))
cables = st.lists(names, unique=True, max_size=4).map(
    lambda ports: tuple(
        Cable(a_target="leaf1", a_port=port, b_target="spine1", b_port=port, length_m=len(port) / 3) for port in ports
    )
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
@given(
    fabric=texts,
    policy=words,
    wiring=st.sampled_from(["rail", "rack", "dual-tor", "dual-plane", "free"]),
    everything=targets,
    planned=cables,
    load=traffic,
    tools=st.dictionaries(words, texts.map("/{}".format), max_size=2),
)
def test_any_inventory_survives(  # noqa: PLR0913 - one strategy for each field of an inventory
    tmp_path: Path,
    *,
    fabric: str,
    policy: str,
    wiring: str,
    everything: list[Host | Switch],
    planned: tuple[Cable, ...],
    load: Traffic,
    tools: dict[str, str],
) -> None:
    inventory = Inventory(
        fabric=fabric,
        policy=policy,
        wiring=wiring,  # type: ignore[arg-type]  # sampled from the five
        hosts=tuple(target for target in everything if isinstance(target, Host)),
        switches=tuple(target for target in everything if isinstance(target, Switch)),
        cables=planned,
        traffic=load,
        tools=tools,
    )
    assert reloaded(tmp_path, inventory) == inventory


@pytest.mark.parametrize("kind", ["env", "keyring", "prompt"])
def test_a_reference_stays_a_reference(tmp_path: Path, kind: str) -> None:
    pod = loaded(tmp_path, f"hosts: [{{name: gpu1, password: {{{kind}: NAME}}}}]")
    assert f'password: {{{kind}: "NAME"}}' in dump_inventory(pod)
