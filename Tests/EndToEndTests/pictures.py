"""Pictures made by hand, and how a client uploads them (OBJ-12)."""

import base64
import ctypes
import hashlib
import http.client
import pathlib
import random
import struct
import zlib

from cairn import PATIENCE

MARK = b"\x89PNG\r\n\x1a\n"

#: 48 x 32 pixels: quarters of red, green, blue and white. Written by libjpeg-turbo.
JPEG = (pathlib.Path(__file__).parent / "worlds" / "quarters.jpg").read_bytes()


def chunk(name, data=b""):
    """A chunk of a PNG."""
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def header(width, height):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))


def png(width=64, height=64, *, seed=0, level=0, before=b"", rows=None):
    """A PNG of random pixels, which do not compress; `before` are chunks in front of its image data."""
    noise = random.Random(seed)
    if rows is None:
        rows = b"".join(b"\0" + noise.randbytes(3 * width) for _ in range(height))
    return MARK + header(width, height) + before + chunk(b"IDAT", zlib.compress(rows, level)) + chunk(b"IEND")


def large_png(size, *, seed=0):
    """A PNG of exactly so many bytes, 10,000 or more."""
    width, height = 1_000, (size - 3_000) // 3_010
    plain = png(width, height, seed=seed)
    # What is missing is a chunk that is dropped.
    return png(width, height, seed=seed, before=chunk(b"tEXt", bytes(size - len(plain) - 12)))


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def exif(orientation, place=b"48.8584 N 2.2945 E"):
    """EXIF with an orientation, GPS data and the name of a camera's owner."""
    entries = struct.pack(">HHIHH", 0x0112, 3, 1, orientation, 0)
    entries += struct.pack(">HHII", 0x8825, 4, 1, 8 + 2 + 3 * 12 + 4)
    entries += struct.pack(">HHII", 0xA430, 2, len(place), 8 + 2 + 3 * 12 + 4 + 42)
    gps = struct.pack(">H", 2) + struct.pack(">HHI4s", 1, 2, 2, b"N\0\0\0")
    gps += struct.pack(">HHII", 2, 5, 3, 64) + struct.pack(">I", 0) + bytes(12)
    tiff = b"MM\0\x2a" + struct.pack(">IH", 8, 3) + entries + struct.pack(">I", 0) + gps + place
    return segment(0xE1, b"Exif\0\0" + tiff)


def jpeg(*segments):
    """The JPEG with segments behind its first marker, as a camera writes them."""
    return JPEG[:2] + b"".join(segments) + JPEG[2:]


def jpeg_of_empty_runs(*bands, seed=0):
    """A grey progressive JPEG of 4,096 x 4,096 pixels, on its side, of some 33 KB, which costs a decoder many pictures:
    each scan after the first has 30 bytes, 16 runs of 16,384 empty blocks. Each band of coefficients, as (1, 63), is
    refined 13 times."""
    parts = [b"\xff\xd8", exif(6), segment(0xDB, b"\0" + bytes([1 + seed]) + bytes([1]) * 63)]
    parts.append(segment(0xC2, struct.pack(">BHHB3B", 8, 4096, 4096, 1, 1, 0x11, 0)))
    # A code of one bit for the only symbol of the first scan; "0" for a run of 16,384 and what 14 bits add to it.
    parts.append(segment(0xC4, bytes([0, 1]) + bytes(16)))
    parts.append(segment(0xC4, bytes([0x10, 1, 1]) + bytes(14) + b"\xe0\0"))
    parts.append(segment(0xDA, bytes([1, 1, 0, 0, 0, 0])) + bytes(4096 * 4096 // 64 // 8))
    for first, last in bands:
        for low in range(13, -1, -1):
            steps = low if low == 13 else low + 1 << 4 | low
            parts.append(segment(0xDA, bytes([1, 1, 0, first, last, steps])) + bytes(30))
    return b"".join(parts) + b"\xff\xd9"


def size_of_jpeg(data):
    place = next(i for i in range(len(data)) if data[i] == 0xFF and data[i + 1] in (0xC0, 0xC1, 0xC2))
    height, width = struct.unpack(">HH", data[place + 5 : place + 9])
    return width, height


def corners(data):
    """The colours of a JPEG's corners, as letters: upper left and right, lower left and right."""
    library = ctypes.CDLL("libturbojpeg.so.0")
    library.tjInitDecompress.restype = ctypes.c_void_p
    decoder = ctypes.c_void_p(library.tjInitDecompress())
    (width, height), length = size_of_jpeg(data), ctypes.c_ulong(len(data))
    pixels = ctypes.create_string_buffer(3 * width * height)
    assert library.tjDecompress2(decoder, data, length, pixels, width, 0, height, 0, 0) == 0
    library.tjDestroy(decoder)
    names = {(1, 0, 0): "r", (0, 1, 0): "g", (0, 0, 1): "b", (1, 1, 1): "w"}
    places = [(2, 2), (width - 3, 2), (2, height - 3), (width - 3, height - 3)]
    raw = pixels.raw
    return "".join(
        names[tuple(round(raw[3 * (y * width + x) + part] / 255) for part in range(3))] for x, y in places)  # fmt: skip


# MARK: - Uploading and downloading


async def begin(client, data, *, digest=None, length=None):
    digest = hashlib.sha256(data).digest() if digest is None else digest
    return await client.ask(
        "beginUpload",
        {"sha256": base64.b64encode(digest).decode(), "length": str(len(data) if length is None else length)},
    )


async def send(client, state, data, *, chunks=None):
    """Sends the chunks that are missing, or so many of them; returns the state after the last."""
    while state.get("upload") and chunks != 0:
        start = int(state.get("offset", 0))
        part = data[start : start + state["chunkBytes"]]
        body = {"upload": state["upload"], "offset": str(start), "data": base64.b64encode(part).decode()}
        state = await client.ask("uploadChunk", body, seconds=60)
        chunks = None if chunks is None else chunks - 1
    return state


async def upload(client, data, **more):
    """Uploads all of it; returns the asset's id."""
    return (await send(client, await begin(client, data, **more), data))["asset"]


async def show(client, data):
    """Uploads it and makes it the picture of the profile, which everyone may see; returns the asset's id."""
    asset = await upload(client, data)
    await client.ask("editProfile", {"picture": asset, "visibleTo": "everyone"})
    return asset


def fetch(server, path, method="GET", **headers):
    """One request without any credential; returns status, headers and bytes."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
    try:
        connection.request(method, path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
    finally:
        connection.close()
