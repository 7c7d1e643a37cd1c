import Foundation

/// The middle of the grid square that holds the coordinate, for location accuracy (PRF-8): everything in a square gives
/// the same result for every receiver, so the finer value is not recoverable from it.
///
/// The grid is fixed to the Earth. It has bands of equal latitude, and each band a whole number of columns that follows
/// from the band alone; squares are at least `gridMetres` both ways, measured on the sphere, and the bands at the poles
/// are one square. The result is at most a diagonal's half, 0.71 grids, away (near a pole up to 1.5 grids: few columns
/// divide a small circle). Snapping a result again changes nothing. `gridMetres` is held to 1 through 1,000,000, and
/// NaN counts as the coarsest.
public func snapped(_ coordinate: Coordinate, toGridMetres gridMetres: Double) -> Coordinate {
    let grid = gridMetres.isNaN ? 1_000_000 : min(max(gridMetres, 1), 1_000_000)
    let bands = (180 * Earth.metresPerDegree / grid).rounded(.down)
    let bandDegrees = 180 / bands
    let band = min(((coordinate.latitude + 90) / bandDegrees).rounded(.down), bands - 1)
    // At the edge towards the pole, where columns are narrowest.
    let edge = max(abs(band * bandDegrees - 90), abs((band + 1) * bandDegrees - 90))
    let columns = max((360 * Earth.metresPerDegree * cos(edge.radians) / grid).rounded(.down), 1)
    let columnDegrees = 360 / columns
    let column = ((coordinate.longitude + 180) / columnDegrees).rounded(.down)
    return Coordinate(
        clampingLatitude: (band + 0.5) * bandDegrees - 90,
        // Longitude 180 is -180, the first column.
        longitude: ((column < columns ? column : 0) + 0.5) * columnDegrees - 180)
}
