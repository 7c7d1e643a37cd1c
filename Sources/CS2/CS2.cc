#include "CS2.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include <s2/s2cap.h>
#include <s2/s2cell.h>
#include <s2/s2cell_id.h>
#include <s2/s2crossing_edge_query.h>
#include <s2/s2earth.h>
#include <s2/s2edge_distances.h>
#include <s2/s2error.h>
#include <s2/s2latlng.h>
#include <s2/s2latlng_rect.h>
#include <s2/s2loop.h>
#include <s2/s2polygon.h>

static_assert(S2Earth::RadiusMeters() == CS2_EARTH_RADIUS_METRES);

namespace {

// One place is one point, however its longitude is written.
S2Point Point(double latitude, double longitude) {
    if (std::abs(latitude) == 90) longitude = 0;
    if (longitude == -180) longitude = 180;
    return S2LatLng::FromDegrees(latitude, longitude).ToPoint();
}

std::vector<S2Point> Points(const double *coordinates, size_t count) {
    std::vector<S2Point> points;
    points.reserve(count);
    for (size_t i = 0; i < count; i++) points.push_back(Point(coordinates[2 * i], coordinates[2 * i + 1]));
    return points;
}

void Write(const S2LatLng &place, double *out) {
    out[0] = place.lat().degrees();
    out[1] = place.lng().degrees();
}

double Metres(S1ChordAngle distance) { return S2Earth::ToMeters(distance); }

// S2 errs by up to 1e-8 m, so that a place on an edge may come out beside the very cell that owns it: closer than
// 1e-7 m is touching.
double Metres(const S2Cell &cell, const S2Point &point) {
    const double metres = Metres(cell.GetDistance(point));
    return metres < 1e-7 ? 0 : metres;
}

// The caller's buffer for a covering. One cell too many ends the search.
struct Output {
    uint64_t *cells;
    size_t capacity;
    size_t count = 0;

    bool Add(S2CellId id) {
        if (count < capacity) cells[count] = id.id();
        return count++ < capacity;
    }
};

// Adds the cells of `level` below `cell` for which touches(cell, true) holds. touches(cell, false) may be generous:
// it only prunes. The order of the children is the order of the ids. False when the output is full.
template <class Touches>
bool Descend(const S2Cell &cell, int level, const Touches &touches, Output &output) {
    if (cell.level() == level) return !touches(cell, true) || output.Add(cell.id());
    if (!touches(cell, false)) return true;
    S2Cell children[4];
    cell.Subdivide(children);
    for (const S2Cell &child : children) {
        if (!Descend(child, level, touches, output)) return false;
    }
    return true;
}

// Up to four large cells that cover the cap, none finer than `level`, ascending and distinct. The buffer belongs to
// the thread: S2 wants a vector, and a covering should not allocate.
const std::vector<S2CellId> &Ancestors(const S2Cap &cap, int level) {
    static thread_local std::vector<S2CellId> cells;
    cap.GetCellUnionBound(&cells);
    for (S2CellId &id : cells) id = id.parent(std::min(id.level(), level));
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

template <class Touches>
size_t Cover(const S2Cap &bound, int level, const Touches &touches, Output output) {
    for (S2CellId id : Ancestors(bound, level)) {
        if (!Descend(S2Cell(id), level, touches, output)) break;
    }
    return output.count;
}

}  // namespace

struct cs2_polygon {
    S2Polygon polygon;
};

extern "C" {

uint64_t cs2_cell_at(double latitude, double longitude, int level) noexcept {
    return S2CellId(Point(latitude, longitude)).parent(level).id();
}

size_t cs2_cell_neighbours(uint64_t cell, uint64_t out[8]) noexcept {
    static thread_local std::vector<S2CellId> found;
    const S2CellId id(cell);
    found.clear();
    if (id.is_face()) {
        // AppendAllNeighbors names each of the four faces twice or more here, and the face itself.
        found.resize(4);
        id.GetEdgeNeighbors(found.data());
    } else {
        id.AppendAllNeighbors(id.level(), &found);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    size_t count = 0;
    for (S2CellId neighbour : found) {
        if (neighbour != id && count < 8) out[count++] = neighbour.id();
    }
    return count;
}

void cs2_cell_centre(uint64_t cell, double out[2]) noexcept { Write(S2CellId(cell).ToLatLng(), out); }

void cs2_cell_vertices(uint64_t cell, double out[8]) noexcept {
    const S2Cell s2cell{S2CellId(cell)};
    for (int k = 0; k < 4; k++) Write(S2LatLng(s2cell.GetVertex(k)), out + 2 * k);
}

double cs2_cell_distance(uint64_t cell, double latitude, double longitude) noexcept {
    return Metres(S2Cell(S2CellId(cell)), Point(latitude, longitude));
}

size_t cs2_cells_touching_disc(
    double latitude, double longitude, double radius, int level, uint64_t *out, size_t capacity
) noexcept {
    const S2Point centre = Point(latitude, longitude);
    // A parent's computed distance may exceed its child's by rounding: prune a millimetre late. Near the antipode chord
    // lengths no longer tell distances apart, and there is next to nothing to prune.
    const double late = radius + 0.001;
    const S1Angle bound = late < 2e7 ? S2Earth::MetersToAngle(late) : S1Angle::Radians(M_PI);
    const S1ChordAngle prune = late < 2e7 ? S1ChordAngle(bound) : S1ChordAngle::Infinity();
    return Cover(S2Cap(centre, bound), level, [&](const S2Cell &cell, bool exact) {
        return exact ? Metres(cell, centre) <= radius : cell.GetDistance(centre) <= prune;
    }, {out, capacity});
}

size_t cs2_cells_touching_box(
    double south, double west, double north, double east, int level, uint64_t *out, size_t capacity
) noexcept {
    const S2LatLngRect box(S2LatLng::FromDegrees(south, west), S2LatLng::FromDegrees(north, east));
    return Cover(box.GetCapBound(), level, [&](const S2Cell &cell, bool) {
        return box.Intersects(cell);
    }, {out, capacity});
}

double cs2_path_distance(double latitude, double longitude, const double *points, size_t count) noexcept {
    const S2Point target = Point(latitude, longitude);
    S2Point previous = Point(points[0], points[1]);
    S1ChordAngle nearest(target, previous);
    for (size_t i = 1; i < count; i++) {
        const S2Point next = Point(points[2 * i], points[2 * i + 1]);
        S2::UpdateMinDistance(target, previous, next, &nearest);
        previous = next;
    }
    return Metres(nearest);
}

cs2_polygon *cs2_polygon_new(
    const double *vertices, size_t count, cs2_polygon_fault *fault, int *reversed
) noexcept {
    const std::vector<S2Point> points = Points(vertices, count);
    S2Point middle(0, 0, 0);
    for (const S2Point &point : points) middle += point;
    for (const S2Point &point : points) {
        if (middle.DotProd(point) <= 0) {
            *fault = CS2_POLYGON_TOO_LARGE;
            return nullptr;
        }
    }
    // DISABLE: S2 would otherwise abort on an invalid loop instead of reporting it.
    auto loop = std::make_unique<S2Loop>(points, S2Debug::DISABLE);
    S2Error error;
    if (loop->FindValidationError(&error)) {
        *fault = error.code() == S2Error::DUPLICATE_VERTICES ? CS2_POLYGON_REPEATED_VERTEX
                                                             : CS2_POLYGON_SELF_INTERSECTION;
        return nullptr;
    }
    *reversed = !loop->IsNormalized();
    loop->Normalize();
    auto result = std::make_unique<cs2_polygon>();
    result->polygon.set_s2debug_override(S2Debug::DISABLE);
    result->polygon.Init(std::move(loop));
    result->polygon.index().ForceBuild();
    *fault = CS2_POLYGON_OK;
    return result.release();
}

void cs2_polygon_free(cs2_polygon *polygon) noexcept { delete polygon; }

int cs2_polygon_contains(const cs2_polygon *polygon, double latitude, double longitude) noexcept {
    return polygon->polygon.Contains(Point(latitude, longitude));
}

int cs2_polygon_intersects_cell(const cs2_polygon *polygon, uint64_t cell) noexcept {
    return polygon->polygon.MayIntersect(S2Cell(S2CellId(cell)));
}

int cs2_polygon_crosses(
    const cs2_polygon *polygon, double latitude_a, double longitude_a, double latitude_b, double longitude_b
) noexcept {
    const S2Point a = Point(latitude_a, longitude_a), b = Point(latitude_b, longitude_b);
    if (a == b) return 0;
    S2CrossingEdgeQuery query(&polygon->polygon.index());
    return !query.GetCrossingEdges(a, b, s2shapeutil::CrossingType::ALL).empty();
}

double cs2_polygon_distance(const cs2_polygon *polygon, double latitude, double longitude) noexcept {
    return S2Earth::ToMeters(polygon->polygon.GetDistance(Point(latitude, longitude)));
}

double cs2_polygon_area_square_metres(const cs2_polygon *polygon) noexcept {
    return S2Earth::SteradiansToSquareMeters(polygon->polygon.GetArea());
}

size_t cs2_cells_touching_polygon(
    const cs2_polygon *polygon, int level, uint64_t *out, size_t capacity
) noexcept {
    return Cover(polygon->polygon.GetCapBound(), level, [&](const S2Cell &cell, bool) {
        return polygon->polygon.MayIntersect(cell);
    }, {out, capacity});
}

}  // extern "C"
