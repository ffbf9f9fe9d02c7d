"""Whatever a file holds, it is a policy or a list of faults; nothing else comes of it."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabric_audit.errors import PolicyError
from fabric_audit.policy.load import load_policy
from tests.policy.texts import BASE

relaxed = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
KEYS = ("design", "checks", "waivers", "overrides", "match", "severities", "traffic", "value", "source", "roce_dscp")
CHARACTERS = st.characters(exclude_categories=["Cs"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=6) | st.sampled_from(KEYS)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
)


def read(folder: Path, text: str) -> None:
    (folder / "policy.yaml").write_text(text, encoding="utf-8", newline="")
    try:
        load_policy("policy.yaml", base=folder, checks=("pfc.watchdog",))
    except PolicyError as error:
        faults = error.faults
    else:
        return
    assert faults
    assert all(fault.line > 0 and fault.column > 0 and fault.problem and fault.remedy for fault in faults)


@relaxed
@given(st.text(CHARACTERS, max_size=60))
def test_any_text(tmp_path: Path, text: str) -> None:
    read(tmp_path, text)


@relaxed
@given(values)
def test_any_values_in_the_place_of_others(tmp_path: Path, value: object) -> None:
    text = repr(value).replace("None", "null").replace("True", "true").replace("False", "false")
    read(tmp_path, text)
    read(tmp_path, f"extends: roce-lossless\ndesign: {text}\n")
    read(tmp_path, f"extends: roce-lossless\nchecks: {text}\n")


@relaxed
@given(st.integers(0, len(BASE)), st.integers(0, 12), st.text("\t\n {}[]:-'\"x9", max_size=3))
def test_a_good_file_with_a_slip_of_the_hand(tmp_path: Path, start: int, cut: int, typed: str) -> None:
    read(tmp_path, BASE[:start] + typed + BASE[start + cut :])
