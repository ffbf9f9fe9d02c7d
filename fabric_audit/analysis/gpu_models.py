"""How the GPUs of each model are wired to each other when nothing is broken."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Wiring(StrEnum):
    """The shape of NVLink between the GPUs of a host."""

    MESH = "mesh"
    """Every GPU reaches every other with the same number of links, by NVSwitch or directly."""
    CUBE = "cube"
    """Links are shared out among some of the other GPUs; every GPU has the same number in all."""
    BRIDGE = "bridge"
    """PCIe cards, some of them joined in pairs by bridges."""
    NONE = "none"
    """No NVLink."""


@dataclass(frozen=True, slots=True)
class Model:
    """What is known of a GPU model.

    Attributes:
        pattern: matches its product name.
        wiring: shape of its NVLink.
        links: NVLinks of one GPU that a healthy pair (mesh, bridge) or a GPU in all (cube) may show, the usual first.
        few: the same where four GPUs or fewer share a board without NVSwitch.
        grace: the CPU is attached by C2C, and NICs hang off the CPU: a GPU-NIC distance of SYS is normal.
        gdr_read: the NIC reads GPU memory by default without an NVLink peer (compute capability 8.0 and later).
    """

    pattern: str
    wiring: Wiring
    links: tuple[int, ...] = ()
    few: tuple[int, ...] = ()
    grace: bool = False
    gdr_read: bool = True


# Links of one GPU: NVIDIA data sheets and architecture white papers of each model; boards of four: HGX A100 4-GPU
# and HGX H100 4-GPU, where 12 and 18 links are shared out among three peers. A800, H800: links reduced to 8. V100-SXM3:
# virtual machines with a part of an HGX-2 get five of six links (Fabric Manager User Guide, "GPU Partitions").
# First match wins, so that names of cards stand before names they contain.
MODELS = (
    Model(r"GB[23]00", Wiring.MESH, (18,), grace=True),
    Model(r"GH200", Wiring.MESH, (18,), (18, 6), grace=True),
    Model(r"GB10\b", Wiring.NONE),
    Model(r"B[23]00", Wiring.MESH, (18,), (18, 6)),
    Model(r"H200 NVL", Wiring.BRIDGE, (18, 6)),
    Model(r"H[12]00 NVL|H100 PCIe|H100 80GB HBM2e", Wiring.BRIDGE, (12,)),
    Model(r"H800 PCIe", Wiring.BRIDGE, (8,)),
    Model(r"H800", Wiring.MESH, (8,), (8,)),
    Model(r"H20\b", Wiring.MESH, (18,), (18, 6)),
    Model(r"H[12]00", Wiring.MESH, (18,), (18, 6)),
    Model(r"A100.*PCIe?|PG509|A100X", Wiring.BRIDGE, (12,)),
    Model(r"A800.*PCIe", Wiring.BRIDGE, (8,)),
    Model(r"A800", Wiring.MESH, (8,), (8,)),
    Model(r"A100", Wiring.MESH, (12,), (12, 4)),
    Model(r"A30\b|A40\b|RTX A[56]", Wiring.BRIDGE, (4,)),
    Model(r"V100-SXM3", Wiring.MESH, (6, 5), (6, 5), gdr_read=False),
    Model(r"V100-SXM2", Wiring.CUBE, (6, 4, 3), gdr_read=False),
    Model(r"V100|GV100", Wiring.NONE, gdr_read=False),
    Model(r"P100-SXM2", Wiring.CUBE, (4,), gdr_read=False),
    Model(r"P100|P4\b|P40|K80|M60|T4\b|TITAN|GTX", Wiring.NONE, gdr_read=False),
    Model(r"RTX 20[78]0|Quadro RTX|TITAN RTX", Wiring.BRIDGE, (2, 1), gdr_read=False),
    Model(r"RTX 3090", Wiring.BRIDGE, (4,)),
    Model(r"L4\b|L40S?\b|L20\b|L2\b|A10\b|A16\b|A2\b|RTX (?:6000|5000) Ada|RTX [345]0|RTX PRO|RTX 4000", Wiring.NONE),
)

# GPU → GPU → links of a DGX-1 with V100 (hybrid cube mesh). Source: NVIDIA DGX-1 With Tesla V100 System Architecture.
DGX_1V = {
    0: {1: 1, 2: 1, 3: 2, 4: 2},
    1: {0: 1, 2: 2, 3: 1, 5: 2},
    2: {0: 1, 1: 2, 3: 2, 6: 1},
    3: {0: 2, 1: 1, 2: 2, 7: 1},
    4: {0: 2, 5: 1, 6: 1, 7: 2},
    5: {1: 2, 4: 1, 6: 2, 7: 1},
    6: {2: 1, 4: 1, 5: 2, 7: 2},
    7: {3: 1, 4: 2, 5: 1, 6: 2},
}


def model_of(name: str | None) -> Model | None:
    """What is known of a product name; None for a name that no entry matches."""
    return next((model for model in MODELS if name and re.search(model.pattern, name, re.IGNORECASE)), None)


def healthy_links(model: Model, gpus: int) -> tuple[int, ...]:
    """Links that a healthy pair of a mesh may show on a board with so many GPUs, the usual first."""
    return model.few if model.few and gpus <= 4 else model.links  # noqa: PLR2004 - boards without NVSwitch hold four
