"""Whatever a file holds, it is an inventory or a list of faults; nothing else comes of it."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric_audit.errors import InventoryError
from fabric_audit.inventory.load import load_inventory
from tests.inventory.test_load import PLATFORMS, POD

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
KEYS = [
    "fabric",
    "policy",
    "wiring",
    "defaults",
    "models",
    "hosts",
    "switches",
    "cables",
    "traffic",
    "tools",
    "simulated",
    "name",
    "address",
    "nics",
]
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(KEYS)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
)


def read(folder: Path, text: str) -> None:
    path = folder / "pod.yaml"
    path.write_text(text, encoding="utf-8", newline="")
    try:
        load_inventory(path, platforms=PLATFORMS)
    except InventoryError as error:
        faults = error.faults
        message = str(error)
    else:
        return
    assert faults
    assert all(fault.line > 0 and fault.column > 0 and fault.problem and fault.remedy for fault in faults)
    assert message.count("\n") == len(faults) - 1


@relaxed
@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
    | st.text(":-[]{}&*!|>'\"%@`\t\n #,?ab1", max_size=30)
)
def test_any_text(tmp_path: Path, text: str) -> None:
    read(tmp_path, text)


@relaxed
@given(values)
def test_any_values_in_the_place_of_others(tmp_path: Path, value: object) -> None:
    text = repr(value).replace("None", "null").replace("True", "true").replace("False", "false")
    read(tmp_path, text)


@relaxed
@given(st.integers(0, len(POD)), st.integers(0, 12), st.text("\t\n {}[]:-'\"x9", max_size=3))
def test_a_good_file_with_a_slip_of_the_hand(tmp_path: Path, start: int, cut: int, typed: str) -> None:
    read(tmp_path, POD[:start] + typed + POD[start + cut :])
