"""Tours as GeoJSON, for tests that import them (TRM-4)."""


def feature(kind, geometry, coordinates, **properties):
    """A part of a tour: `area`, `route`, `stop` or `popup`."""
    return {
        "type": "Feature", "geometry": {"type": geometry, "coordinates": coordinates},
        "properties": {"cairn": kind, **properties},
    }  # fmt: skip


def line(points):
    """The coordinates of points, which have `lat` and `lon`."""
    return [[one["lon"], one["lat"]] for one in points]
