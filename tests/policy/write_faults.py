"""Write the expected messages of the bad policies beside them; read what it writes before committing it."""

from fabric_audit.errors import PolicyError
from tests.policy.test_faults import FAULTS, load

if __name__ == "__main__":
    for bad in sorted(FAULTS.glob("*.yaml")):
        try:
            load(bad.name)
        except PolicyError as error:
            bad.with_suffix(".txt").write_text(f"{error}\n", encoding="utf-8")
