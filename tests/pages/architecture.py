"""The picture of the rooms, made from the imports: an arrow where one room uses another, but for what follows from others."""

from __future__ import annotations

from tests.test_architecture import ROOMS, all_imports, room


def uses() -> dict[str, set[str]]:
    """Return the rooms that each room uses."""
    found: dict[str, set[str]] = {name: set() for name in ROOMS}
    for module, used in all_imports().items():
        if room(module) in found:
            found[room(module)] |= {room(name) for name in used if name.startswith("npu_lsp.")} & set(ROOMS)
    return {name: others - {name} for name, others in found.items()}


def picture() -> str:
    """Return the picture as a Mermaid block."""
    direct = uses()
    lines = ["```mermaid", "flowchart BT"]
    lines += [f'    {name}_["{name}"]' for name in ROOMS]
    for name in ROOMS:
        others = direct[name]
        lines += [
            f"    {other}_ --> {name}_" for other in ROOMS if other in others and not _over(others, other, direct)
        ]
    return "\n".join([*lines, "```"]) + "\n"


def _over(others: set[str], wanted: str, direct: dict[str, set[str]]) -> bool:
    """Return whether one of `others` uses `wanted` itself."""
    return any(wanted in direct[other] for other in others)
