"""Address templates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric_audit.inventory.addresses import AddressError, check_template, render


@pytest.mark.parametrize(
    ("template", "address"),
    [
        ("{name}", "r2-gpu007"),
        ("{name}.example.net", "r2-gpu007.example.net"),
        ("192.0.2.{n}", "192.0.2.7"),
        ("192.0.2.{n+100}", "192.0.2.107"),
        ("192.0.{n1}.{n2-6}", "192.0.2.1"),
        ("oob{n:03}.example.net", "oob007.example.net"),
        ("oob{n:02d}", "oob07"),
        ("10.0.0.{i+1}", "10.0.0.6"),
        ("2001:db8::{n}", "2001:db8::7"),
        ("192.0.2.9", "192.0.2.9"),
    ],
)
def test_fields_are_filled(template: str, address: str) -> None:
    assert check_template(template) == template
    assert render(template, "r2-gpu007", 5) == address


NO_FIELD = ("{nam}", "{0}", "{name.x}", "{name!r}", "{name:3}", "{name+1}", "{n:99999999}", "{", "}", "{}", "{{name}}")
NO_ADDRESS = ("{name}:22", "a b", "-x", "ops@{name}", "x_", "2001:zz::{n}", "http://{name}")


@pytest.mark.parametrize("template", [*NO_FIELD, *NO_ADDRESS])
def test_a_bad_template_is_refused_before_any_name_is_known(template: str) -> None:
    with pytest.raises(AddressError):
        check_template(template)


@pytest.mark.parametrize(("template", "name"), [("{n}", "gpu"), ("{n3}", "r1n2"), ("{n-9}", "gpu7")])
def test_a_template_that_does_not_fit_a_name_is_refused(template: str, name: str) -> None:
    check_template(template)
    with pytest.raises(AddressError):
        render(template, name, 0)


@given(st.text("{}name01+-:d.i ", max_size=20), st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True))
def test_any_template_is_an_address_or_an_error(template: str, name: str) -> None:
    try:
        address = render(check_template(template), name, 3)
    except AddressError:
        return
    assert not set(address) & set("{} +")
