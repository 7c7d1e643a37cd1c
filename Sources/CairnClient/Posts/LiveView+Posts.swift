public import CairnGeo
public import CairnWire

/// The posts around the user: the same for the AR view and for the map, so that both agree (PST-2, MAP-7).
extension LiveView {
    /// The posts that are visible from a place: live posts whose reach includes it, and the user's own hidden posts.
    /// - Parameters:
    ///   - serverTime: milliseconds since 1970, as the server counts them: what has ended by then is left out, whether
    ///     or not the server has said so yet (PST-7).
    ///   - shown: ids of those that are shown already: they stay until the place is a tenth further away than their
    ///     reach, so that nothing flickers (VIS-1).
    public func posts(
        seenFrom place: Coordinate, at serverTime: Int64, shown: Set<String> = []
    ) -> [WireInstance] {
        instances.filter { instance in
            guard instance.hasPost, serverTime < instance.post.expires, let spot = instance.post.coordinate else {
                return false
            }
            let reach = instance.post.reach * (shown.contains(instance.id) ? 1.1 : 1)
            return spot.distanceMetres(to: place) <= reach
        }
    }

    /// What a view of the surroundings shows (VIS-8): of the things within a radius and the posts that are visible, the
    /// nearest, the nearest first and at one distance by id. A map that joins what lies close together may take all.
    /// - Parameters:
    ///   - posts: what `posts(seenFrom:at:shown:)` gives for the place.
    ///   - most: `WireDeviceClass.shownMax`, unless the app knows better.
    public func shown(
        around place: Coordinate, withinMetres radius: Double, posts: [WireInstance], most: Int
    ) -> [WireInstance] {
        let things = instances(withinMetres: radius, of: place).filter { !$0.hasPost }
        let places = (things + posts).map { instance in
            (instance, (instance.hasPost ? instance.post.coordinate : instance.pose.geoPose?.coordinate))
        }
        let distances = places.map { instance, spot in (instance, spot?.distanceMetres(to: place) ?? .infinity) }
        return distances.sorted { $0.1 != $1.1 ? $0.1 < $1.1 : $0.0.id < $1.0.id }.prefix(most).map(\.0)
    }
}

extension WirePost {
    /// Where it is; nil for coordinates that are none.
    public var coordinate: Coordinate? { Coordinate(latitude: place.lat, longitude: place.lon) }
}
