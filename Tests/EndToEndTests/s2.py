"""S2 cell tokens, computed from S2's published definition, so that the tests do not depend on the server's code.

Only one direction: from a point to the cell that contains it.
"""

import math

LEVEL = 16  # the server's default

# For each orientation of the Hilbert curve: the position of the quarter with these (i, j) bits, and its change of the
# orientation.
POSITION = [[0, 1, 3, 2], [0, 3, 1, 2], [2, 3, 1, 0], [2, 1, 3, 0]]
TURN = [1, 0, 0, 3]


def token(lat, lon, level=LEVEL):
    """Token of the cell of that level at a point in degrees."""
    phi, theta = math.radians(lat), math.radians(lon)
    point = (math.cos(phi) * math.cos(theta), math.cos(phi) * math.sin(theta), math.sin(phi))
    face, u, v = project(point)
    i, j = (min(2**30 - 1, max(0, int(math.floor(2**30 * straightened(w))))) for w in (u, v))
    orientation, bits = face & 1, face
    for depth in range(29, 29 - level, -1):
        quarter = POSITION[orientation][(i >> depth & 1) << 1 | (j >> depth & 1)]
        bits = bits << 2 | quarter
        orientation ^= TURN[quarter]
    return f"{(bits << 1 | 1) << 2 * (30 - level):016x}".rstrip("0")


def project(point):
    """Face of the cube and the place on it, each from -1 to 1."""
    x, y, z = point
    axis = max(range(3), key=lambda k: abs(point[k]))
    face = axis + (3 if point[axis] < 0 else 0)
    across, up = [(y, z), (-x, z), (-x, -y), (z, y), (z, -x), (-y, -x)][face]
    return face, across / point[axis], up / point[axis]


def straightened(w):
    """S2's quadratic projection: makes cells of one level nearly equal in area. Gives 0 to 1."""
    return 0.5 * math.sqrt(1 + 3 * w) if w >= 0 else 1 - 0.5 * math.sqrt(1 - 3 * w)


def middle(lat, lon):
    """The approximate middle of the cell that contains this point."""
    for step in [(1e-4, 0), (0, 1e-4)] * 5:
        there, back = border((lat, lon), step), border((lat, lon), (-step[0], -step[1]))
        lat, lon = (there[0] + back[0]) / 2, (there[1] + back[1]) / 2
    return lat, lon


def border(start, step, level=LEVEL):
    """The first point in another cell, going from `start` (lat, lon) in steps of `step` (lat, lon)."""
    home = token(*start, level)
    low, high = 0.0, 1.0
    while token(start[0] + high * step[0], start[1] + high * step[1], level) == home:
        low, high = high, high + 1
        assert high < 10_000, "no border on this way"
    for _ in range(30):
        middle = (low + high) / 2
        if token(start[0] + middle * step[0], start[1] + middle * step[1], level) == home:
            low = middle
        else:
            high = middle
    return start[0] + high * step[0], start[1] + high * step[1]
