public import CairnGeo

/// The middle of the square that holds the place: what others learn of a person whom nobody was told of before.
public func snapped(_ place: Coordinate, toGridMetres gridMetres: Double) -> Coordinate {
    let grid = LocationGrid(metres: gridMetres)
    return grid.middle(of: grid.square(of: place))
}
