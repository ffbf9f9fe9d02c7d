"""The frame of the page: where its templates lie, and the policy that admits its scripts and nothing else."""

import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from fabric_audit.errors import FabricAuditError
from fabric_audit.report.page import PACKAGE, Script, content_security_policy, template_folder

TEMPLATE = "report.html.j2"


def installed(package: Path) -> Path:
    """A package with templates in it, as in a wheel."""
    (package / "templates").mkdir(parents=True)
    (package / "templates" / TEMPLATE).touch()
    return package


def test_templates_of_the_wheel_come_first(tmp_path: Path) -> None:
    package = installed(tmp_path / "fabric_audit" / "report")
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / TEMPLATE).touch()
    assert template_folder(package) == package / "templates"


def test_a_checkout_has_them_at_its_root(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / TEMPLATE).touch()
    assert template_folder(tmp_path / "fabric_audit" / "report") == tmp_path / "templates"


def test_without_either_the_remedy_is_named(tmp_path: Path) -> None:
    with pytest.raises(FabricAuditError, match="install fabric-audit again"):
        template_folder(tmp_path / "fabric_audit" / "report")


def test_this_one_has_templates() -> None:
    assert (template_folder(PACKAGE) / "report" / "style.css").is_file()


def test_the_policy_admits_scripts_by_digest_and_nothing_by_kind() -> None:
    policy = content_security_policy([Script("a()"), Script("b()")], blobs=False)
    digest = b64encode(sha256(b"a()").digest()).decode()
    assert f"'sha256-{digest}'" in policy
    assert re.search(r"script-src [^;]*(unsafe|https?:|data:|blob:|\*)", policy) is None
    assert policy.startswith("default-src 'none'; ")
    assert "blob:" in content_security_policy([], blobs=True).split("style-src")[0]
    assert "script-src 'none'" in content_security_policy([], blobs=False)
