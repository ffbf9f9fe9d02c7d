"""Files that people write: plain values that know their lines, and every fault of a file at once."""
