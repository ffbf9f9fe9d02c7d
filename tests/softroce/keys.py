"""SSH keys of one lab: one for the user who logs in, one per sshd, all of them new at every start."""

from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat


@dataclass(frozen=True)
class KeyPair:
    """An Ed25519 key as OpenSSH stores it: the private file's text and the public line without a comment."""

    private: str
    public: str


def new_key() -> KeyPair:
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption())
    public = key.public_key().public_bytes(Encoding.OpenSSH, PublicFormat.OpenSSH)
    return KeyPair(private.decode("ascii"), public.decode("ascii"))


def known_host(address: str, port: int, key: KeyPair) -> str:
    """A line of known_hosts: ``[address]:port`` wherever the port is not 22 (sshd(8), SSH_KNOWN_HOSTS)."""
    return f"{address if port == 22 else f'[{address}]:{port}'} {key.public}\n"
