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
}

extension WirePost {
    /// Where it is; nil for coordinates that are none.
    public var coordinate: Coordinate? { Coordinate(latitude: place.lat, longitude: place.lon) }
}
