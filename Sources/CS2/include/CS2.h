// CS2: the part of Google's S2 geometry library that Cairn uses, behind plain C.
//
// Contract of every function, kept by its only caller, CairnGeo:
//   - a coordinate is finite, latitude -90 to 90, longitude -180 to 180, in degrees;
//   - a cell is a valid S2 cell id, a level is 0 to 30;
//   - a list of points is latitude, longitude, latitude, longitude ...;
//   - distances are metres along the surface of a sphere of CS2_EARTH_RADIUS_METRES.
// S2 aborts the process when this is broken, so nothing unchecked may reach it. No function throws, keeps
// a pointer that it was given, or hands out memory, but for cs2_polygon_new. All may be called on any thread.
#ifndef CS2_H
#define CS2_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#define CS2_NOEXCEPT noexcept
#else
#define CS2_NOEXCEPT
#endif

// The mean radius that S2 uses (s2earth.h).
#define CS2_EARTH_RADIUS_METRES 6371010.0

// The cell of a level that owns the coordinate: one and only one does.
uint64_t cs2_cell_at(double latitude, double longitude, int level) CS2_NOEXCEPT;

// Writes the cells of the same level that share an edge or a corner, ascending; returns how many: 8, 7 at a
// corner of the cube, 4 on level 0.
size_t cs2_cell_neighbours(uint64_t cell, uint64_t out[8]) CS2_NOEXCEPT;

// Writes one point: where the cell divides into its four children.
void cs2_cell_centre(uint64_t cell, double out[2]) CS2_NOEXCEPT;

// Writes four points, counter-clockwise.
void cs2_cell_vertices(uint64_t cell, double out[8]) CS2_NOEXCEPT;

// 0 inside, on the edge and within 1e-7 m of it.
double cs2_cell_distance(uint64_t cell, double latitude, double longitude) CS2_NOEXCEPT;

// The three coverings: write the cells of a level that touch a shape, ascending, and return how many; or
// return capacity + 1 when there are more than `out` holds (what was written is then of no use).
//
// The disc holds exactly the cells for which cs2_cell_distance(cell, centre) <= radius; radius is not negative.
size_t cs2_cells_touching_disc(
    double latitude, double longitude, double radius, int level, uint64_t *out, size_t capacity
) CS2_NOEXCEPT;

// South to north, and west to east across the antimeridian when west > east. West and east must not be
// (180, -180), which S2 reads as empty.
size_t cs2_cells_touching_box(
    double south, double west, double north, double east, int level, uint64_t *out, size_t capacity
) CS2_NOEXCEPT;

// The shortest distance from the coordinate to a line of geodesics; count of points >= 1.
double cs2_path_distance(double latitude, double longitude, const double *points, size_t count) CS2_NOEXCEPT;

// An immutable simple polygon without holes.
typedef struct cs2_polygon cs2_polygon;

typedef enum {
    CS2_POLYGON_OK = 0,
    CS2_POLYGON_REPEATED_VERTEX,
    CS2_POLYGON_SELF_INTERSECTION,
    CS2_POLYGON_TOO_LARGE,  // a vertex 90 degrees or more from the middle of all
} cs2_polygon_fault;

// Takes 3 or more vertices in either winding, first not repeated as last. On success sets `reversed` to whether
// they were clockwise; free with cs2_polygon_free. On failure returns NULL and sets `fault`.
cs2_polygon *cs2_polygon_new(
    const double *vertices, size_t count, cs2_polygon_fault *fault, int *reversed
) CS2_NOEXCEPT;
void cs2_polygon_free(cs2_polygon *polygon) CS2_NOEXCEPT;

int cs2_polygon_contains(const cs2_polygon *polygon, double latitude, double longitude) CS2_NOEXCEPT;

// Whether the cell and the polygon share a point; errs towards yes by less than 1e-7 m.
int cs2_polygon_intersects_cell(const cs2_polygon *polygon, uint64_t cell) CS2_NOEXCEPT;

// Whether the geodesic between two coordinates crosses or touches the outline (two equal ones never do).
int cs2_polygon_crosses(
    const cs2_polygon *polygon, double latitude_a, double longitude_a, double latitude_b, double longitude_b
) CS2_NOEXCEPT;

// 0 inside.
double cs2_polygon_distance(const cs2_polygon *polygon, double latitude, double longitude) CS2_NOEXCEPT;

double cs2_polygon_area_square_metres(const cs2_polygon *polygon) CS2_NOEXCEPT;

size_t cs2_cells_touching_polygon(
    const cs2_polygon *polygon, int level, uint64_t *out, size_t capacity
) CS2_NOEXCEPT;

#ifdef __cplusplus
}
#endif
#endif
