"""Makes a screenshot's PNG file smaller: fewer shades, no transparency, and rows that are packed as they are.

Source: https://www.w3.org/TR/png-3/ (chunks; 9.2, the types of filters)
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_RGBA, _RGB = 6, 2
_SAMPLES = {_RGBA: 4, _RGB: 3}
"""Of each pixel."""
_SHADES = bytes(min(255, round(level / 8) * 8) for level in range(256))
"""Thirty-three of each colour: the edges of letters have many that nobody tells apart."""


def smaller(png: bytes) -> bytes:
    """Return an RGB or RGBA picture with 8 bits a sample, not interlaced, as RGB; what is transparent in it is lost."""
    chunks = list(_chunks(png))
    width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", chunks[0][1])
    if (depth, interlaced) != (8, 0) or kind not in _SAMPLES:
        raise ValueError(f"depth {depth}, colour type {kind}, interlacing {interlaced}")
    packed = b"".join(data for name, data in chunks if name == b"IDAT")
    rows = bytearray()
    samples = _SAMPLES[kind]
    for row in _rows(zlib.decompress(packed), samples * width, height, samples):
        opaque = bytearray(3 * width)
        for colour in range(3):
            opaque[colour::3] = row[colour::samples]
        rows += b"\0" + opaque.translate(_SHADES)
    head = struct.pack(">IIBBBBB", width, height, 8, _RGB, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in parts
    )


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    start = len(_SIGNATURE)
    while start < len(png):
        (size,) = struct.unpack_from(">I", png, start)
        yield png[start + 4 : start + 8], png[start + 8 : start + 8 + size]
        start += size + 12


def _rows(packed: bytes, size: int, height: int, samples: int) -> Iterator[bytes]:
    above = bytes(size)
    for start in range(0, height * (size + 1), size + 1):
        row = bytearray(packed[start + 1 : start + 1 + size])
        _unfilter(packed[start], row, above, samples)
        above = bytes(row)
        yield above


def _unfilter(kind: int, row: bytearray, above: bytes, samples: int) -> None:
    if kind == 0:
        return
    corner = left = [0] * samples
    for at in range(0, len(row), samples):
        up = above[at : at + samples]
        guesses = left if kind == 1 else up if kind == 2 else map(_GUESSES[kind], left, up, corner)
        row[at : at + samples] = left = [
            (sample + guess) & 255 for sample, guess in zip(row[at : at + samples], guesses, strict=True)
        ]
        corner = list(up)


def _average(left: int, up: int, corner: int) -> int:
    return (left + up) // 2


def _paeth(left: int, up: int, corner: int) -> int:
    near = left + up - corner
    return min((left, up, corner), key=lambda each: abs(near - each))


_GUESSES = {3: _average, 4: _paeth}
