"""Write the expected messages of the bad files beside them; read what it writes before committing it."""

from fabric_audit.errors import InventoryError
from tests.inventory.test_faults import FAULTS, load

if __name__ == "__main__":
    for bad in sorted(FAULTS.glob("*.yaml")):
        try:
            load(bad.name)
        except InventoryError as error:
            bad.with_suffix(".txt").write_text(f"{error}\n", encoding="utf-8")
