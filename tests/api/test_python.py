"""The Python API: what ``import fabric_audit`` gives, what it costs, and the example that users start from."""

import inspect
import os
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import assert_type

import pytest

import fabric_audit
from fabric_audit.errors import UsageError
from fabric_audit.inventory.model import Inventory
from fabric_audit.plan.model import Plan
from tests.simulated import NO_TRAFFIC, collected

ROOT = Path(__file__).parents[2]
HEAVY = ("pandas", "numpy", "paramiko", "netmiko", "asyncssh", "bokeh", "jinja2", "pydantic", "ruamel", "rich", "click")


def python(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "FABRIC_AUDIT_SIM_SCALE": "0.002"},
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_an_import_loads_nothing_but_the_package() -> None:
    code = "import sys, fabric_audit; print(sorted(m for m in sys.modules if m.split('.')[0] in {words} + ['{us}']))"
    assert python("-c", code.format(words=list(HEAVY), us="fabric_audit")) == "['fabric_audit']\n"


@pytest.mark.parametrize("name", fabric_audit.__all__)
def test_every_name_is_a_function_with_a_manual_and_types(name: str) -> None:
    function = getattr(fabric_audit, name)
    assert name in dir(fabric_audit)
    manual = inspect.getdoc(function) or ""
    assert "Raises:" in manual
    described = inspect.signature(function)
    assert described.return_annotation is not inspect.Signature.empty
    assert all(one.annotation is not inspect.Parameter.empty for one in described.parameters.values())


def test_an_unknown_name_is_an_ordinary_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'load_inventroy'"):
        fabric_audit.load_inventroy  # noqa: B018 - the look-up is the test


def test_type_checkers_see_the_functions() -> None:
    """Checked where this file is type-checked; at run time it only has to hold that there is the marker."""
    inventory = fabric_audit.load_inventory(ROOT / "inventories" / "demo.yaml")
    assert_type(inventory, Inventory)
    assert_type(fabric_audit.build_plan(inventory, traffic="none"), Plan)
    assert Path(fabric_audit.__file__).with_name("py.typed").exists()


def test_a_plan_takes_words_and_refuses_those_that_mean_nothing() -> None:
    inventory = fabric_audit.load_inventory(ROOT / "inventories" / "example.yaml")
    plan = fabric_audit.build_plan(inventory, select=("pfc",), traffic="none", limit="gpu001,leaf[01-02]")
    assert [target.target for target in plan.targets] == ["gpu001", "leaf01", "leaf02"]
    assert plan.traffic is None
    assert plan.policy is not None
    assert plan.policy.name == "roce-lossless"
    with pytest.raises(UsageError, match="no check or family is called 'pfcc'; did you mean 'pfc'"):
        fabric_audit.build_plan(inventory, ignore=("pfcc",))
    with pytest.raises(UsageError, match=r"is called 'pfc.nothing'; did you mean 'pfc.not-negotiated'"):
        fabric_audit.build_plan(inventory, select=("pfc.nothing",))
    with pytest.raises(UsageError, match=r"nowhere\.yaml: no such inventory"):
        fabric_audit.load_inventory("nowhere.yaml")


def test_a_capture_is_judged_and_rendered_with_and_without_its_lines(tmp_path: Path) -> None:
    collected(tmp_path, "clos-2x2", "ecn-off@leaf01", traffic=NO_TRAFFIC)
    audit = fabric_audit.audit_capture(tmp_path, select=("ecn",), as_of=date(2030, 1, 1))
    assert {result.check.split(".")[0] for result in audit.results} == {"ecn"}
    assert audit.as_of == "2030-01-01"
    assert fabric_audit.render(audit, "json").startswith(b"{")
    page, bare = (fabric_audit.render(audit, capture=given).decode() for given in (tmp_path, None))
    assert "the report was made without its capture" in bare
    assert "the report was made without its capture" not in page
    with pytest.raises(UsageError, match="no report format is called 'pdf'"):
        fabric_audit.render(audit, "pdf")


@pytest.mark.ssh
def test_the_example_makes_a_frame_of_pair_results(tmp_path: Path) -> None:
    small = "fabric: small\nwiring: rail\nsimulated: {pod: clos-2x2, seed: 1, faults: [slow-nic:0.5@gpu002/rail0]}\n"
    (tmp_path / "small.yaml").write_text(small + "traffic: {tools: [ib_write_bw], memory: [host]}\n", "utf-8")
    code = (ROOT / "examples" / "pair_results.py").read_text("utf-8")
    told = code.replace("inventories/demo.yaml", str(tmp_path / "small.yaml"))
    said = python("-c", told.replace("run_plan(plan)", f"run_plan(plan, {str(tmp_path / 'run')!r})"))
    rows = [line.split() for line in said.splitlines()[1:5]]
    assert {(a, b) for a, b, _, _ in rows} == {("gpu001", "gpu002"), ("gpu002", "gpu001")}, said
    assert [rail for _, _, rail, _ in rows] == ["0", "0", "1", "1"], "the slow NIC is on rail 0"
    assert 0.0 < float(rows[0][3]) < 0.6 * float(rows[3][3])
